#include "kernels/reduce/reduce.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/common/argument.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/vector.cuh"

namespace cupel::kernels::reduce {
namespace {

constexpr int kBlock = 512;
constexpr int kBlocksPerSm = 4;    // 2048 threads an SM, of data centres' devices
constexpr int kMostBlocks = 1024;  // of any device so far fewer: 132 SMs are 528; a single block reads the partials
constexpr int kPacks = 4;          // of a thread in flight

// The most threads that an SM of the architecture being compiled holds: Programming Guide, technical specifications by
// compute capability.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || \
    (__CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200)
constexpr int kThreadsOfSm = kBlocksPerSm * kBlock;
#elif __CUDA_ARCH__ < 800
constexpr int kThreadsOfSm = 1024;
#else
constexpr int kThreadsOfSm = 1536;
#endif
constexpr int kResidentBlocks = kThreadsOfSm / kBlock;

// The whole block's result, in thread 0.
template <class Functor>
__device__ float over_block(float value) {
  __shared__ float warps[kBlock / 32];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = Functor::both(value, __shfl_down_sync(~0u, value, distance));
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < kBlock / 32 ? warps[threadIdx.x] : 0.0f;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      value = Functor::both(value, __shfl_down_sync(~0u, value, distance));
    }
  }
  __syncthreads();  // `warps` may be used again
  return value;
}

template <class Functor, int N, class T>
__device__ float over_pack(const Pack<T, N>& pack) {
  float values[N];
#pragma unroll
  for (int e = 0; e < N; ++e) values[e] = Functor::of(to_float(pack.values[e]));
#pragma unroll
  for (int width = N / 2; width > 0; width /= 2) {
#pragma unroll
    for (int e = 0; e < width; ++e) values[e] = Functor::both(values[e], values[e + width]);
  }
  return values[0];
}

// Reduces the elements that fall to this thread: whole packs a grid apart, kPacks of them in flight, each with a result
// of its own so that no addition waits for the one before.
template <class Functor, class T>
__device__ float over_thread(const T* in, std::int64_t head, std::int64_t packs, std::int64_t count) {
  constexpr int N = kVector<T>;
  const std::int64_t threads = std::int64_t{gridDim.x} * kBlock;
  const std::int64_t thread = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  float results[kPacks] = {};
  std::int64_t pack = thread;
  for (; pack + (kPacks - 1) * threads < packs; pack += kPacks * threads) {
    Pack<T, N> loaded[kPacks];
#pragma unroll
    for (int k = 0; k < kPacks; ++k) loaded[k] = load_pack<N>(in + head + (pack + k * threads) * N);
#pragma unroll
    for (int k = 0; k < kPacks; ++k) results[k] = Functor::both(results[k], over_pack<Functor, N>(loaded[k]));
  }
  for (; pack < packs; pack += threads) {
    results[0] = Functor::both(results[0], over_pack<Functor, N>(load_pack<N>(in + head + pack * N)));
  }
  const std::int64_t loose = count - packs * N;  // before the first pack and behind the last
  if (thread < loose) {
    const std::int64_t i = thread < head ? thread : packs * N + thread;
    results[0] = Functor::both(results[0], Functor::of(to_float(in[i])));
  }
  return Functor::both(Functor::both(results[0], results[1]), Functor::both(results[2], results[3]));
}

template <class Functor>
__device__ float over_partials(const float* partial, int blocks) {
  float value = 0;
  for (int i = threadIdx.x; i < blocks; i += kBlock) value = Functor::both(value, __ldcg(partial + i));
  return over_block<Functor>(value);
}

template <class Functor, class T>
__global__ void __launch_bounds__(kBlock, kResidentBlocks)
    partial_kernel(const T* in, std::int64_t head, std::int64_t packs, std::int64_t count, float* partial) {
  const float value = over_block<Functor>(over_thread<Functor>(in, head, packs, count));
  if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

template <class Functor>
__global__ void __launch_bounds__(kBlock) final_kernel(const float* partial, int blocks, float* out) {
  const float value = over_partials<Functor>(partial, blocks);
  if (threadIdx.x == 0) *out = Functor::last(value);
}

// The block that finishes last sees all partial results, because each is written before its block is counted
// (CUDA C++ Programming Guide, "Memory Fence Functions"). The count wraps to 0 for the next reduction.
template <class Functor, class T>
__global__ void __launch_bounds__(kBlock, kResidentBlocks)
    single_kernel(const T* in, std::int64_t head, std::int64_t packs, std::int64_t count, float* partial,
                  unsigned* finished, float* out) {
  __shared__ bool is_last;
  const float value = over_block<Functor>(over_thread<Functor>(in, head, packs, count));
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();
    is_last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  const float total = over_partials<Functor>(partial, static_cast<int>(gridDim.x));
  if (threadIdx.x == 0) *out = Functor::last(total);
}

int blocks_for(std::int64_t packs) {
  const std::int64_t most = std::min(kMostBlocks, multiprocessors() * kBlocksPerSm);
  return static_cast<int>(std::clamp<std::int64_t>((packs + kBlock - 1) / kBlock, 1, most));
}

template <class Functor, class T>
void launch(Passes passes, const T* in, std::int64_t count, Workspace& workspace, float* out, cudaStream_t stream) {
  const auto to_boundary =
      static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(in)) % kVectorBytes / sizeof(T));
  const std::int64_t head = std::min(count, to_boundary);
  const std::int64_t packs = (count - head) / kVector<T>;
  const int blocks = blocks_for(packs);
  if (passes == Passes::one) {
    single_kernel<Functor><<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(
        in, head, packs, count, workspace.partial(), workspace.finished(), out);
  } else {
    partial_kernel<Functor>
        <<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(in, head, packs, count, workspace.partial());
    cuda::check(cudaGetLastError());
    final_kernel<Functor><<<1, kBlock, 0, stream>>>(workspace.partial(), blocks, out);
  }
  cuda::check(cudaGetLastError());
}

}  // namespace

Workspace::Workspace() : partial_(kMostBlocks), finished_(std::span<const unsigned>(std::vector<unsigned>{0})) {}

void reduce(Reduction reduction, Passes passes, DType type, const void* in, std::int64_t count, Workspace& workspace,
            float* out, cudaStream_t stream) {
  require_array(in, count, size_of(type), "reduce", "in");
  require_array(out, 1, sizeof(float), "reduce", "out");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    with_reduction(reduction, [&](auto functor) {
      launch<decltype(functor)>(passes, static_cast<const T*>(in), count, workspace, out, stream);
    });
  });
}

}  // namespace cupel::kernels::reduce
