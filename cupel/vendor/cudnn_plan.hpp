// A graph of cuDNN's operations with the first plan that its heuristics propose and that can be built. Whoever
// describes a graph includes cudnn-frontend, whose headers take a minute to compile; whoever runs one does not.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "cupel/cuda/cuda.hpp"

namespace cudnn_frontend::graph {
class Graph;
}

namespace cupel::vendor {

using cuda::NotSupported;  // cuDNN has nothing for a graph: with what it said

/// Engines that a plan is not to use, by what cuDNN notes of them.
struct Refused {
  bool tensor_cores = false;     ///< as frameworks refuse them for fp32 without TF32
  bool rounded_operands = true;  ///< fp32 is rounded to a half format
  bool rounded_sums = true;      ///< partial sums are kept in less than the compute type
};

class CudnnPlan {
 public:
  /// Adds tensors, whose uids are those of execute(), and operations. Sums are kept in fp32.
  using Describe = std::function<void(cudnn_frontend::graph::Graph&)>;

  /// Throws NotSupported, Unavailable, CudnnError.
  explicit CudnnPlan(const Describe& describe, const Refused& refused = {});
  ~CudnnPlan();
  CudnnPlan(CudnnPlan&&) noexcept;
  CudnnPlan& operator=(CudnnPlan&&) noexcept;

  /// Engine and knobs, as cuDNN writes them.
  const std::string& engine() const;

  /// Bytes of device memory that execute() wants beside the tensors.
  std::int64_t workspace_bytes() const;

  /// Enqueues. tensors: device memory by uid, at multiples of 16 bytes; workspace: of workspace_bytes(), or null if
  /// that is 0. Throws std::runtime_error with cuDNN's words.
  void execute(std::unordered_map<std::int64_t, void*> tensors, void* workspace, cudaStream_t stream) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cupel::vendor
