#include "kernels/memory/l2_experiment.hpp"

#include <algorithm>
#include <stdexcept>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"

namespace cupel::kernels::memory {
namespace {

using cuda::check;

__device__ std::uint64_t now_ns() {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__device__ std::uint32_t this_sm() {
  std::uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

template <int kBytes>
struct Words;
template <>
struct Words<4> {
  std::uint32_t x;
  __device__ std::uint32_t sum() const { return x; }
};
template <>
struct Words<8> {
  std::uint32_t x, y;
  __device__ std::uint32_t sum() const { return x + y; }
};
template <>
struct Words<16> {
  std::uint32_t x, y, z, w;
  __device__ std::uint32_t sum() const { return (x + y) + (z + w); }
};

#define CUPEL_LOADS(OPERATION)                                                                    \
  __device__ void load(Words<4>& v, const char* p) {                                              \
    asm volatile(OPERATION ".u32 %0, [%1];" : "=r"(v.x) : "l"(p) : "memory");                     \
  }                                                                                               \
  __device__ void load(Words<8>& v, const char* p) {                                              \
    asm volatile(OPERATION ".v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(p) : "memory"); \
  }                                                                                               \
  __device__ void load(Words<16>& v, const char* p) {                                             \
    asm volatile(OPERATION ".v4.u32 {%0, %1, %2, %3}, [%4];"                                      \
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                     \
                 : "l"(p)                                                                         \
                 : "memory");                                                                     \
  }
struct Weak {
  CUPEL_LOADS("ld.global")
};
struct Constant {
  CUPEL_LOADS("ld.global.nc")
};
struct PastL1 {
  CUPEL_LOADS("ld.global.cg")
};
struct NotKept {
  CUPEL_LOADS("ld.global.L1::no_allocate")
};

template <class How, int kBytes, int kUnroll>
__global__ void __launch_bounds__(1024)
    walk_kernel(const char* array, Walk walk, BlockTime* times, std::uint32_t* sum) {
  const std::uint64_t begin_ns = now_ns();
  const std::uint32_t begin = static_cast<std::uint32_t>(clock64());
  const std::int64_t b = blockIdx.x;
  const std::int64_t first = walk.first == Walk::First::zero     ? 0
                             : walk.first == Walk::First::spread ? b * walk.chunks / gridDim.x / walk.scale * walk.scale
                             : walk.first == Walk::First::block  ? b * walk.scale
                                                                 : b % walk.modulus * walk.scale;
  const std::int64_t chunk_bytes = std::int64_t{blockDim.x} * kBytes;
  const std::int64_t apart = walk.apart * chunk_bytes, step = walk.step * chunk_bytes, end = walk.chunks * chunk_bytes;
  const std::int64_t start = first * chunk_bytes;
  std::int64_t at = start;
  const char* mine = array + threadIdx.x * kBytes;
  std::uint32_t total = 0;
  for (std::int64_t turn = 0; turn < walk.turns; ++turn) {
    Words<kBytes> v[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) How().load(v[k], mine + at + k * apart);
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) total += v[k].sum();
    at += step;
    if (at >= end) at = walk.back ? start : at - end;
  }
  if (total == 0xDEADBEEFu) atomicAdd(sum, total);  // never, but the compiler cannot know
  if (times == nullptr) return;
  __syncthreads();
  if (threadIdx.x == 0) {
    times[b] = {this_sm(), static_cast<std::uint32_t>(clock64()) - begin, begin_ns, now_ns()};
  }
}

using WalkKernel = void (*)(const char*, Walk, BlockTime*, std::uint32_t*);

template <class How>
WalkKernel walk_kernel_for(int bytes, int unroll) {
  switch (bytes * 100 + unroll) {
    case 1601:
      return walk_kernel<How, 16, 1>;
    case 1602:
      return walk_kernel<How, 16, 2>;
    case 1604:
      return walk_kernel<How, 16, 4>;
    case 1608:
      return walk_kernel<How, 16, 8>;
    case 804:
      return walk_kernel<How, 8, 4>;
    case 808:
      return walk_kernel<How, 8, 8>;
    case 816:
      return walk_kernel<How, 8, 16>;
    case 416:
      return walk_kernel<How, 4, 16>;
    default:
      return nullptr;
  }
}

WalkKernel walk_kernel_for(ReadKind kind) {
  switch (kind.load) {
    case Load::weak:
      return walk_kernel_for<Weak>(kind.bytes, kind.unroll);
    case Load::constant:
      return walk_kernel_for<Constant>(kind.bytes, kind.unroll);
    case Load::cg:
      return walk_kernel_for<PastL1>(kind.bytes, kind.unroll);
    case Load::not_kept:
      return walk_kernel_for<NotKept>(kind.bytes, kind.unroll);
    case Load::atomic:
      return nullptr;
  }
  return nullptr;
}

__global__ void pause_kernel(std::int64_t nanoseconds) {
  const std::uint64_t end = now_ns() + static_cast<std::uint64_t>(nanoseconds);
  while (now_ns() < end) {
  }
}

__global__ void sequential_chain_kernel(char* memory, std::int64_t nodes, std::int64_t stride,
                                        std::uint64_t* position) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= nodes) return;
  *reinterpret_cast<std::uint64_t*>(memory + i * stride) =
      reinterpret_cast<std::uint64_t>(memory + (i + 1 < nodes ? i + 1 : 0) * stride);
  if (i == 0) *position = reinterpret_cast<std::uint64_t>(memory);
}

template <Load kLoad>
__device__ std::uint64_t next_of(std::uint64_t at) {
  std::uint64_t v;
  if constexpr (kLoad == Load::weak) asm volatile("ld.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  if constexpr (kLoad == Load::constant) asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  if constexpr (kLoad == Load::cg) asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  if constexpr (kLoad == Load::not_kept) {
    asm volatile("ld.global.L1::no_allocate.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  }
  if constexpr (kLoad == Load::atomic) {
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 0;" : "=l"(v) : "l"(at) : "memory");
  }
  return v;
}

// The one block that works: the first that comes to the multiprocessor.
__device__ bool chosen(int sm, int* taken) {
  __shared__ bool mine;
  if (threadIdx.x == 0) mine = (sm < 0 || static_cast<int>(this_sm()) == sm) && atomicExch(taken, 1) == 0;
  __syncthreads();
  return mine;
}

template <Load kLoad>
__global__ void chase_on_kernel(int sm, std::uint64_t* position, std::int64_t steps, std::uint64_t* cycles,
                                int* taken) {
  if (!chosen(sm, taken)) return;
  constexpr int kUnroll = 16;
  std::uint64_t at = *position;
  const long long begin = clock64();
  for (std::int64_t left = steps; left > 0; left -= kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) at = next_of<kLoad>(at);
  }
  *position = at;
  __threadfence();
  const long long end = clock64();
  if (threadIdx.x == 0) *cycles = static_cast<std::uint64_t>(end - begin);
}

template <Load kLoad>
__global__ void timed_loads_kernel(int sm, const std::uint64_t* position, int lines, int before, std::uint16_t* cycles,
                                   int* taken) {
  extern __shared__ std::uint16_t took[];
  __shared__ std::uint64_t seen;
  if (!chosen(sm, taken)) return;
  const std::uint32_t hold = static_cast<std::uint32_t>(__cvta_generic_to_shared(&seen));
  std::uint64_t at = *position;
  for (int pass = 0; pass < before; ++pass) {
    for (int i = 0; i < lines; ++i) at = next_of<kLoad>(at);
  }
  for (int i = 0; i < lines; ++i) {
    std::uint32_t begin, end;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
    at = next_of<kLoad>(at);
    asm volatile("st.shared.u64 [%0], %1;" ::"r"(hold), "l"(at) : "memory");  // waits for the load
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
    took[i] = static_cast<std::uint16_t>(min(end - begin, 65535u));
  }
  for (int i = 0; i < lines; ++i) cycles[i] = took[i];
}

__global__ void touch_kernel(int sm, const char* array, std::int64_t lines, std::int64_t stride, std::uint32_t* sum,
                             int* taken) {
  if (!chosen(sm, taken)) return;
  std::uint32_t total = 0;
  for (std::int64_t i = threadIdx.x; i < lines; i += blockDim.x) {
    std::uint32_t x;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(array + i * stride) : "memory");
    total += x;
  }
  if (total == 0xDEADBEEFu) atomicAdd(sum, total);
}

template <class Kernel, class... Arguments>
void launch_on(Kernel kernel, int threads, int shared_bytes, int* taken, cudaStream_t stream, Arguments... arguments) {
  check(cudaMemsetAsync(taken, 0, sizeof(int), stream));
  kernel<<<8 * multiprocessors(), threads, shared_bytes, stream>>>(arguments...);
  check(cudaGetLastError());
}

}  // namespace

int read_blocks_per_sm(ReadKind kind, int threads, int* registers) {
  const WalkKernel kernel = walk_kernel_for(kind);
  if (kernel == nullptr) return 0;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  *registers = attributes.numRegs;
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
  return blocks;
}

void read_walk(ReadKind kind, const void* array, Walk walk, int blocks, int threads, BlockTime* times,
               std::uint32_t* sum, cudaStream_t stream) {
  const WalkKernel kernel = walk_kernel_for(kind);
  if (kernel == nullptr) throw std::invalid_argument("read_walk: no such kernel");
  kernel<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(static_cast<const char*>(array), walk, times, sum);
  check(cudaGetLastError());
}

void pause(std::int64_t nanoseconds, cudaStream_t stream) {
  pause_kernel<<<1, 1, 0, stream>>>(nanoseconds);
  check(cudaGetLastError());
}

void make_sequential_chain(void* memory, std::int64_t nodes, std::int64_t stride_bytes, std::uint64_t* position,
                           cudaStream_t stream) {
  sequential_chain_kernel<<<static_cast<unsigned>((nodes + 255) / 256), 256, 0, stream>>>(
      static_cast<char*>(memory), nodes, stride_bytes, position);
  check(cudaGetLastError());
}

void chase_on(int sm, Load load, std::uint64_t* position, std::int64_t steps, std::uint64_t* cycles, int threads,
              int* taken, cudaStream_t stream) {
  const auto launch = [&](auto kernel) {
    launch_on(kernel, threads, 0, taken, stream, sm, position, steps, cycles, taken);
  };
  if (load == Load::weak) return launch(chase_on_kernel<Load::weak>);
  if (load == Load::cg) return launch(chase_on_kernel<Load::cg>);
  throw std::invalid_argument("chase_on: no such kernel");
}

void timed_loads(int sm, Load load, const std::uint64_t* position, int lines, int before, std::uint16_t* cycles,
                 int* taken, cudaStream_t stream) {
  const auto launch = [&](auto kernel) {
    launch_on(kernel, 1, 2 * kMostTimed, taken, stream, sm, position, lines, before, cycles, taken);
  };
  switch (load) {
    case Load::weak:
      return launch(timed_loads_kernel<Load::weak>);
    case Load::constant:
      return launch(timed_loads_kernel<Load::constant>);
    case Load::cg:
      return launch(timed_loads_kernel<Load::cg>);
    case Load::not_kept:
      return launch(timed_loads_kernel<Load::not_kept>);
    case Load::atomic:
      return launch(timed_loads_kernel<Load::atomic>);
  }
}

void touch_on(int sm, const void* array, std::int64_t lines, std::int64_t stride_bytes, std::uint32_t* sum, int* taken,
              cudaStream_t stream) {
  launch_on(touch_kernel, 1024, 0, taken, stream, sm, static_cast<const char*>(array), lines, stride_bytes, sum, taken);
}

}  // namespace cupel::kernels::memory
