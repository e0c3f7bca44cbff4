#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string_view>
#include <utility>

#include "cupel/advice/answer.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::Answer;
using advice::Price;
using catalogue::AdviceKind;

constexpr std::size_t kLongestScenario = 60;
constexpr const char* kGainIsAMedian = "; gain: median ratio.";

std::string seconds(double time_s) { return units::format(time_s, units::Unit::seconds); }

// Whether a reader who divides one time by the other gets another gain.
bool differs_from_quotient(const advice::Change& change) {
  constexpr double kSeen = 0.01;
  return change.with_s > 0 && std::abs(change.without_s / change.with_s / change.ratio - 1) > kSeen;
}

// Whether any piece was measured in a step, though none is known to pay there.
const advice::StepGain* measured_step(const AdvisedFile& file) {
  const auto is_told = [](const advice::AdviceResult& piece) { return !piece.gains.in_steps.empty(); };
  const auto piece = std::ranges::find_if(file.advice, is_told);
  return piece == file.advice.end() ? nullptr : &piece->gains.in_steps.front();
}

// Why no step ranks.
std::string unranked_words(const AdvisedFile& file) {
  const advice::StepGain* step = measured_step(file);
  return step == nullptr ? "No training step was measured."
                         : fmt::format("No change is known to pay in the {}.", advice::step_words(step->step));
}

// The measured step, and what the figures below it are.
std::string step_words(const Answer& answer, const AdvisedFile& file) {
  if (answer.changes.empty()) {
    const auto own = advice::own_step(file.figures);
    return own ? advice::own_step_words(*own) + " " + file.digest : file.digest;
  }
  if (!answer.step && answer.is_ranked)
    return unranked_words(file) + " Sorted by the smallest gain at the largest size.";
  if (!answer.step) return advice::kNoRank;
  const advice::StepEnds& step = *answer.step;
  std::string text = step.is_of_the_reader
                         ? advice::own_step_words({step.nothing_s, step.everything_s})
                         : fmt::format("Ranked by a {}: {} with nothing, {} with all.", advice::step_words(step.step),
                                       seconds(step.nothing_s), seconds(step.everything_s));
  text += step.alone ? " Rows in a step: without one change -> with all"
                     : " Rows in a step: before a change -> after it, added in turn";
  text += std::ranges::any_of(answer.changes, differs_from_quotient) ? kGainIsAMedian : ".";
  if (std::ranges::any_of(answer.changes, &advice::Change::follows)) text += " + belongs to the change above.";
  const std::string host = advice::host_condition(file.advice, advice::launch_host(file.figures));
  if (!host.empty()) text += " This order is " + host + ".";
  units::append(text, host.empty() ? "" : advice::orders_by_host_words(file.advice), " ");
  return text;
}

// The step and, as part of its condition, the host that launched it, with the piece that moves farthest by another.
std::string step_paragraph(const Answer& answer, const AdvisedFile& file) {
  std::string text = step_words(answer, file) + " Host: " + figures::host_text(file.context.host) + ".";
  if (answer.step) units::append(text, advice::other_host_words(file.advice, answer.step->step), " ");
  return text;
}

const std::string& measured_call(advice::MeasuredIn program, const catalogue::MeasuredCalls& measured) {
  if (program == advice::MeasuredIn::cpp) return measured.in_cpp;
  return program == advice::MeasuredIn::pytorch ? measured.in_pytorch : measured.in_a_model;
}

Table changes_table(const Answer& answer) {
  Table table({right(""), left("change"), left("where"), right("without it -> with it"), right("gain"),
               left("in PyTorch", Fold::always_below)});
  int row = 0;
  for (const advice::Change& change : answer.changes) {
    if (!change.follows()) row = std::max(row + 1, change.piece->place.number);
    const std::string place = change.follows() ? "+" : std::to_string(row);
    table.row({place, units::shorten(change.piece->id, 40), change.where,
               seconds(change.without_s) + " -> " + seconds(change.with_s),
               advice::gain_text(change.ratio, AdviceKind::gain), how_text(change)});
  }
  return table;
}

using Labelled = std::vector<std::pair<std::string, std::string>>;

// "6 by themselves, 4 at some sizes", and in a line of its own "4 save memory or energy".
void add_others(Labelled& lines, const advice::OtherGains& others) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(others.by_itself, "by themselves");
  add(others.at_some, "at some sizes");
  add(others.in_a_loader, "in a loader");
  add(others.inside_a_call, "inside a call");
  if (!parts.empty()) lines.emplace_back("also pay", units::joined(parts));
  const bool is_first = parts.empty();
  parts.clear();
  add(others.memory, "save memory or energy");
  add(others.chosen, "only if you do the slow thing today");
  lines.emplace_back(is_first ? "also pay" : "", units::joined(parts));
}

// "bytes:16 MiB" is "16 MiB", and "memory:pinned" "pinned": a line has no room for what says itself. "copies:16" stays.
std::string without_name(const std::string& part) {
  const std::size_t begin = part.find(':') + 1;
  const bool is_number = begin < part.size() && part.find_first_not_of("0123456789.", begin) == part.npos;
  return is_number ? part : part.substr(begin);
}

std::string scenario_text(const Price& price) {
  std::vector<std::string> parts = units::split(advice::readable_scenario(price.worst->scenario), '/');
  for (std::string& part : parts) part = without_name(part);
  std::string text = units::joined(parts);
  if (!price.variant.empty()) text += (text.empty() ? "[" : " [") + price.variant + "]";
  return units::shorten(text, kLongestScenario);
}

