#include "kernels/sync/launches.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/sync/reference.hpp"

namespace cupel::kernels::sync {
namespace {

std::vector<std::uint32_t> counting_up(std::size_t size) {
  std::vector<std::uint32_t> values(size);
  std::iota(values.begin(), values.end(), 0xfffffff0u);
  return values;
}

TEST(AddOne, EqualsItsReferenceEitherSideOfWarpBlockAndGrid) {
  // 2^24 elements are 2^16 blocks of 256, the whole grid; 16777259 is the next prime and needs the stride.
  for (const std::size_t size : {1u, 31u, 32u, 33u, 255u, 256u, 257u, 1009u, 16777216u, 16777259u}) {
    std::vector<std::uint32_t> expected = counting_up(size);
    cuda::DeviceBuffer<std::uint32_t> data{std::span<const std::uint32_t>(expected)};

    add_one(data.data(), static_cast<std::int64_t>(size), nullptr);

    reference::add_one(expected);
    EXPECT_EQ(data.to_host(), expected) << "size " << size;
  }
}

TEST(AddOne, OfNothingLaunchesNothing) { EXPECT_NO_THROW(add_one(nullptr, 0, nullptr)); }

TEST(Accumulate, AddsUpInTheOrderOfTheStream) {
  const std::vector<std::uint32_t> zero = {0};
  cuda::DeviceBuffer<std::uint32_t> value{std::span<const std::uint32_t>(zero)};
  cuda::DeviceBuffer<std::uint32_t> total{std::span<const std::uint32_t>(zero)};

  for (int step = 0; step < 4; ++step) {
    add_one(value.data(), 1, nullptr);
    accumulate(value.data(), total.data(), nullptr);
  }

  EXPECT_EQ(total.to_host()[0], 1u + 2u + 3u + 4u);
}

TEST(Spin, HoldsTheDeviceAtLeastAsLongAsAskedAndCounts) {
  const std::vector<std::uint32_t> zero = {0};
  cuda::DeviceBuffer<std::uint32_t> counter{std::span<const std::uint32_t>(zero)};
  const cuda::Stream stream;
  const cuda::Event start, stop;
  spin(0, counter.data(), stream);

  cuda::check(cudaEventRecord(start, stream));
  spin(2'000'000, counter.data(), stream);
  cuda::check(cudaEventRecord(stop, stream));
  stream.synchronize();

  float elapsed_ms = 0;
  cuda::check(cudaEventElapsedTime(&elapsed_ms, start, stop));
  // Two clocks of the device: half a per cent of difference is allowed for, which is far more than they drift.
  EXPECT_GE(elapsed_ms, 1.99f);
  EXPECT_EQ(counter.to_host()[0], 2u);
}

TEST(LaunchWithArguments, ArrivesOnceForEachLaunchAtEverySize) {
  take_arrivals();

  for (const std::int64_t bytes : kArgumentBytes) {
    for (int i = 0; i < 3; ++i) launch_with_arguments(bytes, nullptr);
    EXPECT_EQ(take_arrivals(), 3u) << bytes << " argument bytes";
  }

  EXPECT_EQ(take_arrivals(), 0u);
}

TEST(LaunchWithArguments, RefusesASizeThatNoKernelHas) {
  EXPECT_THROW(launch_with_arguments(100, nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::kernels::sync
