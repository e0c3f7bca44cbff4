// Gradients that are cast to bf16 before they are reduced, and back after.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/buckets.hpp"
#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::collective {

class Compressed {
 public:
  /// memory: of fp32, which outlives it; count: of its elements.
  Compressed(const Arrays& memory, std::int64_t count);

  /// Enqueues the casts and the all-reduce of one bucket on all ranks.
  void reduce(const Bucket& bucket);

  /// Throws CheckFailed unless every rank has all sums, within the roundings of bf16. Waits.
  void require_reduced(const kernels::collective::Values& values) const;

 private:
  const Arrays& memory_;
  std::int64_t count_;
  std::vector<cuda::DeviceBuffer<__nv_bfloat16>> halves_;
};

}  // namespace cupel::bench::collective
