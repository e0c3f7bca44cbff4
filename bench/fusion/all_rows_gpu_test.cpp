#include "bench/fusion/all_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::norm::Shape;
namespace norm = kernels::norm;

constexpr Shape kShape{5003,
                       97};  // more rows than a round of the check's blocks, a row that is no whole one of threads
constexpr std::int64_t kElements = kShape.rows * kShape.columns;
constexpr float kEpsilonOfRows = 1e-5f;
constexpr std::int64_t kPlace = 1234 * kShape.columns + 56;

// Arrays of fp16, and what each operation makes of them.
class AllRows : public testing::Test {
 protected:
  // Whether all elements are right as they were made, and one that was wiped is the only wrong one.
  void expect_finds_what_is_wiped(const Rowwise& right) {
    const auto found = [&] { return find_wrong(right, DType::fp16, kShape, out_, 1e-3, 1e-2); };
    cuda::check(cudaDeviceSynchronize());
    EXPECT_EQ(found().elements, 0) << "the first of them " << found().first;
    cuda::check(cudaMemset(static_cast<char*>(out_) + 2 * kPlace, 0xFF, 2));
    EXPECT_EQ(found().elements, 1);
    EXPECT_EQ(found().first, kPlace);
  }

  const void* in_ = input(Slot::input, DType::fp16, kElements);
  const void* d_out_ = input(Slot::other, DType::fp16, kElements);
  const void* gamma_ = input(Slot::columns, DType::fp16, kShape.columns);
  const void* beta_ = input(Slot::more_columns, DType::fp16, kShape.columns);
  void* out_ = result(DType::fp16, kElements);
  cuda::DeviceBuffer<float> mean_{static_cast<std::size_t>(kShape.rows)},
      inverse_{static_cast<std::size_t>(kShape.rows)};
  cuda::Stream stream_;
};

TEST_F(AllRows, OfALayerNorm) {
  norm::layer_norm(DType::fp16, in_, gamma_, beta_, kEpsilonOfRows, out_, nullptr, nullptr, kShape, stream_);

  expect_finds_what_is_wiped({.in = in_, .gamma = gamma_, .beta = beta_, .epsilon = 1e-5});
}

TEST_F(AllRows, OfTheGradientOfALayerNorm) {
  norm::layer_norm(DType::fp16, in_, gamma_, beta_, kEpsilonOfRows, out_, mean_.data(), inverse_.data(), kShape,
                   stream_);
  norm::layer_norm_backward(DType::fp16, in_, gamma_, d_out_, mean_.data(), inverse_.data(), out_, kShape, stream_);

  expect_finds_what_is_wiped(
      {.kind = Rowwise::Kind::layer_norm_backward, .in = in_, .d_out = d_out_, .gamma = gamma_, .epsilon = 1e-5});
}

TEST_F(AllRows, OfAnRmsNorm) {
  norm::rms_norm(DType::fp16, in_, gamma_, kEpsilonOfRows, out_, nullptr, kShape, stream_);

  expect_finds_what_is_wiped({.kind = Rowwise::Kind::rms_norm, .in = in_, .gamma = gamma_, .epsilon = 1e-5});
}

TEST_F(AllRows, OfTheGradientOfAnRmsNorm) {
  norm::rms_norm(DType::fp16, in_, gamma_, kEpsilonOfRows, out_, inverse_.data(), kShape, stream_);
  norm::rms_norm_backward(DType::fp16, in_, gamma_, d_out_, inverse_.data(), out_, kShape, stream_);

  expect_finds_what_is_wiped(
      {.kind = Rowwise::Kind::rms_norm_backward, .in = in_, .d_out = d_out_, .gamma = gamma_, .epsilon = 1e-5});
}

TEST_F(AllRows, OfASoftmaxAndItsGradient) {
  cuda::DeviceBuffer<char> shares(2 * kElements);
  norm::softmax(DType::fp16, in_, shares.data(), kShape, stream_);
  norm::softmax(DType::fp16, in_, out_, kShape, stream_);
  expect_finds_what_is_wiped({.kind = Rowwise::Kind::softmax, .in = in_});

  norm::softmax_backward(DType::fp16, shares.data(), d_out_, out_, kShape, stream_);
  expect_finds_what_is_wiped({.kind = Rowwise::Kind::softmax_backward, .in = shares.data(), .d_out = d_out_});
}

TEST_F(AllRows, OfACrossEntropyAndItsGradient) {
  std::vector<std::int32_t> chosen;
  for (std::int64_t r = 0; r < kShape.rows; ++r) chosen.push_back(static_cast<std::int32_t>(7 * r % kShape.columns));
  const cuda::DeviceBuffer<std::int32_t> labels{std::span<const std::int32_t>(chosen)};
  cuda::DeviceBuffer<float> loss(chosen.size()), log_sum(chosen.size());
  cuda::DeviceBuffer<double> right(chosen.size());
  norm::cross_entropy(DType::fp16, in_, labels.data(), loss.data(), log_sum.data(), kShape, stream_);
  row_losses(DType::fp16, in_, labels.data(), kShape, right.data(), stream_);
  const std::vector<float> losses = loss.to_host();
  const std::vector<double> right_losses = right.to_host();
  for (std::size_t r = 0; r < losses.size(); ++r) {
    EXPECT_NEAR(static_cast<double>(losses[r]), right_losses[r], 1e-5) << r;
  }

  norm::cross_entropy_backward(DType::fp16, in_, labels.data(), log_sum.data(), 2, out_, kShape, stream_);
  expect_finds_what_is_wiped(
      {.kind = Rowwise::Kind::cross_entropy_backward, .in = in_, .labels = labels.data(), .scale = 2});
}

// One row that is another's.
TEST_F(AllRows, FindAWholeRowThatIsWrong) {
  norm::softmax(DType::fp16, in_, out_, kShape, stream_);
  stream_.synchronize();
  constexpr std::size_t kRowBytes = 2 * kShape.columns;
  char* const rows = static_cast<char*>(out_);
  cuda::check(cudaMemcpy(rows + 2000 * kRowBytes, rows + 2001 * kRowBytes, kRowBytes, cudaMemcpyDeviceToDevice));

  const Wrong wrong = find_wrong({.kind = Rowwise::Kind::softmax, .in = in_}, DType::fp16, kShape, out_, 1e-5, 1e-2);

  EXPECT_GT(wrong.elements, kShape.columns / 2);
  EXPECT_LE(wrong.elements, kShape.columns);
}

}  // namespace
}  // namespace cupel::bench::fusion
