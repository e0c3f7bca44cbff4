#include "bench/fusion/all_columns.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
namespace norm = kernels::norm;

constexpr norm::Shape kRowsOfColumns{5003, 97};  // no whole blocks either way
constexpr std::int64_t kAllOfColumns = kRowsOfColumns.rows * kRowsOfColumns.columns;
constexpr std::int64_t kWiped = 1234 * kRowsOfColumns.columns + 56;
constexpr float kEpsilonOfColumns = 1e-5f;

// Arrays of fp16, and what each operation makes of them.
class AllColumns : public testing::Test {
 protected:
  // All elements are right as they were made, and one that was wiped is the only wrong one.
  void expect_finds_what_is_wiped(Columnwise right) {
    right.epsilon = static_cast<double>(kEpsilonOfColumns);
    const auto found = [&] { return find_wrong(right, DType::fp16, kRowsOfColumns, out_, 1e-4, 1e-3).wrong; };
    cuda::check(cudaDeviceSynchronize());
    EXPECT_EQ(found().elements, 0) << "the first of them " << found().first;
    cuda::check(cudaMemset(static_cast<char*>(out_) + 2 * kWiped, 0xFF, 2));
    EXPECT_EQ(found().elements, 1);
    EXPECT_EQ(found().first, kWiped);
  }
  void train(bool relu) {
    norm::batch_norm_training(DType::fp16, in_, gamma_, beta_, kEpsilonOfColumns, relu, out_, mean_.data(),
                              inverse_.data(), partial_.data(), kRowsOfColumns, stream_);
    stream_.synchronize();
  }
  static const float* of_columns(Slot slot) {
    return static_cast<const float*>(input(slot, DType::fp32, kRowsOfColumns.columns));
  }
  static cuda::DeviceBuffer<float> numbers() {
    return cuda::DeviceBuffer<float>(static_cast<std::size_t>(kRowsOfColumns.columns));
  }

  const void* in_ = input(Slot::input, DType::fp16, kAllOfColumns);
  const void* d_out_ = input(Slot::other, DType::fp16, kAllOfColumns);
  const float *gamma_ = of_columns(Slot::columns), *beta_ = of_columns(Slot::more_columns);
  void* out_ = result(DType::fp16, kAllOfColumns);
  cuda::DeviceBuffer<float> mean_ = numbers(), inverse_ = numbers(), d_gamma_ = numbers(), d_beta_ = numbers(),
                            partial_{static_cast<std::size_t>(norm::partial_floats(kRowsOfColumns))};
  cuda::Stream stream_;
};

TEST_F(AllColumns, OfABatchNorm) {
  train(false);
  expect_finds_what_is_wiped({.in = in_, .gamma = gamma_, .beta = beta_});
}

TEST_F(AllColumns, OfABatchNormWithReluAreNotThoseWithoutIt) {
  train(true);
  const Columnwise without{.in = in_, .gamma = gamma_, .beta = beta_, .epsilon = 1e-5};
  EXPECT_GT(find_wrong(without, DType::fp16, kRowsOfColumns, out_, 1e-4, 1e-3).wrong.elements, kAllOfColumns / 4);
  expect_finds_what_is_wiped({.in = in_, .gamma = gamma_, .beta = beta_, .relu = true});
}

TEST_F(AllColumns, OfABatchNormWithKnownStatistics) {
  train(false);
  cuda::DeviceBuffer<float> factor = numbers(), shift = numbers();
  const std::vector<float> inverse = inverse_.to_host();
  std::vector<float> known;
  for (const float x : inverse) known.push_back(1 / (x * x));
  const cuda::DeviceBuffer<float> device_variance{std::span<const float>(known)};
  norm::fold_batch_norm(gamma_, beta_, mean_.data(), device_variance.data(), kEpsilonOfColumns, factor.data(),
                        shift.data(), kRowsOfColumns.columns, stream_);
  norm::scale_shift(DType::fp16, in_, factor.data(), shift.data(), false, out_, kRowsOfColumns, stream_);
  stream_.synchronize();

  expect_finds_what_is_wiped(
      {.in = in_, .gamma = gamma_, .beta = beta_, .mean = mean_.data(), .variance = device_variance.data()});
}

TEST_F(AllColumns, OfTheGradientsOfABatchNorm) {
  train(false);
  norm::batch_norm_backward(DType::fp16, in_, d_out_, gamma_, mean_.data(), inverse_.data(), out_, d_gamma_.data(),
                            d_beta_.data(), partial_.data(), kRowsOfColumns, stream_);
  stream_.synchronize();
  const Columnwise right{.kind = Columnwise::Kind::batch_norm_backward, .in = in_, .d_out = d_out_, .gamma = gamma_};

  const RightColumns columns = find_wrong(right, DType::fp16, kRowsOfColumns, out_, 1e-4, 1e-3).right;
  expect_finds_what_is_wiped(right);

  const std::vector<float> d_gamma = d_gamma_.to_host(), d_beta = d_beta_.to_host(), mean = mean_.to_host();
  for (std::size_t c = 0; c < mean.size(); ++c) {
    EXPECT_NEAR(static_cast<double>(mean[c]), columns.mean[c], 1e-5) << c;
    EXPECT_NEAR(static_cast<double>(d_gamma[c]), columns.d_gamma[c], 1e-2) << c;
    EXPECT_NEAR(static_cast<double>(d_beta[c]), columns.d_beta[c], 1e-2) << c;
  }
}

TEST_F(AllColumns, OfTheGradientsBehindARelu) {
  cuda::DeviceBuffer<char> relu_out(static_cast<std::size_t>(2 * kAllOfColumns));
  kernels::pointwise::activate(DType::fp16, kernels::pointwise::Activation::relu, d_out_, relu_out.data(),
                               kAllOfColumns, stream_);
  train(true);
  norm::batch_norm_relu_backward(DType::fp16, in_, relu_out.data(), d_out_, gamma_, mean_.data(), inverse_.data(), out_,
                                 d_gamma_.data(), d_beta_.data(), partial_.data(), kRowsOfColumns, stream_);
  stream_.synchronize();

  expect_finds_what_is_wiped({.kind = Columnwise::Kind::batch_norm_backward,
                              .in = in_,
                              .d_out = d_out_,
                              .relu_out = relu_out.data(),
                              .gamma = gamma_});
}

}  // namespace
}  // namespace cupel::bench::fusion
