// The time that a process is given, shared out to the rounds of its benchmarks.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cupel/units/time_need.hpp"

namespace cupel::harness {

/// Shares out the time. Benchmarks go by their place in the list that the budget was made of. All times count from the
/// start of the process.
///
/// A round is expected to take as long as the benchmark's last; the first as expected, scaled by how the first rounds
/// so far compared.
class Budget {
 public:
  /// Makes a budget of seconds. expected: of one round of each benchmark.
  Budget(double budget_s, int rounds, const std::vector<units::TimeNeed>& expected);

  /// Returns the share of its sampling that the next round of a benchmark may take so that all that is left ends in
  /// time: 0 is the fewest samples. Nothing where not even that would end in time.
  std::optional<double> share(std::size_t benchmark, double now_s) const;

  /// Records a finished round. sampling_s: the part of wall_s beyond the fewest samples; share: what share() gave.
  void took(std::size_t benchmark, double wall_s, double sampling_s, double share);

  /// Records that the benchmark has no more rounds.
  void done(std::size_t benchmark) { benchmarks_[benchmark].rounds_left = 0; }

 private:
  struct Benchmark {
    units::TimeNeed round;
    bool seen = false;
    int rounds_left = 0;
  };

  units::TimeNeed need_of(const Benchmark&) const;

  double budget_s_;
  std::vector<Benchmark> benchmarks_;
  double expected_s_ = 1;  // of the first rounds that were done, and what they took: as if a second of them had been
  double seen_s_ = 1;      // as expected, so that the first few do not stand for all
};

}  // namespace cupel::harness
