// The tables of one machine.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "cupel/advice/order.hpp"
#include "cupel/advice/own_step.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceGroup;
using advice::AdviceResult;
using advice::AdviceVerdict;
using catalogue::AdviceKind;

using Pieces = std::vector<const AdviceResult*>;

std::string id_text(const AdviceResult& result) { return units::shorten(result.id, 40); }

using Cells = std::function<std::vector<std::string>(const AdviceResult&)>;

// A row a piece.
void add_pieces(Page& page, const char* title, const Pieces& pieces, std::vector<Column> columns, const Cells& cells) {
  if (pieces.empty()) return;
  page.heading(title);
  columns.back().fold = Fold::prose;
  columns.back().has_verdicts = true;
  Table table(std::move(columns));
  table.badges = advice_badges();
  for (const AdviceResult* result : pieces) table.row(cells(*result));
  page.add(std::move(table));
}

// Whether it goes with the piece above, by the same cause.
bool follows(const AdviceResult& result) { return result.place.rank > 0 && !result.place.leads; }

std::string ranked_id(const AdviceResult& result) { return (follows(result) ? "+ " : "") + id_text(result); }

// In a step that tells, or by the same cause as one that is.
bool is_of_a_step(const AdvisedFile& file, const AdviceResult& result) {
  return result.place.rank > 0 && std::ranges::any_of(file.advice, [&](const AdviceResult& other) {
           return other.gains.in_step && other.place.rank == result.place.rank;
         });
}

// "channels first; own benchmarks: pays". Their figures, of several families and precisions, are with the piece.
std::string beside_step(const AdviceResult& result) {
  const std::string instead = instead_of(result);
  const std::string own = result.measured().empty() ? "" : "own benchmarks: " + verdict_said(result);
  return instead + (instead.empty() || own.empty() ? "" : "; ") + own + unusual_text(result);
}

// A loader that binds comes before any piece of a step.
void add_loader(Page& page, const AdvisedFile& file) {
  const auto found = advice::loader_that_binds(file.advice, file.figures);
  if (!found) return;
  page.heading("The loader first");
  std::vector<std::string> changes;
  for (const AdviceResult& result : file.advice) {
    if (result.place.rank == 0 && result.place.number > 0)
      changes.push_back(fmt::format("{} {}", result.place.number, id_text(result)));
  }
  page.paragraph(advice::loader_words(*found) + (changes.empty() ? "" : " First: " + units::joined(changes) + "."));
}

// Adds what a step tells, which has one key; the others have another, and a table of their own.
void add_step_gains(Page& page, const AdvisedFile& file) {
  add_loader(page, file);
  if (const auto own = advice::own_step(file.figures)) page.paragraph(advice::own_step_words(*own));
  const Pieces pieces =
      units::filtered(file.advice, [&](const AdviceResult& result) { return is_of_a_step(file, result); });
  if (pieces.empty()) return;
  std::string title = "What to change first: " + step_key(file.advice);
  units::append(title, host_condition(file.advice, advice::launch_host(file.figures)), ", ");
  add_pieces(page, title.c_str(), pieces,
             {right("rank"), left("advice"), right("saves"), right("step", 2), left("instead of")},
             [](const AdviceResult& result) -> std::vector<std::string> {
               const std::string place = follows(result) ? "" : std::to_string(result.place.number);
               if (!result.gains.in_step) return {place, ranked_id(result), "", "", beside_step(result)};
               return {place, ranked_id(result), units::format(result.gains.in_step->saved_s(), units::Unit::seconds),
                       advice::gain_text(result.gains.in_step->ratio, result.kind), beside_step(result)};
             });
  if (const std::string orders = advice::orders_by_host_words(file.advice); !orders.empty()) page.paragraph(orders);
  if (const std::string turns = advice::rank_turns_words(file.advice, 3); !turns.empty())
    page.paragraph("The order differs by the host: " + turns + ".");
}

