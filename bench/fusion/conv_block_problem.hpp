// Inputs, ways to compute, workload and check of one convolution with what stands behind it: fp16, NHWC.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/fusion/conv_block_check.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/record/workload.hpp"
#include "kernels/dot/convolution.hpp"

namespace cupel::bench::fusion {

/// The operations behind the convolution: a bias and ReLU, or a batch norm as inference has it and ReLU.
enum class Block { bias_relu, norm_relu };

/// unfused: a kernel an operation. folded: the filter is scaled beforehand, so that of the norm a shift is left, which
/// one kernel adds with the ReLU. folded_fused: the shift is a bias in fp16, and it and the ReLU are in cuDNN's graph.
/// fused: all in cuDNN's graph. A block with a bias has nothing to fold.
enum class ConvWay { unfused, folded, folded_fused, fused };

/// The memory is the family's (arrays.hpp): one problem at a time.
class ConvBlockProblem {
 public:
  /// Random inputs and a poisoned result. Throws OutOfMemory, CudaError.
  ConvBlockProblem(Block block, ConvWay way, const kernels::dot::Convolution& shape);

  /// Enqueues the block. What cuDNN plans is made once a process, block, way and shape, by its heuristics' first choice
  /// that can be built. The function must not outlive the problem. Throws NotSupported, Unavailable, CudnnError.
  std::function<void(cudaStream_t)> work();

  /// Kernels of work(), a plan counted as one.
  int launches() const;

  /// Engine and workspace of the plan that work() has made.
  const std::string& engine() const { return engine_; }
  std::int64_t workspace_bytes() const { return workspace_bytes_; }

  /// The convolution's: each operand read once, the result written once.
  record::Workload workload() const;
  void set_roof_limit() const;

  /// Computes the result again: some pixels on the host, all on the device. Throws CheckFailed.
  void require_right() const;

 private:
  void make_vectors();
  void make_bias();
  void make_folded_filter();
  void require_all_pixels() const;
  void require_pixel(std::int64_t image, std::int64_t y, std::int64_t x) const;

  Block block_;
  ConvWay way_;
  kernels::dot::Convolution shape_;
  std::int64_t pixels_;
  Folded folded_;
  std::vector<double> filter_;  // that is convolved with, where it is folded
  std::string engine_;
  std::int64_t workspace_bytes_ = 0;
};

/// For Definition::memory().
harness::Memory memory_of(const kernels::dot::Convolution& shape, ConvWay way);

}  // namespace cupel::bench::fusion
