#include "kernels/memory/homes.hpp"

#include "kernels/common/argument.hpp"
#include "kernels/memory/one_block.cuh"

namespace cupel::kernels::memory {
namespace {

// Returns the word. Volatile: the compiler may make something else of an addition of nothing.
__device__ std::uint64_t add_nothing(char* word) {
  std::uint64_t is;
  asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 0;" : "=l"(is) : "l"(word) : "memory");
  return is;
}

__global__ void time_atomics_kernel(int multiprocessor, OneBlock* state, char* memory, std::int64_t lines,
                                    std::int64_t stride_bytes, int times, std::uint32_t* cycles) {
  constexpr int kAtOnce = 4096;
  __shared__ std::uint32_t least[kAtOnce];  // not in global memory: stores there would be among the atomics
  __shared__ volatile std::uint64_t answer;
  if (!is_the_one(multiprocessor, state)) return;
  for (std::int64_t first = 0; first < lines; first += kAtOnce) {
    const int count = static_cast<int>(min(std::int64_t{kAtOnce}, lines - first));
    for (int time = 0; time < times; ++time) {
      for (int i = 0; i < count; ++i) {
        char* word = memory + (first + i) * stride_bytes;
        const long long begin = clock64();
        answer = add_nothing(word);  // stored: the clock is read when it is there
        const auto took = static_cast<std::uint32_t>(clock64() - begin);
        least[i] = time == 0 ? took : min(least[i], took);
      }
    }
    for (int i = 0; i < count; ++i) cycles[first + i] = least[i];
  }
}

__global__ void bring_home_kernel(int multiprocessor, OneBlock* state, char* memory, const std::int32_t* lines,
                                  std::int64_t count, std::int64_t stride_bytes) {
  if (!is_the_one(multiprocessor, state)) return;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    add_nothing(memory + lines[i] * stride_bytes);
  }
}

void require_words(const void* memory, std::int64_t stride_bytes, int multiprocessor, const OneBlock* state,
                   const char* function) {
  require_array(memory, 1, 8, function, "memory");
  require_argument(stride_bytes >= 8 && stride_bytes % 8 == 0, function, "stride_bytes", "a multiple of 8");
  require_argument(multiprocessor >= 0, function, "multiprocessor", "0 or more");
  require_array(state, 1, 4, function, "state");
}

}  // namespace

void time_atomics(void* memory, std::int64_t lines, std::int64_t stride_bytes, int times, int multiprocessor,
                  OneBlock* state, std::uint32_t* cycles, cudaStream_t stream) {
  require_words(memory, stride_bytes, multiprocessor, state, "time_atomics");
  require_argument(times >= 1, "time_atomics", "times", "1 or more");
  require_array(cycles, lines, 4, "time_atomics", "cycles");
  launch_one(time_atomics_kernel, 1, multiprocessor, state, stream, static_cast<char*>(memory), lines, stride_bytes,
             times, cycles);
}

void bring_home(void* memory, const std::int32_t* lines, std::int64_t count, std::int64_t stride_bytes,
                int multiprocessor, OneBlock* state, cudaStream_t stream) {
  require_words(memory, stride_bytes, multiprocessor, state, "bring_home");
  require_array(lines, count, 4, "bring_home", "lines");
  constexpr int kThreads = 1024;
  launch_one(bring_home_kernel, kThreads, multiprocessor, state, stream, static_cast<char*>(memory), lines, count,
             stride_bytes);
}

}  // namespace cupel::kernels::memory
