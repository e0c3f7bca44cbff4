#include <gtest/gtest.h>

#include <cstdint>

#include "bench/fusion/attention_shape.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;

// Batch 8, 16 heads, sequence 2048, size 128.
AttentionShape usual(bool causal) { return attention_shape(DType::fp16, causal, 128, 2048); }

TEST(AttentionShape, KeepsTheTokensAndTheWidthOfTheModel) {
  EXPECT_EQ(usual(true), (AttentionShape{DType::fp16, 8, 16, 2048, 128, true}));
  EXPECT_EQ(attention_shape(DType::bf16, false, 64, 16384), (AttentionShape{DType::bf16, 1, 32, 16384, 64, false}));
  EXPECT_EQ(attention_shape(DType::fp16, true, 64, 512).bytes(), usual(true).bytes());
}

TEST(AttentionShape, HasAGibibyteOfScoresAndAMebibyteOfStatistics) {
  EXPECT_EQ(usual(false).scores_bytes(), std::int64_t{1} << 30);
  EXPECT_EQ(usual(false).stats_bytes(), std::int64_t{1} << 20);
  EXPECT_DOUBLE_EQ(attention_shape(DType::fp16, false, 64, 2048).scale(), 0.125);
}

TEST(AttentionWork, IsTwoProductsForwardAndFiveBackwardAndHalfOfThatCausally) {
  constexpr std::int64_t kProduct = std::int64_t{2} * 8 * 16 * 2048 * 2048 * 128;

  EXPECT_EQ(attention_work(usual(false), AttentionPass::forward).flops, 2 * kProduct);
  EXPECT_EQ(attention_work(usual(true), AttentionPass::forward).flops, kProduct);
  EXPECT_EQ(attention_work(usual(false), AttentionPass::backward).flops, 5 * kProduct);
  EXPECT_EQ(attention_work(usual(true), AttentionPass::backward).flops, 5 * kProduct / 2);
}

TEST(AttentionWork, ReadsTheInputsAndWritesTheResultsOnce) {
  constexpr std::int64_t kArray = std::int64_t{8} * 16 * 2048 * 128 * 2;

  const auto forward = attention_work(usual(true), AttentionPass::forward);
  const auto backward = attention_work(usual(true), AttentionPass::backward);

  EXPECT_EQ(forward.bytes_read, 3 * kArray);
  EXPECT_EQ(forward.bytes_written, kArray);
  EXPECT_EQ(backward.bytes_read, 4 * kArray);
  EXPECT_EQ(backward.bytes_written, 3 * kArray);
}

}  // namespace
}  // namespace cupel::bench::fusion
