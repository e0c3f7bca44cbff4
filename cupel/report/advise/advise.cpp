#include "cupel/report/advise/advise.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>

#include "cupel/advice/answer.hpp"
#include "cupel/advice/order.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/answer.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceResult;
using advice::AdviceVerdict;

constexpr std::size_t kDetailed = 5;
constexpr std::size_t kInDigest = 3;

std::vector<const AdviceResult*> detailed(const AdvisedFile& file, const AdviseOptions& options) {
  if (!options.all) {
    const auto first = advice::first_changes(file.advice, kDetailed);
    return first.empty() ? advice::unranked_pieces(file.advice, kDetailed) : first;
  }
  return units::filtered(file.advice,
                         [](const AdviceResult& result) { return result.verdict < AdviceVerdict::not_measured; });
}

void add_one_piece(Page& page, const AdvisedFile& file, const std::string& id) {
  add_machine(page, file);
  for (const AdviceResult& result : file.advice) {
    if (result.id == id) add_piece(page, file, result, true);
  }
}

void add_whole(Page& page, const AdvisedFile& file, const AdviseOptions& options) {
  add_machine(page, file);
  add_verdicts(page, file, options);
  add_steps(page, file);
  const std::vector<const AdviceResult*> pieces = detailed(file, options);
  if (!pieces.empty())
    page.heading(options.all                      ? "Each piece"
                 : pieces.front()->place.rank > 0 ? "How to apply the first changes"
                                                  : "How to apply what pays");
  for (const AdviceResult* result : pieces) add_piece(page, file, *result, options.all);
  add_bottlenecks(page, file);
  add_knees(page, file);
  add_symptoms(page, file);
}

Page notes_page(const std::vector<AdvisedFile>& files) {
  Page page;
  page.heading("What bears on these numbers", 1);
  for (const AdvisedFile& file : files) add_machine(page, file);
  return page;
}

Page legend_page(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  Page page;
  page.heading("How these figures were made", 1);
  add_method(page, files, options);
  return page;
}

Page page_of(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  if (options.notes) return notes_page(files);
  if (options.legend) return legend_page(files, options);
  if (files.size() == 1 && options.only.empty() && !options.verdicts && !options.all)
    return {.blocks = answer(files.front(), {options.files})};
  Page page;
  page.heading(options.only.empty() ? "What pays here" : "Advice: " + options.only, 1);
  if (files.size() > 1 && options.only.empty()) add_matrix(page, files, options.verdicts || options.all);
  const bool each = files.size() == 1 || options.all || !options.only.empty();
  for (const AdvisedFile& file : files) {
    if (!each) {
      if (options.verdicts) add_machine(page, file);
    } else if (!options.only.empty()) {
      add_one_piece(page, file, options.only);
    } else {
      add_whole(page, file, options);
    }
  }
  if (options.verdicts || options.all) add_method(page, files, options);
  return page;
}

// "graphs 2.92x, pin-memory 2.10x"
std::string keys_of(const std::vector<const AdviceResult*>& pieces) {
  return units::joined(pieces | std::views::transform([](const AdviceResult* result) {
                         return units::visible(result->id) + " " + key_text(*result);
                       }));
}

// "First: graphs 2.92x (in a step), pin-memory 2.10x (by itself)."
std::string first_text(const std::vector<advice::Change>& changes) {
  return "First: " +
         units::joined(changes | std::views::filter(std::not_fn(&advice::Change::follows)) |
                       std::views::take(kInDigest) | std::views::transform([](const advice::Change& change) {
                         return fmt::format("{} {} ({})", units::visible(change.piece->id),
                                            advice::gain_text(change.ratio, catalogue::AdviceKind::gain), change.where);
                       })) +
         ".";
}

// "No single change has a rank here. Pays at some: fuse-reduce 1.32x (host)."
std::string unranked_digest(std::span<const AdviceResult> advice) {
  std::vector<const AdviceResult*> pieces = advice::unranked_pieces(advice, kInDigest);
  if (pieces.empty()) return "";
  std::string text = advice::kNoRank;
  for (const advice::UnrankedTitle& title : advice::unranked_titles()) {
    const auto is_of = [&](const AdviceResult* result) { return result->place.group == title.group; };
    std::vector<const AdviceResult*> of_group;
    std::ranges::copy_if(pieces, std::back_inserter(of_group), is_of);
    if (!of_group.empty()) text += fmt::format(" {}: {}.", title.says, keys_of(of_group));
  }
  return text;
}

// pairs: whether some before and its after were both measured.
std::string why_undecided(const record::ResultSet& results, bool pairs) {
  const auto some = [&](const auto& test) {
    return std::ranges::any_of(results.rows, [&](const record::Row& row) { return !row.advice.empty() && test(row); });
  };
  if (!some([](const record::Row& row) { return row.status == record::Status::ok; })) {
    return "nothing was measured, for the reasons above.";
  }
  if (!pairs) return "no before was measured together with its after.";
  return some(figures::is_busy) ? "the machine was busy; run nothing else and measure again." : "more processes would.";
}

}  // namespace

AdvisedFile advised_file(std::string path, const record::ResultSet& results, const advice::AdviceOptions& rules,
                         const bands::Judgement& board) {
  std::vector<figures::Figure> figures = figures::figures_of(results);
  const std::vector<std::string> unusual = bands::names_of(board.benchmarks);
  advice::AdviceOptions rules_here = rules;
  rules_here.unusual = unusual;
  AdvisedFile file{
      std::move(path),
      figures::noted_context(results),
      advice::advise(results, catalogue::built_in(), rules_here),
      figures::causes(results),
      advice::bottlenecks(results.rows),
      advice::knees(figures),
      std::move(figures),
      board,
  };
  file.digest = advice_digest(results, file.advice, file.figures);
  std::ranges::move(bands::unusual_causes(board, advice::unusual_of(file.advice)), std::back_inserter(file.causes));
  return file;
}

std::string advise(const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  return options.format == Format::json ? advise_json(files, options)
                                        : rendered(page_of(files, options), options.format, options.terminal);
}

std::string advice_digest(const record::ResultSet& results) {
  if (!advice::has_advice(results)) return "";
  return advice_digest(results, advice::advise(results, catalogue::built_in()), figures::figures_of(results));
}

std::string advice_digest(const record::ResultSet& results, std::span<const AdviceResult> advice,
                          std::span<const figures::Figure> figures) {
  if (!advice::has_advice(results)) return "";
  const advice::Answer answer = advice::answer_of(advice, figures);
  if (!answer.changes.empty())
    return (answer.step || answer.is_ranked ? "" : std::string(advice::kNoRank) + " ") + first_text(answer.changes);
  if (std::string unranked = unranked_digest(advice); !unranked.empty()) return unranked;
  std::vector<std::string> mixed;
  bool decided = false, undecided = false;
  for (const AdviceResult& result : advice) {
    if (result.kind == catalogue::AdviceKind::cost) continue;
    decided = decided || result.counts.decided() > 0;
    undecided = undecided || result.counts.undecided > 0;
    if (result.verdict == AdviceVerdict::mixed) mixed.push_back(units::visible(result.id));
  }
  if (decided)
    return "None of the advice measured here pays" +
           (mixed.empty() ? "." : " throughout; mixed: " + units::joined(mixed) + ".");
  return "No advice could be decided: " + why_undecided(results, undecided);
}

}  // namespace cupel::report
