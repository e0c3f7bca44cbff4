// How many benchmarks of a fleet could be judged, and what kept the others from it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "cupel/figures/benchmark.hpp"

namespace cupel::fleet {

/// The reason that keeps most of a fleet's machines from a usable time of a benchmark.
enum class Unjudged { busy, disturbed, failed, twice, cut_short, unlike, skipped, few };

constexpr auto names_of(Unjudged) {
  return std::array{"busy", "disturbed", "failed", "name_twice", "cut_short", "timed_unlike", "skipped", "on_too_few"};
}
using record::to_string;

/// Counts the benchmarks of a fleet.
struct Judged {
  int benchmarks = 0;  ///< that a machine has rows of
  int judged = 0;      ///< with a usable time on enough machines
  std::map<Unjudged, int> not_judged;

  int not_judged_for(Unjudged why) const;

  /// True where no benchmark was run by enough machines, as where each file has other benchmarks.
  bool shares_nothing() const { return benchmarks > 0 && not_judged_for(Unjudged::few) == benchmarks; }

  /// False where fewer than half of the benchmarks that enough machines ran could be judged: finding no outlier among
  /// so few is no clean bill.
  bool is_enough() const;
};

/// Says why a benchmark has a usable time, which is in this mode, on too few of these machines. Without a mode no
/// machine has any time.
Unjudged why_not(const figures::Matched& matched, const std::vector<std::size_t>& machines,
                 std::optional<record::Mode> mode);

}  // namespace cupel::fleet
