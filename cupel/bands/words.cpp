#include "cupel/bands/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cupel/figures/names.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::bands {
namespace {

std::string change(const Unusual& unusual) {
  return unusual.ratio > 1 ? units::format_percent(unusual.ratio - 1) + " slower"
                           : units::format_percent(1 - unusual.ratio) + " quicker";
}

std::string boards(std::size_t count) { return units::counted(static_cast<std::int64_t>(count), "other board"); }

// "5.1 % slower than 5 boards".
std::string mark_of(const Unusual& unusual) {
  return fmt::format("{} than {}", change(unusual), boards(unusual.boards));
}

bool any_slower(const Judgement& judgement) {
  const auto slower = [](const Unusual& unusual) { return unusual.ratio > 1; };
  return std::ranges::any_of(judgement.families, slower) || std::ranges::any_of(judgement.benchmarks, slower);
}

std::string remedy(const Judgement& judgement) {
  std::string text = judgement.boards < kEnoughBoards
                         ? fmt::format("That is few: at least {} boards are wanted. ", kEnoughBoards)
                         : "";
  if (judgement.differs.empty()) {
    return text + "Nothing recorded explains it. Check " + (any_slower(judgement) ? "cooling, other jobs, and " : "") +
           "whether the other boards were measured by the same cupel.";
  }
  return text + fmt::format("Its record differs from most of theirs in {}.", fmt::join(judgement.differs, "; "));
}

struct OfOperation {
  std::string name;
  std::int64_t benchmarks = 0;
};

// "27 more: 20 of memory/alloc, 7 of transfer/h2d", "1 more of memory/alloc".
std::string more_text(const std::vector<OfOperation>& others) {
  std::int64_t count = 0;
  std::vector<std::string> parts;
  for (const OfOperation& one : others) {
    count += one.benchmarks;
    parts.push_back(fmt::format("{} of {}", one.benchmarks, one.name));
  }
  const std::string of_what = parts.size() == 1 ? " of " + others.front().name : ": " + units::joined(parts);
  return fmt::format("{} more{}", count, of_what);
}

// "another host (CPUs: 16 -> 64)": the first difference that bears on times of that clock; may be empty.
std::string likely_cause(const Judgement& judgement, bool on_the_host) {
  for (const std::string& difference : judgement.differs) {
    if (units::contains(judgement.differs_in_host, difference) != on_the_host) continue;
    return on_the_host ? fmt::format("another host ({})", difference) : "likely its " + difference;
  }
  return "";
}

}  // namespace

void add_unusual_marks(std::vector<figures::Figure>& all, const Judgement& board) {
  for (const Unusual& unusual : board.benchmarks) {
    const auto is_it = [&](const figures::Figure& figure) { return figure.is_main && figure.name == unusual.name; };
    const auto marked = std::ranges::find_if(all, is_it);
    if (marked != all.end()) marked->caveats.push_back(mark_of(unusual));
  }
}

std::string spread_cause(const Band& band) {
  const Typical of_boards = typical(band);
  if (of_boards.boards < 2) return "";
  if (of_boards.within >= of_boards.sd) return "processes";
  return band.mode == record::Mode::host ? "host" : "GPU";
}

std::vector<figures::Cause> unusual_causes(const Judgement& judgement, const std::set<std::string>& first,
                                           std::size_t most_named) {
  std::vector<figures::Cause> found;
  for (const Unusual& family : judgement.families) {
    found.push_back(
        {"unusual-family",
         fmt::format("{} is unusual for an {}: {}, by the median of {} benchmarks on the {}'s clock.", family.name,
                     judgement.gpu, mark_of(family), family.benchmarks, family.on_the_host ? "host" : "device"),
         remedy(judgement)});
  }
  if (judgement.benchmarks.empty()) return found;
  std::vector<std::string> named;
  std::vector<OfOperation> others;
  for (const Unusual& one : judgement.benchmarks) {
    if (named.size() < most_named || first.contains(one.name)) {
      named.push_back(fmt::format("{} {}", one.name, mark_of(one)));
    } else {
      ++units::entry(others, figures::operation_of(one.name), &OfOperation::name).benchmarks;
    }
  }
  if (!others.empty()) named.push_back("and " + more_text(others));
  found.push_back({"unusual-benchmarks",
                   fmt::format("{} of {} benchmarks {} unusual for an {}: {}.", judgement.benchmarks.size(),
                               judgement.judged.size(), judgement.benchmarks.size() == 1 ? "is" : "are", judgement.gpu,
                               fmt::join(named, "; ")),
                   (others.empty() ? "" : "cupel show FILE --flat marks each. ") + remedy(judgement)});
  return found;
}

// "memory 42.4 % slower (host)", by the clock of its times, unless the cause says so.
static std::string furthest_words(const Unusual& one, const std::string& cause) {
  const std::string words = figures::operation_of(one.name) + " " + change(one);
  return cause.empty() ? words + (one.on_the_host ? " (host)" : " (device)") : words;
}

std::string board_line(const Judgement& judgement) {
  if (judgement.model.empty() || judgement.judged.empty()) return "";
  if (!judgement.any()) return fmt::format("usual for an {}: as {}", judgement.gpu, boards(judgement.boards));
  std::vector<std::string> parts;
  const std::vector<Unusual>& families = judgement.families;  // the furthest first
  const Unusual& furthest = families.empty() ? judgement.benchmarks[0] : families[0];
  const std::string cause = likely_cause(judgement, furthest.on_the_host);
  parts.push_back(furthest_words(furthest, cause));
  if (families.size() > 1) {
    parts.push_back(units::counted(std::ssize(families) - 1, "more family", "more families"));
  } else if (families.size() == 1 && !judgement.benchmarks.empty()) {
    parts.push_back(units::counted(std::ssize(judgement.benchmarks), "benchmark"));
  } else if (!judgement.benchmarks.empty()) {
    if (const auto others = std::ssize(judgement.benchmarks) - 1; others > 0)
      parts.push_back(units::counted(others, "other"));
  }
  std::string text = units::joined(parts);
  units::append(text, cause, "; ");
  return text;
}

std::string usual_text(const Judgement& judgement) {
  if (judgement.any() || judgement.model.empty()) return "";
  if (judgement.judged.empty()) {
    // The count is that of all benchmarks of the file, of which those that are shown may have fewer.
    const std::string have = judgement.boards < kFewestBoards ? boards(judgement.boards) : "too few other boards";
    return fmt::format(
        "Whether this is usual for an {} is not known: bands of these benchmarks have {}, and need {} at least. "
        "cupel bands add takes more.",
        judgement.gpu, have, kFewestBoards);
  }
  const std::size_t count = judgement.judged.size();
  return fmt::format("{} usual for an {}: as on {}.",
                     count == 1 ? std::string("This benchmark is") : fmt::format("All of {} benchmarks are", count),
                     judgement.gpu, boards(judgement.boards));
}

}  // namespace cupel::bands
