// Sums whose terms are scattered: each in two ways. Atomics add in whatever order threads come by, so that fp32 sums
// differ in their last bits from run to run; the other way adds in an order that is always the same.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/scatter/bilinear.hpp"

namespace cupel::kernels::scatter {

// All enqueue on `stream` and neither allocate nor synchronise. Arrays are device memory; they must not overlap. They
// throw std::invalid_argument that names a bad argument, and CudaError if a launch is refused.

/// The rows that are added and where: out[index[i]] += source[i] for i in 0 .. count, each a row of `columns`. out has
/// `rows` rows; an index out of 0 .. rows is undefined behaviour. With one column it is a framework's scatter_add, with
/// more its index_add and the gradient of an embedding.
struct Rows {
  std::int64_t count = 0, columns = 1, rows = 0;
};

/// Device memory to sort `count` indices in. The constructor allocates and waits.
class SortWorkspace {
 public:
  explicit SortWorkspace(std::int64_t count);

  std::int64_t count() const { return count_; }
  std::int64_t* sorted() { return sorted_.data(); }
  const std::int64_t* positions() const { return positions_.data(); }
  std::int64_t* sorted_positions() { return sorted_positions_.data(); }
  void* temporary() { return temporary_.data(); }
  std::size_t temporary_bytes() const { return temporary_.size_bytes(); }

 private:
  std::int64_t count_;
  cuda::DeviceBuffer<std::int64_t> sorted_, positions_, sorted_positions_;
  cuda::DeviceBuffer<unsigned char> temporary_;
};

/// An atomic addition for each element, as frameworks do by default.
void add_rows_by_atomics(const Rows& sizes, const float* source, const std::int64_t* index, float* out,
                         cudaStream_t stream);

/// Sorts the indices, then adds each row's terms in the order in which they come in `source`, as frameworks do where
/// they are asked for determinism. workspace: for at least `count` indices, used until the work is done.
void add_rows_by_sorting(const Rows& sizes, const float* source, const std::int64_t* index, SortWorkspace& workspace,
                         float* out, cudaStream_t stream);

/// The gradient of bilinear upsampling: d_in += d_out, each element of which goes to four. As frameworks do by default.
void upsample_backward_by_atomics(const Upsampling& sizes, const float* d_out, float* d_in, cudaStream_t stream);

/// d_in = the same sums, by a thread for each that gathers its up to sixteen terms.
void upsample_backward_by_gathering(const Upsampling& sizes, const float* d_out, float* d_in, cudaStream_t stream);

}  // namespace cupel::kernels::scatter
