// What work enqueues on the streams of all ranks, as a graph for each.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <vector>

#include "bench/collective/ranks.hpp"

namespace cupel::bench::collective {

class RankGraphs {
 public:
  /// `work` runs once, captured on Ranks' stream of each rank; all of its kernels must have run before. Throws
  /// CudaError.
  explicit RankGraphs(const std::function<void()>& work);

  /// Each rank's on its stream.
  void launch() const;

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
  };
  std::vector<std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy>> graphs_;
};

}  // namespace cupel::bench::collective