// Rank, figure, what a call saves, and from which size on.
void add_gains(Page& page, const char* title, const char* figure_title, const char* saved_title, const Pieces& pieces) {
  const bool is_ranked = !pieces.empty() && pieces.front()->place.rank > 0;  // others have a place in their table alone
  int row = 0;
  add_pieces(page, title, pieces,
             {right(is_ranked ? "rank" : "no."), left("advice"), right(figure_title), left("of", Fold::none, 2),
              right(saved_title, 1), left("holds")},
             [&](const AdviceResult& result) -> std::vector<std::string> {
               const int place = result.place.rank > 0 ? result.place.number : ++row;
               return {follows(result) ? "" : std::to_string(place),
                       ranked_id(result),
                       headline_figure(result),
                       modes_text(result),
                       most_saved(result),
                       holds_text(result)};
             });
}

void add_reasons(Page& page, const char* title, const char* figure_title, const char* reason_title,
                 const Pieces& pieces, const std::function<std::string(const AdviceResult&)>& reason) {
  add_pieces(page, title, pieces, {left("advice"), right(figure_title), left("of"), left(reason_title)},
             [&](const AdviceResult& result) -> std::vector<std::string> {
               return {id_text(result), figure_words(result), modes_text(result), units::shorten(reason(result), 300)};
             });
}

void add_mixed(Page& page, const Pieces& pieces) {
  if (pieces.empty()) return;
  page.heading("These pay at some sizes or cases and harm or cost at others");
  std::string cause_above;
  for (const AdviceResult* result : pieces) {
    const bool is_same =
        !result->place.cause.empty() && result->place.cause == cause_above;  // one entry with what stands above
    const std::string cause = result->place.cause.empty() || is_same ? "" : " (cause: " + result->place.cause + ")";
    cause_above = result->place.cause;
    page.add(Paragraph{(is_same ? "+ " : "") + result->id + cause + ", " + group_remark(*result) +
                           headline_text(*result) + ": " + holds_text(*result),
                       advice_badges()});
    for (const std::string& line : alternatives(*result)) page.bullet(line);
  }
}

void add_claims(Page& page, const AdvisedFile& file) {
  add_pieces(page, "Claims, and whether they hold here",
             units::filtered(file.advice, [](const AdviceResult& result) { return !claim_text(result).empty(); }),
             {left("advice"), left("claimed", Fold::wrapped), left("here")},
             [](const AdviceResult& result) -> std::vector<std::string> {
               return {id_text(result), catalogue::built_in().find(result.id)->claim, claim_text(result)};
             });
}

std::string names_of(const Pieces& pieces) {
  return units::joined(pieces | std::views::transform([](const AdviceResult* result) { return result->id; }));
}

// Whether one of the families that were run measures it; of a file that names none, any may have been.
bool was_asked_for(const record::RunInfo& run, const catalogue::CatalogueRow* row) {
  if (run.families.empty() || row == nullptr) return true;
  return std::ranges::any_of(row->families,
                             [&](const std::string& family) { return units::contains(run.families, family); });
}

void add_not_measured(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  Pieces here, elsewhere;
  for (const AdviceResult& result : file.advice) {
    if (result.verdict != AdviceVerdict::not_measured || result.gains.in_step || result.kind == AdviceKind::tool)
      continue;
    const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id);
    (was_asked_for(file.context.run, row) ? here : elsewhere).push_back(&result);
  }
  if (here.empty() && elsewhere.empty()) return;
  const std::string others = options.all         ? names_of(elsewhere)
                             : elsewhere.empty() ? ""
                                                 : fmt::format("{} pieces; --all names them", elsewhere.size());
  page.heading("These were not measured");
  page.fields({{"not in this file", names_of(here)}, {"of families not run", others}});
}

void add_other(Page& page, const AdvisedFile& file) {
  const Pieces figures = units::filtered(file.advice, [](const AdviceResult& result) {
    return result.verdict == AdviceVerdict::not_compared && result.kind == AdviceKind::figure;
  });
  std::vector<std::pair<std::string, std::string>> lines;
  for (const AdviceResult* result : figures) {
    lines.emplace_back(result->id, fmt::format("{} figures; cupel show FILE --filter '{}'", result->names.size(),
                                               figures::operation_of(result->names.front())));
  }
  for (const catalogue::CatalogueRow& row : catalogue::built_in().rows) {
    if (row.kind == AdviceKind::tool) lines.emplace_back(row.id, row.cuda);
  }
  page.heading("Figures and tools without a before and an after");
  page.fields(lines);
}

