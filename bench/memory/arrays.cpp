#include "bench/memory/arrays.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>

#include <cstddef>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/common/fill.hpp"

namespace cupel::bench::memory {
namespace {

using cuda::check;

// Never destroyed: the driver may be gone before statics are.
cuda::DeviceBuffer<float>& arena(Slot slot) {
  static auto& arenas = *new std::array<cuda::DeviceBuffer<float>, 3>;
  return arenas[static_cast<std::size_t>(slot)];
}

constexpr std::int64_t kRun = 1024;
constexpr std::int64_t kRuns = 64;

}  // namespace

std::uint64_t seed_of(Slot slot) { return harness::options().seed * 8 + static_cast<std::uint64_t>(slot); }

float* device_memory(Slot slot, std::int64_t bytes) {
  auto& buffer = arena(slot);
  if (static_cast<std::int64_t>(buffer.size_bytes()) < bytes) {
    buffer = {};  // before the larger piece is made: both at once may not fit
    buffer = cuda::DeviceBuffer<float>(static_cast<std::size_t>(floats(bytes)));
  }
  return buffer.data();
}

float input_at(Slot slot, std::int64_t i) { return kernels::uniform_at(i, seed_of(slot), -1, 1); }

void fill_inputs(Slot slot, std::int64_t count) {
  const cuda::Stream stream;
  kernels::fill_uniform(kernels::DType::fp32, arena(slot).data(), count, seed_of(slot), -1, 1, stream);
  stream.synchronize();
}

void require_elements(const float* out, std::int64_t count, const std::function<float(std::int64_t)>& expected,
                      const RightElements& right, const std::string& what) {
  check(cudaDeviceSynchronize());
  const std::int64_t run = std::min(kRun, count);
  std::vector<float> seen(static_cast<std::size_t>(run));
  for (std::int64_t k = 0; k < kRuns; ++k) {
    const std::int64_t first = (count - run) / (kRuns - 1) * k + (k == kRuns - 1 ? (count - run) % (kRuns - 1) : 0);
    check(cudaMemcpy(seen.data(), out + first, seen.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (std::int64_t i = 0; i < run; ++i) {
      const float is = seen[static_cast<std::size_t>(i)], should = expected(first + i);
      if (is == should) continue;
      harness::require(false, what + ": element " + std::to_string(first + i) + " is " + std::to_string(is) + ", not " +
                                  std::to_string(should));
    }
  }
  const WrongElements wrong = find_wrong(right, out, count);
  harness::require(wrong.count == 0, what + ": " + std::to_string(wrong.count) + " of " + std::to_string(count) +
                                         " elements are wrong, the first is " + std::to_string(wrong.first));
}

}  // namespace cupel::bench::memory
