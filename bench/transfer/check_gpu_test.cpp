#include "bench/transfer/check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "bench/transfer/memory.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::transfer {
namespace {

using harness::CheckFailed;
using harness::operator""_MiB;
using harness::operator""_KiB;

constexpr std::int64_t kBytes = 1_MiB;

void set_word(std::uint32_t* device, std::int64_t index, std::uint32_t value) {
  cuda::check(cudaMemcpy(device + index, &value, sizeof value, cudaMemcpyHostToDevice));
  cuda::check(cudaDeviceSynchronize());
}

TEST(RequireOnDevice, AcceptsWhatWasFilled) {
  auto* data = device_memory(Side::source, kBytes);
  const auto pattern = fresh_pattern();
  fill_device(data, kBytes, pattern);

  EXPECT_NO_THROW(require_on_device(data, kBytes, pattern, "copy"));
}

TEST(RequireOnDevice, RefusesPoison) {
  auto* data = device_memory(Side::source, kBytes);
  poison_device(data, kBytes);

  EXPECT_THROW(require_on_device(data, kBytes, fresh_pattern(), "copy"), CheckFailed);
}

TEST(RequireOnDevice, RefusesWhatAnEarlierCallLeft) {
  auto* data = device_memory(Side::source, kBytes);
  fill_device(data, kBytes, fresh_pattern());

  EXPECT_THROW(require_on_device(data, kBytes, fresh_pattern(), "copy"), CheckFailed);
}

TEST(RequireOnDevice, RefusesASingleWrongWordWhereverItLies) {
  auto* data = device_memory(Side::source, kBytes);
  for (const std::int64_t index : {std::int64_t{0}, words(kBytes) / 2 + 1, words(kBytes) - 1}) {
    const auto pattern = fresh_pattern();
    fill_device(data, kBytes, pattern);
    set_word(data, index, word(pattern, index) ^ 1u);

    EXPECT_THROW(require_on_device(data, kBytes, pattern, "copy"), CheckFailed) << index;
  }
}

class EveryHostMemory : public testing::TestWithParam<HostMemory> {};

TEST_P(EveryHostMemory, HoldsTheSourcePatternAndStillDoesWhenItHasGrown) {
  for (const std::int64_t bytes : {4_KiB, 3_MiB, 80_MiB, 96_MiB}) {
    const auto* source = host_memory(GetParam(), Side::source, bytes);

    EXPECT_NO_THROW(require_on_host(source, bytes, source_pattern(), "source"));
  }
}

TEST_P(EveryHostMemory, OfSmallCopiesStaysWhereItIs) {
  const auto* small = host_memory(GetParam(), Side::source, 4_KiB);
  const auto* large = host_memory(GetParam(), Side::source, 80_MiB);

  EXPECT_EQ(host_memory(GetParam(), Side::source, 64_MiB), small);
  EXPECT_EQ(host_memory(GetParam(), Side::source, 4_KiB), small);
  EXPECT_NE(large, small);
}

TEST_P(EveryHostMemory, IsSeenToDifferByOneWord) {
  const auto pattern = fresh_pattern();
  auto* source = device_memory(Side::source, kBytes);
  auto* destination = host_memory(GetParam(), Side::destination, kBytes);
  fill_device(source, kBytes, pattern);
  cuda::check(cudaMemcpy(destination, source, kBytes, cudaMemcpyDeviceToHost));

  EXPECT_NO_THROW(require_on_host(destination, kBytes, pattern, "copy"));
  destination[words(kBytes) - 1] ^= 1u;
  EXPECT_THROW(require_on_host(destination, kBytes, pattern, "copy"), CheckFailed);
}

TEST_P(EveryHostMemory, IsOfTheKindThatItsNameSays) {
  cudaPointerAttributes attributes{};
  cuda::check(cudaPointerGetAttributes(&attributes, host_memory(GetParam(), Side::destination, kBytes)));

  const bool page_locked = attributes.type == cudaMemoryTypeHost;
  EXPECT_EQ(page_locked, GetParam() != HostMemory::pageable);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryHostMemory,
                         testing::Values(HostMemory::pageable, HostMemory::pinned, HostMemory::write_combined,
                                         HostMemory::registered));

}  // namespace
}  // namespace cupel::bench::transfer
