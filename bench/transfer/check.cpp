#include "bench/transfer/check.hpp"

#include <cuda_runtime.h>

#include "bench/transfer/memory.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {

using cuda::check;
using kernels::transfer::Pattern;

namespace {

// Made once: to make and destroy a stream or a counter takes longer than to fill or compare a small array. Never
// destroyed: the driver may be gone before statics are.
struct Desk {
  cuda::Stream stream;
  cuda::DeviceBuffer<unsigned long long> mismatches{1};
};

Desk& desk() {
  static auto& desk = *new Desk;
  return desk;
}

}  // namespace

Pattern fresh_pattern() {
  static std::uint64_t calls = 0;
  // Far from source_pattern(), whose seed is the run's own.
  return {.seed = harness::options().seed + (++calls << 32)};
}

void fill_device(std::uint32_t* data, std::int64_t bytes, const Pattern& pattern) {
  const cuda::Stream& stream = desk().stream;
  kernels::transfer::fill_pattern(data, words(bytes), pattern, 0, stream);
  stream.synchronize();
}

void poison_device(std::uint32_t* data, std::int64_t bytes) {
  const cuda::Stream& stream = desk().stream;
  check(cudaMemsetAsync(data, 0xA5, static_cast<std::size_t>(bytes), stream));
  stream.synchronize();
}

void require_on_device(const std::uint32_t* data, std::int64_t bytes, const Pattern& pattern, const std::string& what) {
  auto& [stream, mismatches] = desk();
  check(cudaMemsetAsync(mismatches.data(), 0, mismatches.size_bytes(), stream));
  kernels::transfer::count_mismatches(data, words(bytes), pattern, 0, mismatches.data(), stream);
  stream.synchronize();
  const unsigned long long wrong = mismatches.to_host()[0];
  harness::require(wrong == 0, what + ": " + std::to_string(wrong) + " of " + std::to_string(words(bytes)) +
                                   " words are not what was sent");
}

void require_on_host(const std::uint32_t* data, std::int64_t bytes, const Pattern& pattern, const std::string& what) {
  std::uint32_t* back = device_memory(Side::destination, bytes);
  poison_device(back, bytes);
  // On a stream: cudaMemcpy from pageable memory may return before the data is there.
  const cuda::Stream& stream = desk().stream;
  check(cudaMemcpyAsync(back, data, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, stream));
  stream.synchronize();
  require_on_device(back, bytes, pattern, what);
}

}  // namespace cupel::bench::transfer
