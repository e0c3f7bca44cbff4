// One output element from the elements at the same place of up to three inputs, at the speed of the memory.
//
// A block takes one tile, a smaller one of a small array. Each thread loads all its packs of the tile, a block apart,
// before it uses the first: a warp's accesses are whole lines and a thread has several in flight. Arrays that do not
// start at 16 bytes have a head of single elements; arrays that start differently within 16 bytes have no common packs
// and go by single elements, a block apart too, so still by whole lines.
//
// An operation has `template <int N> at<N>(i)`, which makes what N elements in a row from the i-th on have in common
// (column, bias), and that has `operator()(k, x)`: the k-th of them from the inputs' x[0], x[1] ...; and a Tile.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/vector.cuh"

namespace cupel::kernels {

/// The part of the arrays that a block takes. wide: 1024 threads with 32 bytes each in flight: the memory is 1 to 3 %
/// faster where neighbouring accesses are so close in time (triad of 1 GiB on an H200: 4.38 TB/s instead of 4.34), but
/// two blocks fill an SM only while a thread makes do with 32 registers. narrow: 256 threads with 64 bytes each, for
/// operations that need more.
enum class Tile { wide, narrow };

/// An operation that only needs the values: `function(x)` of the inputs' elements.
template <class Function>
struct Everywhere {
  static constexpr Tile kTile = Tile::wide;
  Function function;
  template <int N>
  __device__ Everywhere at(std::int64_t) const {
    return *this;
  }
  template <int kInputs>
  __device__ float operator()(int, const float (&x)[kInputs]) const {
    return function(x);
  }
};

namespace elementwise_detail {

template <Tile tile>
inline constexpr int kBlock = tile == Tile::wide ? 1024 : 256;

template <class In, int kInputs>
struct Inputs {
  const In* at[kInputs];
};

// Packs of a thread: loads of 16 bytes in flight over all inputs, or of three inputs as many as two have.
template <Tile tile, int kInputs>
inline constexpr int kPacks = (kInputs == 1 ? 2 : 1) * (tile == Tile::wide ? 1 : 2);

template <int N, class Operation, class In, class Out, int kInputs>
__device__ void one_pack(const Operation& operation, std::int64_t first, const PackWords<In, N> (&words)[kInputs],
                         Out* out) {
  Pack<In, N> in[kInputs];
#pragma unroll
  for (int j = 0; j < kInputs; ++j) in[j] = words[j].unpacked();
  const auto element = operation.template at<N>(first);
  Pack<Out, N> result;
#pragma unroll
  for (int e = 0; e < N; ++e) {
    float x[kInputs];
#pragma unroll
    for (int j = 0; j < kInputs; ++j) x[j] = to_float(in[j].values[e]);
    result.values[e] = from_float<Out>(element(e, x));
  }
  store_pack<N>(out + first, result);
}

template <int N, class Operation, class In, class Out, int kInputs>
__global__ void __launch_bounds__(kBlock<Operation::kTile>)
    kernel(std::int64_t head, std::int64_t packs, std::int64_t count, Operation operation, Inputs<In, kInputs> in,
           Out* out) {
  constexpr int kEach = kPacks<Operation::kTile, kInputs>;
  const auto threads = static_cast<int>(blockDim.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * (threads * kEach) + threadIdx.x;
  PackWords<In, N> x[kEach][kInputs];
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::int64_t pack = first + k * threads;
    if (pack < packs) {
#pragma unroll
      for (int j = 0; j < kInputs; ++j) x[k][j] = PackWords<In, N>(in.at[j] + head + pack * N);
    }
  }
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::int64_t pack = first + k * threads;
    if (pack < packs) one_pack<N>(operation, head + pack * N, x[k], out);
  }

  // The elements before the first pack and behind the last: fewer than two packs.
  if (N > 1 && blockIdx.x == 0 && threadIdx.x < count - packs * N) {
    const std::int64_t i = threadIdx.x < head ? threadIdx.x : packs * N + threadIdx.x;
    PackWords<In, 1> single[kInputs];
#pragma unroll
    for (int j = 0; j < kInputs; ++j) single[j] = PackWords<In, 1>(in.at[j] + i);
    one_pack<1>(operation, i, single, out);
  }
}

// Threads of a block: `most`, or fewer where so large blocks would leave multiprocessors without one. A copy of 1 MiB
// from L2 on an H200: 2.65 us by 32 blocks of 1024, 2.14 by 256 of 128.
inline int threads_for(std::int64_t packs, int most, int packs_each) {
  constexpr int kLeast = 128;
  const std::int64_t of_each = (packs + multiprocessors() - 1) / multiprocessors();
  int threads = most;
  while (threads > kLeast && of_each < std::int64_t{threads} * packs_each) threads /= 2;
  return threads;
}

template <int N, class Operation, class In, class Out, int kInputs>
void launch(std::int64_t head, std::int64_t packs, std::int64_t count, const Operation& operation,
            const Inputs<In, kInputs>& in, Out* out, cudaStream_t stream) {
  constexpr Tile tile = Operation::kTile;
  constexpr int kEach = kPacks<tile, kInputs>;
  const int threads = threads_for(packs, kBlock<tile>, kEach);
  const std::int64_t of_block = std::int64_t{threads} * kEach;
  const auto blocks = static_cast<unsigned>(std::max<std::int64_t>(1, (packs + of_block - 1) / of_block));
  kernel<N><<<blocks, threads, 0, stream>>>(head, packs, count, operation, in, out);
  cuda::check(cudaGetLastError());
}

// Elements before the place from which on all arrays lie at 16 bytes; N where there is no such place.
template <int N, class In, class Out, int kInputs>
int head_of(const Inputs<In, kInputs>& in, const Out* out) {
  for (int head = 0; head < N; ++head) {
    bool aligned = is_vector_aligned(out + head);
    for (int j = 0; j < kInputs; ++j) aligned = aligned && is_vector_aligned(in.at[j] + head);
    if (aligned) return head;
  }
  return N;
}

}  // namespace elementwise_detail

/// out[i] = operation at i of in[0][i], in[1][i] ... Any count and alignment; out may be one of the inputs.
template <class Operation, class In, class Out, int kInputs>
void launch_elementwise(const Operation& operation, const In* const (&in)[kInputs], Out* out, std::int64_t count,
                        cudaStream_t stream) {
  using namespace elementwise_detail;
  if (count == 0) return;
  constexpr int N = kVectorBytes / static_cast<int>(std::min(sizeof(In), sizeof(Out)));
  Inputs<In, kInputs> inputs;
  std::copy(std::begin(in), std::end(in), inputs.at);
  const int head = head_of<N>(inputs, out);
  if (head < N && count >= head) {
    launch<N>(head, (count - head) / N, count, operation, inputs, out, stream);
  } else {
    launch<1>(0, count, count, operation, inputs, out, stream);
  }
}

}  // namespace cupel::kernels
