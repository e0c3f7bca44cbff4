#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "bench/gemm/workload.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::bench::gemm {
namespace {

using testing::HasSubstr;

constexpr Precision kAll[] = {Precision::fp64,     Precision::fp32,          Precision::tf32,
                              Precision::fp16,     Precision::bf16,          Precision::fp16_in_fp16,
                              Precision::fp8_e4m3, Precision::fp8_e4m3_fast, Precision::fp8_e5m2,
                              Precision::int8,     Precision::fp4_e2m1};

record::DeviceInfo device_of(int major, int minor) {
  record::DeviceInfo device;
  device.name = "NVIDIA Test";
  device.compute_major = major;
  device.compute_minor = minor;
  device.sm_count = 132;
  device.sm_clock_max_hz = 1.98e9;
  device.memory_peak_bytes_per_s = 4.8e12;
  return device;
}

TEST(Shapes, OfTheThreePassesOfALayerHaveTheSameProducts) {
  const Shape forward = linear(300, 200, 70);
  const Shape data = linear_backward_data(300, 200, 70);
  const Shape filter = linear_backward_filter(300, 200, 70);

  EXPECT_EQ(forward.products(), 300 * 200 * 70);
  EXPECT_EQ(data.products(), forward.products());
  EXPECT_EQ(filter.products(), forward.products());
  EXPECT_EQ(forward.m, 300);  // of the output
  EXPECT_EQ(data.m, 200);     // of the input
  EXPECT_EQ(filter.k, 70);    // summed over tokens
}

TEST(Shapes, OfATransformersLayersFollowTheHiddenSize) {
  EXPECT_EQ(transformer_layer("qkv").out(4096), 12288);
  EXPECT_EQ(transformer_layer("mlp_up").out(4096), 16384);
  EXPECT_EQ(transformer_layer("mlp_down").in(4096), 16384);
  EXPECT_EQ(transformer_layer("lm_head").out(8192), 50304);
  EXPECT_THROW(transformer_layer("mlp"), std::invalid_argument);
}

TEST(Shapes, PadTheVocabularyToTheNextMultipleOf64) { EXPECT_EQ((kVocabulary + 63) / 64 * 64, kPaddedVocabulary); }

TEST(Memory, IsThatOfTheBatchAndOfOneWorkspace) {
  constexpr std::int64_t kWorkspaceBytes = 32 << 20;
  const Shape shape{.m = 2, .n = 3, .k = 5};

  EXPECT_EQ(memory_bytes(Precision::fp32, shape), 4 * (2 * 5 + 5 * 3 + 2 * 3) + kWorkspaceBytes);
  EXPECT_EQ(memory_bytes(Precision::fp32, shape, 7), 7 * 4 * (2 * 5 + 5 * 3 + 2 * 3) + kWorkspaceBytes);
  EXPECT_EQ(memory_bytes(Precision::int8, shape), 2 * 5 + 5 * 3 + 4 * 2 * 3 + kWorkspaceBytes);
}

TEST(Precision, NamesAreInTheOrderOfTheEnumeration) {
  EXPECT_STREQ(traits(Precision::fp64).name, "fp64");
  EXPECT_STREQ(traits(Precision::bf16).name, "bf16");
  EXPECT_STREQ(traits(Precision::fp8_e5m2).name, "fp8_e5m2");
  EXPECT_STREQ(traits(Precision::fp4_e2m1).name, "fp4_e2m1");
}

TEST(Precision, BoundsOfTheNormSeeThatATenthIsMissing) {
  // Without a tenth of the products a result is off by sqrt(0.1).
  for (const Precision precision : kAll) {
    for (const std::int64_t k : {16, 256, 4096, 16384}) {
      EXPECT_LT(verify::dot_bound(k, rounding(precision)).frobenius, 0.31) << traits(precision).name << ", k " << k;
    }
  }
}

TEST(Precision, BoundsFollowTheFormat) {
  const auto norm = [](Precision precision) { return verify::dot_bound(4096, rounding(precision)).frobenius; };

  EXPECT_EQ(norm(Precision::int8), 0);
  EXPECT_LT(norm(Precision::fp64), norm(Precision::fp32));
  EXPECT_LT(norm(Precision::fp32), norm(Precision::tf32));
  EXPECT_LT(norm(Precision::fp16), norm(Precision::bf16));
  EXPECT_LT(norm(Precision::fp16), norm(Precision::fp16_in_fp16));
  EXPECT_LT(norm(Precision::fp8_e4m3), norm(Precision::fp8_e4m3_fast));
}

TEST(Precision, StepsSpreadNormalNumbersOverTheFormat) {
  EXPECT_DOUBLE_EQ(step_of(kernels::dot::Element::fp8_e4m3), 6.7 / 448);
  EXPECT_DOUBLE_EQ(step_of(kernels::dot::Element::int8), 6.7 / 127);
  EXPECT_EQ(step_of(kernels::dot::Element::bf16), 1);
}

}  // namespace
}  // namespace cupel::bench::gemm
