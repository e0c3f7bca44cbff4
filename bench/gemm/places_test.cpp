#include "bench/gemm/places.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "bench/gemm/workload.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::bench::gemm {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;

// With the peaks of an H200: arithmetic binds from 14 operations a byte on in fp32, from 223 on in bf16.
record::DeviceInfo device_with_l2(std::int64_t bytes) {
  record::DeviceInfo device;
  device.name = "NVIDIA Test";
  device.compute_major = 9;
  device.sm_count = 132;
  device.sm_clock_max_hz = 1.98e9;
  device.memory_peak_bytes_per_s = 4.8e12;
  device.l2_bytes = bytes;
  return device;
}

const record::DeviceInfo kDevice = device_with_l2(60 * kMi);
const Shape kFewTokens = linear(16384, 4096, 16);  // 128 MiB of weights in bf16

TEST(Places, OfWeightsThatOnlyHaveToBeReadAreSix) {
  EXPECT_EQ(places(Precision::bf16, kFewTokens, kDevice), 6);
  EXPECT_EQ(places(Precision::bf16, linear(16384, 4096, 64), kDevice), 6);
  EXPECT_EQ(places(Precision::fp32, linear(16384, 4096, 1), kDevice), 6);
}

TEST(Places, AreOneWhereArithmeticTakesTheTime) {
  EXPECT_EQ(places(Precision::fp32, linear(16384, 4096, 64), kDevice), 1);
  EXPECT_EQ(places(Precision::bf16, linear(16384, 4096, 2048), kDevice), 1);
  EXPECT_EQ(places(Precision::bf16, square(8192), kDevice), 1);
}

TEST(Places, AreOneWhereTheOtherOperandIsAsLarge) {
  EXPECT_EQ(places(Precision::bf16, {.m = 1 << 20, .n = 1 << 20, .k = 64}, kDevice), 1);  // memory binds here, too
}

TEST(Places, AreOneWhereTheCacheKeepsAPartOfTheWeights) {
  EXPECT_EQ(places(Precision::bf16, kFewTokens, device_with_l2(64 * kMi)), 6);
  EXPECT_EQ(places(Precision::bf16, kFewTokens, device_with_l2(64 * kMi + 1)), 1);
  EXPECT_EQ(places(Precision::fp8_e4m3, kFewTokens, kDevice), 1);
}

TEST(Places, AreFewerWhereSixWouldTakeMoreThan4GiB) {
  EXPECT_EQ(places(Precision::bf16, linear(32768, 8192, 1), kDevice), 6);  // 512 MiB each
  EXPECT_EQ(places(Precision::fp32, linear(32768, 8192, 1), kDevice), 3);  // 1 GiB each
  EXPECT_EQ(places(Precision::fp32, linear(65536, 16384, 1), kDevice), 1);
}

TEST(Places, ArePlannedForTheDeviceThatHasMost) {
  EXPECT_EQ(most_places(Precision::bf16, kFewTokens), 6);
  EXPECT_EQ(most_places(Precision::fp8_e4m3, kFewTokens), 6);
  EXPECT_EQ(most_places(Precision::bf16, square(8192)), 1);
  EXPECT_EQ(most_places(Precision::fp16, square(64)), 1);  // of a batch
  EXPECT_GE(most_places(Precision::fp16, linear(1024, 1024, 1)),
            places(Precision::fp16, linear(1024, 1024, 1), device_with_l2(0)));
}

TEST(Places, HaveSevenPagesBetweenThem) {
  EXPECT_EQ(place_stride_bytes(Precision::bf16, kFewTokens), 142 * kMi);
  EXPECT_EQ(place_stride_bytes(Precision::bf16, {.m = 1024 * 1024 + 1, .n = 1, .k = 1}), 18 * kMi);
}

TEST(Memory, HoldsTheWeightsAtEveryPlace) {
  const std::int64_t without_copies = memory_bytes(Precision::bf16, linear(16384, 4096, 65));
  const std::int64_t of_49_tokens = 49 * 2 * (16384 + 4096);

  EXPECT_EQ(memory_bytes(Precision::bf16, kFewTokens), without_copies - of_49_tokens + 5 * 142 * kMi);
}

TEST(Turn, GoesRound) {
  Turn turn;
  std::vector<int> seen;

  for (int i = 0; i < 7; ++i) seen.push_back(turn.next(3));

  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 0, 1, 2, 0}));
}

TEST(Turn, OfOneIsAlwaysTheFirst) {
  Turn turn;

  for (int i = 0; i < 3; ++i) EXPECT_EQ(turn.next(1), 0);
}

TEST(Turn, GivesEveryPlaceItsShareWhateverIsTakenARound) {
  Turn turn;
  std::vector<int> taken(kMostPlaces);

  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 10; ++i) ++taken[static_cast<std::size_t>(turn.next(kMostPlaces))];
  }

  EXPECT_EQ(taken, std::vector<int>(kMostPlaces, 10));
}

}  // namespace
}  // namespace cupel::bench::gemm
