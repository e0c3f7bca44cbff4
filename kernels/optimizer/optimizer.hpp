// A step of an optimizer over many tensors. The ladder:
//   loop     a kernel for each operation and each tensor: what a plain loop over tensors does
//   foreach  a kernel for each operation, over all tensors: few launches, all the memory traffic
//   fused    one kernel: each array is read and written once
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/optimizer/steps.hpp"

namespace cupel::kernels::optimizer {

enum class Way { loop, foreach, fused };

/// "loop", "foreach", "fused".
const char* to_string(Way way);

/// One tensor's arrays in device memory, `count` elements each at any multiple of an element's size. All are fp32 but
/// the gradient and the copy, which are of the list's type.
struct Tensor {
  float* parameter = nullptr;
  void* gradient = nullptr;
  float* m = nullptr;        ///< SGD: the velocity
  float* v = nullptr;        ///< null for SGD
  float* scratch = nullptr;  ///< Adam by loop or foreach: overwritten; else may be null
  void* copy = nullptr;      ///< the parameter in 16 bits, written by a fused step; may be null
  std::int64_t count = 0;
};

/// Tensors of one gradient type, and a table in device memory of the chunks they are worked on in, so that one launch
/// serves them all. Made once: the constructor allocates and waits. Throws std::invalid_argument that names a bad
/// tensor.
class TensorList {
 public:
  TensorList(DType gradient_type, std::vector<Tensor> tensors);

  DType type() const { return type_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::int64_t count() const { return count_; }  ///< elements of all tensors

  /// A chunk: part of one tensor, the work of one block.
  struct Chunk {
    int tensor;
    int index;  ///< of the chunk in its tensor
  };
  const Tensor* device_tensors() const { return device_tensors_.data(); }
  const Chunk* device_chunks() const { return device_chunks_.data(); }
  std::int64_t chunks() const { return chunks_; }

 private:
  DType type_;
  std::vector<Tensor> tensors_;
  std::int64_t count_ = 0;
  std::int64_t chunks_ = 0;
  cuda::DeviceBuffer<Tensor> device_tensors_;
  cuda::DeviceBuffer<Chunk> device_chunks_;
};

/// The numbers that mixed precision adds to a step. Both in device memory, and either may be null.
struct LossScale {
  const float* inverse = nullptr;    ///< times each gradient as it is read (fused only); the gradient stays as it is
  const float* found_inf = nullptr;  ///< the step does nothing unless this is 0
};

// All enqueue on `stream` and neither allocate nor synchronise. Computed in fp32. They throw std::invalid_argument that
// names a bad argument, and CudaError if a launch is refused.

/// One step of Adam or AdamW; `step` counts from 1. Loop and foreach take no loss scale; where there is a weight decay
/// that is not decoupled, they change the gradient, too.
void step(Way way, const Adam& adam, std::int64_t step, const TensorList& tensors, const LossScale& scale,
          cudaStream_t stream);

/// How many steps Adam has made, in device memory, with what follows from it: a captured step counts on each time it is
/// replayed. All bytes zero: none.
struct AdamCount {
  std::int64_t steps;
  AdamConstants constants;
};

/// The step after the count's, which counts it, by one more kernel ahead. A step that `scale` has skipped is not
/// counted. count: one in device memory.
void counted_step(Way way, const Adam& adam, AdamCount* count, const TensorList& tensors, const LossScale& scale,
                  cudaStream_t stream);

/// One step of SGD with momentum.
void step(Way way, const Sgd& sgd, const TensorList& tensors, const LossScale& scale, cudaStream_t stream);

/// Multiplies every gradient by *inverse_scale and sets *found_inf to 1 if one of them is infinite or NaN then; leaves
/// it alone if none is. Both in device memory.
void unscale(const TensorList& tensors, const float* inverse_scale, float* found_inf, cudaStream_t stream);

}  // namespace cupel::kernels::optimizer
