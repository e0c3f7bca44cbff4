#include "cupel/runner/schedule.hpp"

#include <algorithm>

namespace cupel::runner {

Schedule::Schedule(const Plan& plan) {
  for (const PlannedFamily& family : plan.families) families_.push_back({family.need(), false});
}

void Schedule::learn(std::size_t family, const units::TimeNeed& seen) { families_[family] = {seen, true}; }

bool Schedule::knows_all() const { return std::ranges::all_of(families_, &Family::seen); }

int Schedule::more_processes(double left_s) const {
  double process_s = 0;
  for (const Family& family : families_) process_s += family.need.at(kLeastShare);
  constexpr double kMost = 1000;
  return process_s > 0 ? static_cast<int>(std::clamp(left_s / process_s, 0.0, kMost)) : 0;
}

double Schedule::share_s(std::size_t family, double left_s, const std::vector<double>& missing,
                         int more_processes) const {
  units::TimeNeed all;
  for (std::size_t f = 0; f < families_.size(); ++f) all += (missing[f] + more_processes) * families_[f].need;
  const double share = units::sampling_share(left_s, all);
  if (all.at(share) <= 0) return left_s;
  return left_s * missing[family] * families_[family].need.at(share) / all.at(share);
}

}  // namespace cupel::runner
