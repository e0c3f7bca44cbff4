// bias_gradient() reads each element once: a thread takes one pack of columns and every 8th row of its strip, so that a
// warp's loads lie side by side and each thread has several in flight; a block's rows meet in shared memory, the strips
// in a second kernel.
#include "kernels/common/argument.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/pointwise/gradient_functors.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/operations.cuh"

namespace cupel::kernels::pointwise {
namespace {

constexpr int kPacksOfBlock = 32;  // side by side: a warp
constexpr int kRowsOfBlock = 8;
constexpr int kJoinBlock = 256;

template <int N, class T>
__global__ void __launch_bounds__(kPacksOfBlock* kRowsOfBlock)
    strip_sums_kernel(const T* d_out, float* partial, std::int64_t rows, std::int64_t columns) {
  __shared__ float shared[kRowsOfBlock][kPacksOfBlock * N];
  const std::int64_t column = (std::int64_t{blockIdx.x} * kPacksOfBlock + threadIdx.x) * N;
  const std::int64_t each = (rows + kBiasStrips - 1) / kBiasStrips;
  const std::int64_t begin = each * blockIdx.y;
  const std::int64_t end = begin + each < rows ? begin + each : rows;

  float sums[N] = {};
  if (column < columns) {
#pragma unroll 4
    for (std::int64_t r = begin + threadIdx.y; r < end; r += kRowsOfBlock) {
      const Pack<T, N> pack = load_pack<N>(d_out + r * columns + column);
#pragma unroll
      for (int k = 0; k < N; ++k) sums[k] += to_float(pack.values[k]);
    }
  }
#pragma unroll
  for (int k = 0; k < N; ++k) shared[threadIdx.y][threadIdx.x * N + k] = sums[k];
  __syncthreads();

  // Each thread adds up some of the block's columns.
  const std::int64_t first = std::int64_t{blockIdx.x} * (kPacksOfBlock * N);
  for (int c = threadIdx.y * kPacksOfBlock + threadIdx.x; c < kPacksOfBlock * N && first + c < columns;
       c += kPacksOfBlock * kRowsOfBlock) {
    float sum = 0;
#pragma unroll
    for (int r = 0; r < kRowsOfBlock; ++r) sum += shared[r][c];
    partial[blockIdx.y * columns + first + c] = sum;
  }
}

template <class T>
__global__ void __launch_bounds__(kJoinBlock)
    join_strips_kernel(const float* partial, T* d_bias, std::int64_t columns) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kJoinBlock + threadIdx.x;
  if (c >= columns) return;
  float sum = 0;
#pragma unroll 16
  for (int strip = 0; strip < kBiasStrips; ++strip) sum += partial[strip * columns + c];
  d_bias[c] = from_float<T>(sum);
}

template <int N, class T>
void launch_strips(const T* d_out, float* partial, std::int64_t rows, std::int64_t columns, cudaStream_t stream) {
  constexpr std::int64_t kColumnsOfBlock = kPacksOfBlock * N;
  const dim3 blocks(static_cast<unsigned>((columns + kColumnsOfBlock - 1) / kColumnsOfBlock), kBiasStrips);
  strip_sums_kernel<N><<<blocks, dim3(kPacksOfBlock, kRowsOfBlock), 0, stream>>>(d_out, partial, rows, columns);
  cuda::check(cudaGetLastError());
}

}  // namespace

void activation_gradient(DType type, Activation activation, const void* in, const void* d_out, void* d_in,
                         std::int64_t count, cudaStream_t stream) {
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), "activation_gradient");
  with_activation_gradient(activation, [&](auto function) {
    using Function = decltype(function);
    with_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      launch_elementwise(Everywhere<Binary<Function>>{{function}},
                         {static_cast<const T*>(in), static_cast<const T*>(d_out)}, static_cast<T*>(d_in), count,
                         stream);
    });
  });
}

void bias_gradient(DType type, const void* d_out, void* d_bias, float* partial, std::int64_t rows, std::int64_t columns,
                   cudaStream_t stream) {
  const std::int64_t count = require_rows("bias_gradient", rows, columns);
  require_array(d_out, count, size_of(type), "bias_gradient", "d_out");
  require_array(d_bias, columns, size_of(type), "bias_gradient", "d_bias");
  require_array(partial, columns, sizeof(float), "bias_gradient", "partial");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto* in = static_cast<const T*>(d_out);
    if (is_vector_aligned(in) && columns % kVector<T> == 0) {
      launch_strips<kVector<T>>(in, partial, rows, columns, stream);
    } else {
      launch_strips<1>(in, partial, rows, columns, stream);
    }
    const auto blocks = static_cast<unsigned>((columns + kJoinBlock - 1) / kJoinBlock);
    join_strips_kernel<<<blocks, kJoinBlock, 0, stream>>>(partial, static_cast<T*>(d_bias), columns);
    cuda::check(cudaGetLastError());
  });
}

}  // namespace cupel::kernels::pointwise
