// What CUDA's language is to a C++ compiler: included before each .cu, which tests/emulator/rewrite.py has rewritten so
// that launches are calls of launch() below.
#pragma once

#define _CUDA_PIPELINE_PRIMITIVES_H_  // whose functions are below
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tests/emulator/block.hpp"
#include "tests/emulator/launch.hpp"

#define __CUDA_ARCH_LIST__ 900  // of nvcc: what the binary has code for

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)

#define threadIdx ::cupel::emulator::thread_index
#define blockIdx ::cupel::emulator::block_index
#define blockDim ::cupel::emulator::block_size
#define gridDim ::cupel::emulator::grid_size

using std::isfinite;

inline void __syncthreads() { cupel::emulator::barrier_count(false); }
inline int __syncthreads_count(int p) { return cupel::emulator::barrier_count(p != 0); }
inline int __syncthreads_or(int p) { return cupel::emulator::barrier_count(p != 0) != 0; }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

namespace cupel::emulator {

// Steps of 32 ns, as on an H200.
template <class T>
void read_global_timer(T& ns) {
  let_others_run();
  ns = static_cast<T>(now_ns() / 32 * 32);
}

template <class T>
T exchange(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  require_whole_warp(mask);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = from_lane(bits, lane);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

// Of `mutex` operations, any stream's.
template <class T, class Change>
T atomically(T* place, const Change& change) {
  T before;
  __atomic_load(place, &before, __ATOMIC_SEQ_CST);
  for (;;) {
    T after = change(before);
    if (__atomic_compare_exchange(place, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return before;
  }
}

}  // namespace cupel::emulator

inline long long clock64() {
  cupel::emulator::let_others_run();
  return cupel::emulator::clock_cycles();
}

// A lane beyond the warp's last gives the asking lane its own value back.
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
  const int lane = cupel::emulator::lane_of_this_thread(), from = lane + static_cast<int>(distance);
  return cupel::emulator::exchange(mask, value, from < 32 ? from : lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance) {
  return cupel::emulator::exchange(mask, value, cupel::emulator::lane_of_this_thread() ^ distance);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane) {
  return cupel::emulator::exchange(mask, value, lane % 32);
}

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  cupel::emulator::copy_when_waited_for(to, from, bytes);
}
inline void __pipeline_commit() {}
// For all: nobody here waits for the first of several.
inline void __pipeline_wait_prior(std::size_t) { cupel::emulator::wait_for_copies(); }

template <class T>
T __ldcg(const T* from) {
  return *from;
}

template <class T>
T atomicAdd(T* place, T value) {
  return cupel::emulator::atomically(place, [=](T before) { return static_cast<T>(before + value); });
}
template <class T>
T atomicMax(T* place, T value) {
  return cupel::emulator::atomically(place, [=](T before) { return before < value ? value : before; });
}
inline unsigned atomicInc(unsigned* place, unsigned most) {
  return cupel::emulator::atomically(place, [=](unsigned before) { return before >= most ? 0 : before + 1; });
}

inline long long __double_as_longlong(double x) {
  long long bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