// "7.50x" of times, for which the line says in which direction; "block 2.00x smaller" of counters.
std::string loss_text(const Price& price) {
  constexpr std::string_view kSlower = " slower";
  std::string text = advice::gain_of(*price.worst, *price.piece);
  if (price.piece->metric.is_time() && text.ends_with(kSlower)) text.resize(text.size() - kSlower.size());
  return text;
}

// "8 in part", "2, 1 in part": in part they pay at other points.
std::string harms_text(const std::vector<Price>& harms) {
  const auto is_in_part = [](const Price& price) { return price.piece->verdict == advice::AdviceVerdict::mixed; };
  const auto in_part = std::ranges::count_if(harms, is_in_part);
  if (in_part == 0) return fmt::format("{}", harms.size());
  return in_part == std::ssize(harms) ? fmt::format("{} in part", in_part)
                                      : fmt::format("{}, {} in part", harms.size(), in_part);
}

// "7 by design: deterministic 7.50x (scatter_add, 64 MiB)", the dearest of them.
void add_prices(Labelled& lines, const char* label, const std::string& count, const std::vector<Price>& prices) {
  if (prices.empty()) return;
  const Price& worst = prices.front();
  lines.emplace_back(label, fmt::format("{}: {} {} ({})", count, units::shorten(worst.piece->id, 40), loss_text(worst),
                                        scenario_text(worst)));
}

// " (cudnn-autotune, fused-adam)": what did not pay in a step of the reader's, of which the pieces are few.
std::string names_text(const AdvisedFile& file, advice::AdviceVerdict verdict) {
  std::vector<std::string> names;
  if (!advice::own_step(file.figures)) return "";
  for (const advice::AdviceResult& piece : file.advice) {
    const bool is_advice = piece.kind != AdviceKind::figure && piece.kind != AdviceKind::tool;
    if (is_advice && piece.verdict == verdict) names.push_back(units::shorten(piece.id, 40));
  }
  return " (" + units::joined(names) + ")";
}

std::string unknown_text(const Answer& answer, const AdvisedFile& file) {
  using enum advice::AdviceVerdict;
  std::vector<std::string> parts;
  const auto add = [&](int count, const std::string& what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(answer.no_difference, "make no difference" + names_text(file, no_difference));
  add(answer.undecided, "undecided" + names_text(file, undecided));
  add(answer.not_measurable, "not possible here");
  add(answer.not_measured, "not measured");
  return units::joined(parts);
}

std::string more_text(const AdvisedFile& file) {
  std::string text = advice::orders_by_net(file.advice).empty() ? "" : "--by NET; ";
  text += "--verdicts; --advice ID; --all";
  if (!file.causes.empty())
    text += fmt::format("; {} to know: --notes", units::counted(std::ssize(file.causes), "thing"));
  return text;
}

// Told, not folded: what an unfinished run lacks may turn the rest round.
std::string unfinished_text(const record::RunInfo& run) {
  return run.whole_processes ? record::processes_text(run) + "; cupel run --resume FILE goes on" : "";
}

// The command to type next: a step if none was measured, the reader's own after that.
std::string next_text(const Answer& answer, const AdvisedFile& file) {
  if (!file.context.device) return "cupel run on a machine with an NVIDIA GPU, for its share and a training step";
  if (!answer.step && measured_step(file) != nullptr) return "the same with more --processes, for what is undecided";
  if (!answer.step) return "cupel run step, to rank changes by a training step";
  if (answer.step->is_of_the_reader) return "cupel gate, to keep what was gained";
  return "cupel run pytorch --model FILE.py:FUNCTION, for a model of yours";
}

// The order by each other net, a line each: it is not that of small images.
void add_other_nets(Labelled& lines, const AdvisedFile& file) {
  const char* label = "by net";
  for (const std::string& words : advice::orders_by_net_words(file.advice))
    lines.emplace_back(std::exchange(label, ""), words);
}

}  // namespace

std::string how_text(const advice::Change& change) {
  const catalogue::CatalogueRow* piece = catalogue::built_in().find(change.piece->id);
  if (piece == nullptr) return "";
  if (const auto own = piece->line_by_change.find(change.change); own != piece->line_by_change.end())
    return own->second;
  std::string measured = measured_call(change.measured_in, piece->measured);
  if (!measured.empty()) measured.insert(0, ": ");
  if (!change.setting.empty()) measured += " with " + change.setting;
  return measured.empty() ? piece->one_line : fmt::format("{} (measured{})", piece->one_line, measured);
}

Blocks answer(const AdvisedFile& file, const AnswerPlaces& places) {
  const Answer found = advice::answer_of(file.advice, file.figures);
  Page page;
  page.add(Heading{"What to change first: " + figures::machine_name(file.context), 1, "answer"});
  page.paragraph(step_paragraph(found, file));
  if (found.loader) page.paragraph(advice::loader_words(*found.loader));
  if (Table changes = changes_table(found); !changes.empty()) page.add(std::move(changes));
  Labelled lines;
  add_prices(lines, "costs", fmt::format("{} by design", found.costs.size()), found.costs);
  add_prices(lines, "harms", harms_text(found.harms), found.harms);
  add_others(lines, found.others);
  add_other_nets(lines, file);
  lines.insert(lines.end(), {{"others", unknown_text(found, file)},
                             {"run", unfinished_text(file.context.run)},
                             {file.board.any() ? "unusual" : "board", bands::board_line(file.board)},
                             {"more", more_text(file)},
                             {"next", next_text(found, file)},
                             {"page", places.page}});
  page.add(Fields{std::move(lines), true, advice_badges()});
  return page.blocks;
}

}  // namespace cupel::report
