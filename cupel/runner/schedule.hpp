// Shares a budget of time out to the processes of a run, and learns from each what the next one of its family takes.
#pragma once

#include <cstddef>
#include <vector>

#include "cupel/runner/plan.hpp"

namespace cupel::runner {

/// Families go by their place in the plan.
class Schedule {
 public:
  explicit Schedule(const Plan& plan);

  /// A process of all of the family's benchmarks needs that much.
  void learn(std::size_t family, const units::TimeNeed& seen);

  /// Every family has been seen.
  bool knows_all() const;

  /// How many more processes of every family end in that time, with no less of their sampling than kLeastShare.
  int more_processes(double left_s) const;

  /// The seconds that a process of the family gets of the time that is left. missing: of each family's benchmarks, the
  /// share that the current process of it has yet to measure. more_processes: of every family, that are to follow.
  double share_s(std::size_t family, double left_s, const std::vector<double>& missing, int more_processes) const;

 private:
  struct Family {
    units::TimeNeed need;
    bool seen = false;
  };
  std::vector<Family> families_;
};

}  // namespace cupel::runner
