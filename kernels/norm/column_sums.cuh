// Sums over the rows of each column in two kernels: strips of rows, then the strips. A block takes 256 columns, a
// thread one of them, so that a warp's loads lie side by side; strips make enough blocks of few columns. The order is
// fixed: results are the same in every run.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/norm/norm.hpp"

namespace cupel::kernels::norm {

inline constexpr int kColumnBlock = 256;

/// Blocks in which each column has a thread.
inline unsigned column_blocks(std::int64_t columns) {
  return static_cast<unsigned>((columns + kColumnBlock - 1) / kColumnBlock);
}

/// Rows [begin, end) of a strip.
struct Strip {
  std::int64_t begin, end;
};

__device__ inline Strip strip_of(std::int64_t rows, int strip, int strips) {
  const std::int64_t each = (rows + strips - 1) / strips;
  const std::int64_t begin = each * strip;
  return {begin < rows ? begin : rows, begin + each < rows ? begin + each : rows};
}

/// d_out and d_out * normalised input of each column; `mean` may be null (0). kByColumn: mean and inverse deviation
/// belong to columns (batch norm), else to rows. kRelu: d_out is 0 where `out` is not positive; else `out` is not read.
/// partial: 2 x strips x columns.
template <bool kByColumn, bool kRelu, class T>
__global__ void __launch_bounds__(kColumnBlock)
    strip_sums_kernel(const T* in, const T* out, const T* d_out, const float* mean, const float* inverse_deviation,
                      float* partial, Shape shape) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kColumnBlock + threadIdx.x;
  if (c >= shape.columns) return;
  const Strip strip = strip_of(shape.rows, static_cast<int>(blockIdx.y), static_cast<int>(gridDim.y));
  float sum = 0, sum_normal = 0;
#pragma unroll 8
  for (std::int64_t r = strip.begin; r < strip.end; ++r) {
    const std::int64_t which = kByColumn ? c : r;
    const float center = mean == nullptr ? 0.0f : mean[which];
    float d = to_float(d_out[r * shape.columns + c]);
    if constexpr (kRelu) d = to_float(out[r * shape.columns + c]) > 0 ? d : 0.0f;
    sum += d;
    sum_normal += d * (to_float(in[r * shape.columns + c]) - center) * inverse_deviation[which];
  }
  const std::int64_t place = blockIdx.y * shape.columns + c;
  partial[place] = sum;
  partial[gridDim.y * shape.columns + place] = sum_normal;
}

/// d_beta may be null.
static __global__ void __launch_bounds__(kColumnBlock)
    join_sums_kernel(const float* partial, int strips, float* d_gamma, float* d_beta, std::int64_t columns) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kColumnBlock + threadIdx.x;
  if (c >= columns) return;
  float sum = 0, sum_normal = 0;
#pragma unroll 8
  for (int strip = 0; strip < strips; ++strip) {
    sum += partial[strip * columns + c];
    sum_normal += partial[(strips + strip) * columns + c];
  }
  d_gamma[c] = sum_normal;
  if (d_beta != nullptr) d_beta[c] = sum;
}

/// Both kernels. partial: 2 x strips x columns floats.
template <bool kByColumn, bool kRelu, class T>
void launch_column_sums(const T* in, const T* out, const T* d_out, const float* mean, const float* inverse_deviation,
                        float* d_gamma, float* d_beta, float* partial, int strips, const Shape& shape,
                        cudaStream_t stream) {
  const unsigned blocks = column_blocks(shape.columns);
  strip_sums_kernel<kByColumn, kRelu><<<dim3(blocks, static_cast<unsigned>(strips)), kColumnBlock, 0, stream>>>(
      in, out, d_out, mean, inverse_deviation, partial, shape);
  cuda::check(cudaGetLastError());
  join_sums_kernel<<<blocks, kColumnBlock, 0, stream>>>(partial, strips, d_gamma, d_beta, shape.columns);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::norm
