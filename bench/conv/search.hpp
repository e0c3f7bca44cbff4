// All that cuDNN has for a problem, measured.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/conv/data.hpp"
#include "bench/conv/graph.hpp"

namespace cupel::bench::conv {

/// A plan that runs. found: of its result; of none (checked is 0) where it takes a tenth of a second and more.
struct TimedPlan {
  Candidate candidate;
  std::int64_t workspace_bytes = 0;
  double time_s = 0;
  Finding found;

  /// Found right, and not to round partial sums to the result's format.
  bool eligible() const { return found.errors.checked > 0 && found.passed() && !found.rounds_parts; }
};

struct Search {
  Graph graph;
  std::vector<TimedPlan> plans;  ///< in the order of the heuristics' lists, then engines that none of them named, as
                                 ///< many as there is time for
  std::int64_t proposed = 0;     ///< of plans: the heuristics', which come first
  std::vector<std::string> not_run;  ///< engines that cannot do the problem, that want more memory than there is, or
                                     ///< that were made and do not run, with the reason
  std::int64_t not_tried = 0;        ///< engines that no heuristic named and that there was no time for
  std::vector<std::string> wrong;    ///< engines with a wrong result: in `plans`, never chosen
  double cost_s = 0;                 ///< wall time to build and time what the heuristics proposed

  /// Behind a reason why none was found: "; 7 engines were not tried for want of time", or nothing.
  std::string untried() const;

  /// The fastest eligible one that `accepts`; null if there is none.
  template <class Accepts>
  const TimedPlan* fastest(const Accepts& accepts) const {
    const TimedPlan* best = nullptr;
    for (const TimedPlan& plan : plans) {
      if (!plan.eligible() || !accepts(plan)) continue;
      if (best == nullptr || plan.time_s < best->time_s) best = &plan;
    }
    return best;
  }
};

/// Made once a process. Leaves the operands of Data in memory and no result. Throws NotSupported, Skip, OutOfMemory,
/// CudaError.
const Search& search(const Problem& problem);

/// A heuristic's first plan: what a program gets that does not measure.
struct Plan {
  Graph graph;
  Candidate candidate;
};

/// Made once a process. Throws as build_first().
const Plan& first_plan(const Problem& problem, Heuristic heuristic, Engines engines = Engines::all);

/// The plan that a framework's switch gives (torch.backends.cudnn.benchmark): of the first ten plans that can be made
/// of what mode A and the fallback propose, and whose workspace there is room for, the one that was fastest when each
/// ran once.
struct Autotuned {
  Plan plan;
  double cost_s = 0;  ///< wall time of asking, making plans and timing them
  double gain_s = 0;  ///< by which it was faster than the first of them, which is the heuristic's
};

/// Throws NotSupported. The second form: made once a process, with data of its own.
Autotuned autotune(const Data& data);
const Autotuned& autotune(const Problem& problem);

}  // namespace cupel::bench::conv
