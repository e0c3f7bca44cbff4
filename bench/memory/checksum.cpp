#include "bench/memory/checksum.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "cupel/harness/run.hpp"
#include "kernels/memory/reference.hpp"

namespace cupel::bench::memory {

Checksum::Checksum() : sum_(std::span<const std::uint32_t>(std::vector<std::uint32_t>{0})) {}

void Checksum::require(const float* data, std::int64_t count, std::int64_t times, const std::string& what) const {
  const std::uint32_t once = kernels::memory::reference::sum(words_on_host(data, count));
  require(once * static_cast<std::uint32_t>(times * calls_), what);
}

void Checksum::require(std::uint32_t expected, const std::string& what) const {
  const std::uint32_t is = value();
  harness::require(is == expected,
                   what + ": the checksum is " + std::to_string(is) + ", not " + std::to_string(expected));
}

std::vector<std::uint32_t> words_on_host(const float* data, std::int64_t count) {
  cuda::check(cudaDeviceSynchronize());
  std::vector<std::uint32_t> host(static_cast<std::size_t>(count));
  cuda::check(cudaMemcpy(host.data(), data, host.size() * 4, cudaMemcpyDeviceToHost));
  return host;
}

}  // namespace cupel::bench::memory
