#include "bench/fusion/conv_block_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "kernels/dot/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::dot::Convolution;
using kernels::dot::Layout;
using kernels::dot::Pass;

std::vector<double> random_numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  verify::fill_uniform<double>(values, seed, -2, 2);
  return values;
}

Stored of(const std::vector<double>& values) {
  return [&values](std::int64_t i) { return values.at(static_cast<std::size_t>(i)); };
}

Convolution small() {
  return {.batch = 2,
          .in_channels = 3,
          .out_channels = 4,
          .in = {{1, 5, 6}},
          .filter = {{1, 3, 3}},
          .padding = {{0, 1, 1}},
          .stride = {{1, 2, 1}}};
}

// From the order batch, channel, height, width to NHWC.
std::size_t place(const Convolution& shape, std::int64_t element) {
  const std::int64_t channels = shape.out_channels, area = shape.out(1) * shape.out(2);
  const std::int64_t image = element / (channels * area), channel = element / area % channels, pixel = element % area;
  return static_cast<std::size_t>((image * area + pixel) * channels + channel);
}

TEST(Convolved, IsTheReferencesAtEveryElement) {
  const Convolution shape = small();
  const std::vector<double> input = random_numbers(input_count(shape), 1),
                            filter = random_numbers(filter_count(shape), 2);
  std::vector<double> output(static_cast<std::size_t>(output_count(shape)));
  kernels::dot::reference::convolve(shape, Pass::forward, Layout::channels_last, input, filter, output);

  for (std::int64_t element = 0; element < output_count(shape); ++element) {
    const Dot dot = convolved(shape, of(input), of(filter), element);
    EXPECT_NEAR(dot.sum, output[place(shape, element)], 1e-12) << element;
    EXPECT_GE(dot.magnitude, std::fabs(dot.sum));
  }
}

TEST(Fold, MakesAFactorAndAShiftOfANorm) {
  const Folded folded = fold({.gamma = {2, 3}, .beta = {1, 0}, .mean = {3, -1}, .variance = {4, 8}}, 1);

  EXPECT_FLOAT_EQ(folded.factor[0], 2 / std::sqrt(5.0f));
  EXPECT_FLOAT_EQ(folded.shift[0], 1 - 6 / std::sqrt(5.0f));
  EXPECT_FLOAT_EQ(folded.factor[1], 1);
  EXPECT_FLOAT_EQ(folded.shift[1], 1);
}

TEST(Fold, IntoTheFilterIsTheNormBehindTheConvolution) {
  const Convolution shape = small();
  const std::vector<double> input = random_numbers(input_count(shape), 3),
                            filter = random_numbers(filter_count(shape), 4);
  const Norm norm = random_norm(shape.out_channels, reduction_length(shape, Pass::forward), 5);
  const Folded folded = fold(norm, 1e-5);
  const std::vector<float> scaled = folded_filter(of(filter), filter_count(shape), folded.factor);
  const Stored of_scaled = [&](std::int64_t i) { return static_cast<double>(scaled.at(static_cast<std::size_t>(i))); };

  const std::int64_t area = shape.out(1) * shape.out(2);
  for (std::int64_t element = 0; element < output_count(shape); ++element) {
    const auto c = static_cast<std::size_t>(element / area % shape.out_channels);
    const double before = convolved(shape, of(input), of(filter), element).sum;
    const double normalised =
        (before - norm.mean[c]) / std::sqrt(norm.variance[c] + 1e-5) * norm.gamma[c] + norm.beta[c];
    const double behind = convolved(shape, of(input), of_scaled, element).sum + static_cast<double>(folded.shift[c]);
    EXPECT_NEAR(behind, normalised, 1e-5) << element;
  }
}

TEST(RandomNorm, MakesOutputsOfSizeOne) {
  const Norm norm = random_norm(1000, 576, 6);
  const Folded folded = fold(norm, 1e-5);

  double gain = 0;
  for (std::size_t c = 0; c < 1000; ++c) {
    EXPECT_LT(folded.factor[c], 1);  // so that what is rounded before it counts less behind it
    EXPECT_LT(std::fabs(folded.shift[c]), 3);
    gain += static_cast<double>(folded.factor[c]) * 4.0 / 3.0 * 24 / 1000;
  }
  EXPECT_NEAR(gain, 1, 0.1);
}

}  // namespace
}  // namespace cupel::bench::fusion
