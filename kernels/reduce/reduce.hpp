// One number from an array. The ladder: `two_pass` writes a partial result for each block and adds those up in a second
// kernel; `single_pass` lets the block that finishes last do it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/reduce/functors.hpp"

namespace cupel::kernels::reduce {

enum class Passes { two, one };

/// The memory that a reduction needs beside its arrays: partial results and a count of the blocks that have finished.
/// For one reduction at a time; reductions on one stream follow each other. Made once: the constructor allocates and
/// waits.
class Workspace {
 public:
  Workspace();
  float* partial() { return partial_.data(); }
  unsigned* finished() { return finished_.data(); }

 private:
  cuda::DeviceBuffer<float> partial_;
  cuda::DeviceBuffer<unsigned> finished_;
};

/// *out = the reduction of in[0 .. count), as a float; of no elements 0.
///
/// in: device memory, `count` elements of `type` at any multiple of an element's size; out: device memory.
/// Sums in fp32, in an order that depends on count and device only: a result is the same in every run, and in both
/// ways. error_bound() bounds its distance from the exact one. Enqueues on `stream`; neither allocates nor
/// synchronises. Throws std::invalid_argument that names a bad argument, CudaError if the launch is refused.
void reduce(Reduction reduction, Passes passes, DType type, const void* in, std::int64_t count, Workspace& workspace,
            float* out, cudaStream_t stream);

}  // namespace cupel::kernels::reduce
