// Element by element where each column has values of its own: a thread stays in its columns, keeps their values in
// registers, and goes through some rows. Fetched for each element anew they would be more accesses than the elements.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/vector.cuh"
#include "kernels/norm/column_sums.cuh"

namespace cupel::kernels::norm {

/// Rows of which a thread has elements in flight, of all inputs 64 bytes or more.
template <int kInputs>
inline constexpr int kRowsAtOnce = kInputs == 1 ? 4 : 2;

template <class T, int kInputs>
struct RowArrays {
  const T* in[kInputs];
  T* out;
};

/// Operation: `keep<kPack>(c)` is what it wants of kPack columns from c on, and `operator()(kept, j, x)` an element of
/// the j-th of them from the inputs' x[0], x[1] ... Lanes and groups are those of strip_kernel(), `across` how many
/// blocks it takes to have all columns. A group takes its rows `turns` times.
template <int kPack, int kInputs, class Operation, class T>
__global__ void __launch_bounds__(kColumnBlock)
    over_columns_kernel(Operation operation, RowArrays<T, kInputs> arrays, int lanes, unsigned across, int turns,
                        Shape shape) {
  constexpr int kRows = kRowsAtOnce<kInputs>;
  const auto thread = static_cast<int>(threadIdx.x);
  const int group = thread / lanes, groups = kColumnBlock / lanes;
  const std::int64_t c = (std::int64_t{blockIdx.x % across} * lanes + thread % lanes) * kPack;
  if (c >= shape.columns) return;
  const auto kept = operation.template keep<kPack>(c);
  const std::int64_t each = std::int64_t{groups} * kRows;
  std::int64_t r = blockIdx.x / across * each * turns + group;
  for (int turn = 0; turn < turns; ++turn, r += each) {
    PackWords<T, kPack> words[kRows][kInputs];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t row = r + std::int64_t{k} * groups;
      if (row >= shape.rows) continue;
#pragma unroll
      for (int i = 0; i < kInputs; ++i) words[k][i] = PackWords<T, kPack>(arrays.in[i] + row * shape.columns + c);
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t row = r + std::int64_t{k} * groups;
      if (row >= shape.rows) continue;
      Pack<T, kPack> in[kInputs], out;
#pragma unroll
      for (int i = 0; i < kInputs; ++i) in[i] = words[k][i].unpacked();
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        float x[kInputs];
#pragma unroll
        for (int i = 0; i < kInputs; ++i) x[i] = to_float(in[i].values[j]);
        out.values[j] = from_float<T>(operation(kept, j, x));
      }
      store_pack<kPack>(arrays.out + row * shape.columns + c, out);
    }
  }
}

/// out = operation of the inputs, device memory of the shape: rows x columns. out may be one of the inputs. Any
/// alignment. Throws CudaError.
template <class Operation, class T, int kInputs>
void launch_over_columns(const Operation& operation, const T* const (&in)[kInputs], T* out, const Shape& shape,
                         cudaStream_t stream) {
  constexpr std::int64_t kEnoughBlocks = 2048, kMostTurns = 8;
  RowArrays<T, kInputs> arrays;
  std::copy(std::begin(in), std::end(in), arrays.in);
  arrays.out = out;
  const auto launch = [&](auto pack) {
    constexpr int kPack = decltype(pack)::value;
    const std::int64_t packs = (shape.columns + kPack - 1) / kPack;
    const int lanes = lanes_of(packs);
    const std::int64_t across = (packs + lanes - 1) / lanes, each = kRowsAtOnce<kInputs> * (kColumnBlock / lanes);
    const std::int64_t steps = (shape.rows + each - 1) / each;
    const std::int64_t turns = std::clamp<std::int64_t>(steps * across / kEnoughBlocks, 1, kMostTurns);
    const auto blocks = static_cast<unsigned>((steps + turns - 1) / turns * across);
    over_columns_kernel<kPack><<<blocks, kColumnBlock, 0, stream>>>(
        operation, arrays, lanes, static_cast<unsigned>(across), static_cast<int>(turns), shape);
  };
  bool vectors = shape.columns % kVector<T> == 0 && is_vector_aligned(out);
  for (const T* array : in) vectors = vectors && is_vector_aligned(array);
  if (vectors) {
    launch(std::integral_constant<int, kVector<T>>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::norm
