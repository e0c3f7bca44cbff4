// Graphs of the work that is enqueued on the streams of all ranks, one for each.
#pragma once

#include <functional>
#include <vector>

#include "bench/collective/ranks.hpp"
#include "cupel/cuda/graph.hpp"

namespace cupel::bench::collective {

class RankGraphs {
 public:
  /// `work` runs once, captured on Ranks' stream of each rank; all of its kernels must have run before. Throws
  /// CudaError.
  explicit RankGraphs(const std::function<void()>& work);

  /// Each rank's on its stream.
  void launch() const;

 private:
  std::vector<cuda::GraphExec> graphs_;
};

}  // namespace cupel::bench::collective
