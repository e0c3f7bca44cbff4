#include "cupel/report/bands/bands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kNamed = 5;  // single benchmarks

std::string change(const bands::Unusual& unusual) {
  return unusual.ratio > 1 ? units::format_percent(unusual.ratio - 1) + " slower"
                           : units::format_percent(1 - unusual.ratio) + " quicker";
}

std::string boards(std::size_t count) { return units::counted(static_cast<std::int64_t>(count), "other board"); }

// "5.1 % slower than 5 boards".
std::string mark_of(const bands::Unusual& unusual) {
  return fmt::format("{} than {}", change(unusual), boards(unusual.boards));
}

bool any_slower(const bands::Judgement& judgement) {
  const auto slower = [](const bands::Unusual& unusual) { return unusual.ratio > 1; };
  return std::ranges::any_of(judgement.families, slower) || std::ranges::any_of(judgement.benchmarks, slower);
}

std::string remedy(const bands::Judgement& judgement) {
  std::string text = judgement.boards < bands::kEnoughBoards
                         ? fmt::format("So few boards say little: at least {} are wanted. ", bands::kEnoughBoards)
                         : "";
  if (judgement.differs.empty()) {
    return text + "The files tell of nothing that explains it: look " +
           (any_slower(judgement) ? "at cooling, at what else runs, and " : "") +
           "at whether cupel's revision measures what theirs did.";
  }
  return text + fmt::format("Its record differs from most of theirs in {}.", fmt::join(judgement.differs, "; "));
}

}  // namespace

void add_unusual_marks(std::vector<figures::Figure>& all, const bands::Judgement& board) {
  for (const bands::Unusual& unusual : board.benchmarks) {
    const auto is_it = [&](const figures::Figure& figure) { return figure.is_main && figure.name == unusual.name; };
    const auto marked = std::ranges::find_if(all, is_it);
    if (marked != all.end()) marked->caveats.push_back(mark_of(unusual));
  }
}

std::vector<figures::Cause> unusual_causes(const bands::Judgement& judgement, const std::set<std::string>& first) {
  std::vector<figures::Cause> found;
  for (const bands::Unusual& family : judgement.families) {
    found.push_back(
        {"unusual-family",
         fmt::format("{} is unusual for an {}: {}, by the median of {} benchmarks on the {}'s clock.", family.name,
                     judgement.gpu, mark_of(family), family.benchmarks, family.on_the_host ? "host" : "device"),
         remedy(judgement)});
  }
  if (judgement.benchmarks.empty()) return found;
  std::vector<bands::Unusual> benchmarks = judgement.benchmarks;
  std::ranges::stable_partition(benchmarks, [&](const bands::Unusual& one) { return first.contains(one.name); });
  std::vector<std::string> named;
  for (const bands::Unusual& one : benchmarks) {
    if (named.size() < std::max(kNamed, first.size())) named.push_back(fmt::format("{} {}", one.name, mark_of(one)));
  }
  const std::size_t others = benchmarks.size() - named.size();
  if (others > 0) named.push_back(fmt::format("and {} more", others));
  found.push_back({"unusual-benchmarks",
                   fmt::format("{} of {} benchmarks {} unusual for an {}: {}.", judgement.benchmarks.size(),
                               judgement.judged.size(), judgement.benchmarks.size() == 1 ? "is" : "are", judgement.gpu,
                               fmt::join(named, "; ")),
                   remedy(judgement)});
  return found;
}

std::string usual_text(const bands::Judgement& judgement) {
  if (judgement.any() || judgement.model.empty()) return "";
  if (judgement.judged.empty()) {
    return fmt::format(
        "Whether this is usual for an {} is not known: of what is measured here bands have {}, and {} are the fewest. "
        "cupel bands add takes more.",
        judgement.gpu, boards(judgement.boards), bands::kFewestBoards);
  }
  return fmt::format("All of {} benchmarks are usual for an {}: as on {}.", judgement.judged.size(), judgement.gpu,
                     boards(judgement.boards));
}

std::string bands_list(std::span<const bands::Bands> all, std::size_t columns) {
  Table table({left("model", Fold::wrapped), right("boards"), right("benchmarks"),
               right(fmt::format("of {} boards", bands::kEnoughBoards)),
               right(fmt::format("of {}", bands::kFewestBoards))});
  for (const bands::Bands& one : all) {
    const auto with = [&](std::size_t fewest) {
      return std::to_string(std::ranges::count_if(
          one.benchmarks, [&](const auto& benchmark) { return benchmark.second.boards.size() >= fewest; }));
    };
    table.row({units::visible(one.model), std::to_string(one.boards.size()), std::to_string(one.benchmarks.size()),
               with(bands::kEnoughBoards), with(bands::kFewestBoards)});
  }
  return as_text(table, {columns});
}

}  // namespace cupel::report
