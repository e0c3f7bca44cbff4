#include "cupel/advice/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "cupel/advice/answer.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/record/row.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::advice {
namespace {

constexpr std::size_t kInDigest = 3;

// "graphs 2.92x, pin-memory 2.10x"
std::string keys_of(const std::vector<const AdviceResult*>& pieces) {
  return units::joined(pieces | std::views::transform([](const AdviceResult* result) {
                         return units::visible(result->id) + " " + key_text(*result);
                       }));
}

// "First: graphs 2.92x (in a step), pin-memory 2.10x (by itself)."
std::string first_text(const std::vector<Change>& changes) {
  return "First: " +
         units::joined(changes | std::views::filter(std::not_fn(&Change::follows)) | std::views::take(kInDigest) |
                       std::views::transform([](const Change& change) {
                         return fmt::format("{} {} ({})", units::visible(change.piece->id),
                                            gain_text(change.ratio, catalogue::AdviceKind::gain), change.where);
                       })) +
         ".";
}

// "No single change has a rank here. Pays at some: fuse-reduce 1.32x (host)."
std::string unranked_digest(std::span<const AdviceResult> advice) {
  std::vector<const AdviceResult*> pieces = unranked_pieces(advice, kInDigest);
  if (pieces.empty()) return "";
  std::string text = kNoRank;
  for (const UnrankedTitle& title : unranked_titles()) {
    const auto is_of = [&](const AdviceResult* result) { return result->place.group == title.group; };
    std::vector<const AdviceResult*> of_group;
    std::ranges::copy_if(pieces, std::back_inserter(of_group), is_of);
    if (!of_group.empty()) text += fmt::format(" {}: {}.", title.says, keys_of(of_group));
  }
  return text;
}

// pairs: whether some before and its after were both measured.
std::string why_undecided(std::span<const record::Row> rows, bool pairs) {
  const auto some = [&](const auto& test) {
    return std::ranges::any_of(rows, [&](const record::Row& row) { return !row.advice.empty() && test(row); });
  };
  if (!some([](const record::Row& row) { return row.status == record::Status::ok; })) {
    return "nothing was measured, for the reasons above.";
  }
  if (!some([](const record::Row& row) { return !row.series.empty(); })) return "nothing was timed, as on a CPU.";
  if (!pairs) return "no before was measured together with its after.";
  return some(figures::is_busy) ? "the machine was busy; run nothing else and measure again." : "more processes would.";
}

}  // namespace

std::string digest(std::span<const record::Row> rows, std::span<const AdviceResult> advice,
                   std::span<const figures::Figure> figures) {
  if (std::ranges::all_of(rows, [](const record::Row& row) { return row.advice.empty(); })) return "";
  const Answer answer = answer_of(advice, figures);
  if (!answer.changes.empty())
    return (answer.step || answer.is_ranked ? "" : std::string(kNoRank) + " ") + first_text(answer.changes);
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
  return "No advice could be decided: " + why_undecided(rows, undecided);
}

}  // namespace cupel::advice
