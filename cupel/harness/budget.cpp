#include "cupel/harness/budget.hpp"

#include <algorithm>

namespace cupel::harness {

Budget::Budget(double budget_s, int rounds, const std::vector<units::TimeNeed>& expected) : budget_s_(budget_s) {
  for (const units::TimeNeed& round : expected) benchmarks_.push_back({round, false, rounds});
}

units::TimeNeed Budget::need_of(const Benchmark& benchmark) const {
  if (benchmark.seen) return benchmark.round;
  return {benchmark.round.least_s * seen_s_ / expected_s_, benchmark.round.sampling_s};
}

std::optional<double> Budget::share(std::size_t benchmark, double now_s) const {
  const double left_s = budget_s_ - now_s;
  if (need_of(benchmarks_[benchmark]).least_s > left_s) return std::nullopt;
  units::TimeNeed left;
  for (const Benchmark& one : benchmarks_) left += one.rounds_left * need_of(one);
  return units::sampling_share(left_s, left);
}

void Budget::took(std::size_t benchmark, double wall_s, double sampling_s, double share) {
  Benchmark& one = benchmarks_[benchmark];
  const double least_s = std::max(0.0, wall_s - sampling_s);
  if (!one.seen) {
    expected_s_ += one.round.least_s;
    seen_s_ += least_s;
  }
  one.seen = true;
  one.round.least_s = least_s;
  if (share > 0) one.round.sampling_s = sampling_s / share;
  --one.rounds_left;
}

}  // namespace cupel::harness
