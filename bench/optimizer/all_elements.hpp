// Every element that a step made, held on the device against the same step in double. Compiled by nvcc; callers need
// not be.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/optimizer/steps.hpp"

namespace cupel::bench::optimizer {

/// Element i of an array was kernels::uniform_at(i, seed, low, high).
struct Start {
  std::uint64_t seed;
  float low, high;
};

/// One step: of Adam where `adam` is not null, else of SGD.
struct CheckedStep {
  Start parameter, gradient, m, v;
  const kernels::optimizer::Adam* adam = nullptr;
  std::int64_t adam_step = 1;
  const kernels::optimizer::Sgd* sgd = nullptr;
  double inverse_scale = 1;  ///< of gradients
  double allowed = 0;        ///< that an element may be off by
};

/// Arrays in device memory, of which the elements [first, first + count) are looked at. v: null for SGD.
struct Stepped {
  const float* parameter;
  const float* m;
  const float* v;
  std::int64_t first, count;
};

/// Elements that are off, added to found[0], and the least place of one, in found[1], in device memory. Enqueues.
/// Throws CudaError.
void find_wrong(const CheckedStep& step, const Stepped& arrays, unsigned long long* found, cudaStream_t stream);

}  // namespace cupel::bench::optimizer
