// That what memory/l2/read reads comes from the L2: sooner than from memory, and no sooner than multiprocessors take
// it.
#include "kernels/memory/read_again.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kRunBytes = 4 * kernels::memory::kRunWords;
constexpr std::int64_t kRead = std::int64_t{4} << 30;  // in a launch

template <class T>
cuda::DeviceBuffer<T> zeros(std::int64_t count) {
  cuda::DeviceBuffer<T> buffer(static_cast<std::size_t>(count));
  cuda::check(cudaMemset(buffer.data(), 0, buffer.size_bytes()));
  cuda::check(cudaDeviceSynchronize());
  return buffer;
}

enum class Sharing { all, own };

class ReadAgain : public testing::TestWithParam<Sharing> {
 protected:
  // Bytes a second, the most of a few launches.
  double rate(std::int64_t bytes) {
    const std::int64_t times = kRead / bytes;
    double most = 0;
    for (int i = 0; i < 5; ++i) {
      cuda::check(cudaEventRecord(begin_, stream_));
      if (GetParam() == Sharing::all) {
        kernels::memory::read_again(words_.data(), bytes / 4, times, sum_.data(), stream_);
      } else {
        kernels::memory::read_parts(words_.data(), bytes / 4, times, turns_.data(), ticket_.data(), sum_.data(),
                                    stream_);
      }
      cuda::check(cudaEventRecord(end_, stream_));
      stream_.synchronize();
      most = std::max(most, static_cast<double>(bytes * times) / cuda::elapsed_s(begin_, end_));
    }
    return most;
  }

  const std::int64_t l2_ = cuda::attribute(cudaDevAttrL2CacheSize);
  // A quarter of the L2, so that each half can hold all of it; a tile for each part at least.
  const std::int64_t held_ =
      std::max<std::int64_t>(l2_ / 4, kernels::memory::parts_of_device() * 4 * kernels::memory::kTileWords) /
          kRunBytes * kRunBytes +
      kRunBytes;
  const std::int64_t not_held_ = 8 * l2_ / kRunBytes * kRunBytes;
  cuda::Stream stream_;
  cuda::Event begin_, end_;
  cuda::DeviceBuffer<std::uint32_t> words_ = zeros<std::uint32_t>(not_held_ / 4);
  cuda::DeviceBuffer<std::uint64_t> turns_ = zeros<std::uint64_t>(kernels::memory::parts_of_device());
  cuda::DeviceBuffer<std::uint32_t> ticket_ = zeros<std::uint32_t>(1);
  cuda::DeviceBuffer<std::uint32_t> sum_ = zeros<std::uint32_t>(1);
};

// 64 bytes a clock is what a multiprocessor takes from the L2 at most, where it shares no line with another one.
TEST_P(ReadAgain, ComesFromTheL2WhereThatHoldsIt) {
  const double cache = rate(held_), memory = rate(not_held_);
  const double most = 64.0 * kernels::multiprocessors() * 1e3 * cuda::attribute(cudaDevAttrClockRate);

  std::printf("%lld MiB: %.2f TB/s, %lld MiB: %.2f TB/s, 64 bytes a clock: %.2f TB/s\n",
              static_cast<long long>(held_ >> 20), cache / 1e12, static_cast<long long>(not_held_ >> 20), memory / 1e12,
              most / 1e12);
  EXPECT_GT(cache, 1.3 * memory);
  EXPECT_LT(cache, most);
}

INSTANTIATE_TEST_SUITE_P(Sharing, ReadAgain, testing::Values(Sharing::all, Sharing::own));

}  // namespace
}  // namespace cupel::bench::memory