constexpr std::size_t kNameWidth = 60;

std::string names_in(const advice::Bottleneck& bottleneck) {
  const std::size_t more = bottleneck.names.size() - 1;
  return units::shorten(bottleneck.names.front(), kNameWidth) +
         (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string times_text(const std::optional<stats::Shift>& gain) {
  return gain ? units::format_fixed(gain->ratio(), 2) + "x" : "";
}

// Changes from what no framework starts with: "fused_optimizer (a kernel for each operation and tensor)".
std::vector<std::string> changes_from_no_default(const std::vector<figures::Waterfall>& steps) {
  std::set<std::string> changes;
  for (const figures::Waterfall& step : steps) {
    for (const figures::Rung* rung : figures::changes_of(step)) {
      const catalogue::CatalogueRow* row = catalogue::built_in().find(catalogue::built_in().made_by(rung->change));
      if (row != nullptr && !row->is_steps_default) changes.insert(rung->change + " (" + row->instead_of + ")");
    }
  }
  return {changes.begin(), changes.end()};
}

}  // namespace

const Badges& advice_badges() {
  using enum Badge;
  static const Badges badges{{"pays", good},
                             {"pays at some", warn},
                             {"pays everywhere", good},
                             {"also pay", good},
                             {"harms", bad},
                             {"harm", bad},
                             {"costs", bad},
                             {"cost", bad},
                             {"undecided", warn},
                             {"mixed", warn},
                             {"not measurable", warn},
                             {"unusual", warn},
                             {"no difference", quiet},
                             {"costs nothing", quiet},
                             {"not compared", quiet},
                             {"not measured", quiet}};
  return badges;
}

void add_machine(Page& page, const AdvisedFile& file) {
  const record::Context& context = file.context;
  const record::RunInfo& run = context.run;
  std::vector<std::pair<std::string, std::string>> lines{{"file", short_name(file.path)}};
  if (context.device) lines.emplace_back("device", figures::device_text(*context.device));
  lines.emplace_back("host", figures::host_text(context.host));
  const std::vector<std::string> revisions = units::split(context.build.git_revision, ',');
  lines.emplace_back(
      "run", fmt::format("{}, {} profile, {}", record::time_text(run), run.profile, record::processes_text(run)));
  if (revisions.size() > 1) {
    lines.emplace_back("cupel", units::counted(std::ssize(revisions), "revision") + ": " +
                                    figures::shortened(context.build.git_revision, 12));
  }
  page.heading(figures::machine_name(context));
  page.fields(lines);
  if (file.causes.empty()) return;
  page.paragraph("What bears on these numbers:");
  for (const figures::Cause& cause : file.causes) page.bullet(cause.what + " " + cause.remedy);
}

void add_verdicts(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  using enum AdviceVerdict;
  const auto gains = [&](const char* title, const char* figure_title, const char* saved_title, const auto& is) {
    add_gains(page, title, figure_title, saved_title, units::filtered(file.advice, is));
  };
  const auto reasons = [&](const char* title, const char* figure_title, const char* reason_title, const auto& is,
                           const auto& reason) {
    add_reasons(page, title, figure_title, reason_title, units::filtered(file.advice, is), reason);
  };
  const auto is = [](AdviceVerdict verdict) {
    return [verdict](const AdviceResult& result) { return result.verdict == verdict; };
  };
  const auto is_of = [](AdviceVerdict verdict, bool costs) {
    return [=](const AdviceResult& result) {
      return result.verdict == verdict && (result.kind == AdviceKind::cost) == costs;
    };
  };
  add_step_gains(page, file);
  const std::string others =
      step_key(file.advice).empty()
          ? std::string("What to change first, ") + advice::kGainKey
          : std::string("These pay, too, and were not measured inside a step; ") + advice::kGainKey;
  gains(others.c_str(), "gain", "saves",
        [&](const AdviceResult& result) { return result.place.rank > 0 && !is_of_a_step(file, result); });
  for (const auto& [group, says, more] : advice::unranked_titles()) {
    const std::string title = std::string(says) + more;
    gains(title.c_str(), "gain", group == AdviceGroup::counted ? "" : "saves",
          [of = group](const AdviceResult& result) {
            return advice::pays_without_rank(result) && result.place.group == of;
          });
  }
  add_mixed(page, units::filtered(file.advice, is(mixed)));
  gains("These harm here, though they are advised", "gain", "loses", is_of(harms, false));
  for (const bool one_call : {false, true}) {
    gains(one_call ? "These cost time inside one API call" : "These cost time, by design", "longer", "costs",
          [&](const AdviceResult& result) {
            return is_of(harms, true)(result) && (result.place.group == AdviceGroup::one_call) == one_call;
          });
  }
  gains("These are warned of, and are faster here", "longer", "saves", is_of(pays, true));
  reasons("These make no difference here", "gain", "holds", is(no_difference), advice::verdict_remark);
  reasons("These are undecided", "so far", "why", is(undecided), advice::verdict_remark);
  reasons(
      "These could not be measured here", "so far", "why",
      [](const AdviceResult& result) {
        return result.verdict == not_measurable ||
               (result.verdict == not_compared && result.kind != AdviceKind::figure);
      },
      advice::verdict_remark);
  add_claims(page, file);
  add_not_measured(page, file, options);
  if (options.all) add_other(page, file);
}

// ---- What pieces gave to whole training steps, where such were measured: kernels gain more than steps do

void add_steps(Page& page, const AdvisedFile& file) {
  const std::vector<figures::Waterfall> steps = figures::waterfalls_of(file.figures);
  if (steps.empty()) return;
  page.heading("What each change gave to the measured training steps");
  Table table({left("change"), left("advice", Fold::none, 1), right("added"), right("alone")});
  for (const figures::Waterfall& step : steps) {
    table.group(step.operation + " " + step.where);
    for (const figures::Rung* rung : figures::changes_of(step)) {
      table.row(
          {rung->change, catalogue::built_in().made_by(rung->change), times_text(rung->gain), times_text(rung->alone)});
    }
  }
  page.add(std::move(table));
  page.paragraph(
      "added: time before the change / with it, each added to those before it; alone: time without this one change "
      "(and what needs it) / with all; both as cupel show has them, the middle of all pairs of processes. Above, a "
      "piece "
      "has the middle of the ratios inside each process, which differs a little. Sorted by alone where it was "
      "measured. "
      "Gains do not add up, and a kernel's gain is not a step's.");
  if (const std::vector<std::string> changes = changes_from_no_default(steps); !changes.empty())
    page.paragraph("No framework does by default what these replace: " + units::joined(changes, "; ") + ".");
}

void add_bottlenecks(Page& page, const AdvisedFile& file) {
  if (file.bottlenecks.empty()) return;
  page.heading("What limits the input pipeline");
  Table table({left("stage"), left("what to change"), left("seen in", Fold::below)});
  for (const advice::Bottleneck& bottleneck : file.bottlenecks)
    table.row({units::visible(bottleneck.stage), units::visible(bottleneck.change), names_in(bottleneck)});
  page.add(std::move(table));
}

void add_knees(Page& page, const AdvisedFile& file) {
  for (const advice::Knee& knee : file.knees) {
    page.heading("Which batch is large enough: " + units::visible(knee.operation));
    page.paragraph(knee_text(knee));
    Table table({right("batch"), right("samples a second"), right("GPU busy")});
    for (const advice::BatchSize& size : knee.sizes) {
      table.row(
          {std::to_string(size.size), units::format_significant(size.per_second), units::format_percent(size.busy)});
    }
    page.add(std::move(table));
  }
}

}  // namespace cupel::report
