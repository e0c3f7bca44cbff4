#include "kernels/dot/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "kernels/dot/convolution.hpp"
#include "kernels/dot/sampling.hpp"

namespace cupel::kernels::dot {
namespace {

using testing::ElementsAre;

std::vector<double> small_integers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  verify::fill_small_integers(std::span<double>(values), seed, -4, 4);
  return values;
}

TEST(ReferenceGemm, MultipliesColumnMajorMatrices) {
  const std::vector<double> a = {1, 2, 3, 4, 5, 6};  // 2 x 3
  const std::vector<double> b = {1, 0, 2, 0, 1, 3};  // 3 x 2
  std::vector<double> c(4);

  reference::gemm(2, 2, 3, a, false, b, false, c);

  EXPECT_THAT(c, ElementsAre(11, 14, 18, 22));
}

TEST(ReferenceGemm, ReadsTransposedOperands) {
  const std::vector<double> a_transposed = {1, 3, 5, 2, 4, 6};
  const std::vector<double> b_transposed = {1, 0, 0, 1, 2, 3};
  std::vector<double> c(4);

  reference::gemm(2, 2, 3, a_transposed, true, b_transposed, true, c);

  EXPECT_THAT(c, ElementsAre(11, 14, 18, 22));
}

TEST(ReferenceConvolve, SlidesAFilterOverAPaddedRow) {
  Convolution shape{.in = {{1, 1, 4}}, .filter = {{1, 1, 3}}, .padding = {{0, 0, 1}}};
  const std::vector<double> input = {1, 2, 3, 4}, filter = {1, 10, 100};
  std::vector<double> output(4), input_gradient(4), filter_gradient(3);

  reference::convolve(shape, Pass::forward, Layout::channels_first, input, filter, output);
  reference::convolve(shape, Pass::backward_data, Layout::channels_first, input, filter, input_gradient);
  reference::convolve(shape, Pass::backward_filter, Layout::channels_first, input, input, filter_gradient);

  EXPECT_THAT(output, ElementsAre(210, 321, 432, 43));
  EXPECT_THAT(input_gradient, ElementsAre(12, 123, 234, 340));
  EXPECT_THAT(filter_gradient, ElementsAre(2 * 1 + 3 * 2 + 4 * 3, 1 + 4 + 9 + 16, 1 * 2 + 2 * 3 + 3 * 4));
}

std::vector<Convolution> awkward_shapes() {
  return {
      {.batch = 2,
       .in_channels = 3,
       .out_channels = 5,
       .in = {{1, 7, 6}},
       .filter = {{1, 3, 3}},
       .padding = {{0, 1, 1}}},
      {.in_channels = 4,
       .out_channels = 6,
       .groups = 2,
       .in = {{1, 9, 8}},
       .filter = {{1, 3, 2}},
       .stride = {{1, 2, 3}}},
      {.in_channels = 5,
       .out_channels = 5,
       .groups = 5,
       .in = {{1, 5, 7}},
       .filter = {{1, 3, 3}},
       .padding = {{0, 2, 1}}},
      {.in_channels = 2, .out_channels = 2, .in = {{1, 9, 9}}, .filter = {{1, 3, 3}}, .dilation = {{1, 2, 3}}},
      {.batch = 2,
       .in_channels = 2,
       .out_channels = 3,
       .in = {{4, 5, 3}},
       .filter = {{2, 3, 1}},
       .padding = {{1, 1, 0}},
       .stride = {{2, 1, 1}}},
      {.batch = 3, .in_channels = 4, .out_channels = 2},
  };
}

std::int64_t left_count(const Convolution& shape, Pass pass) {
  return pass == Pass::forward ? input_count(shape) : output_count(shape);
}
std::int64_t right_count(const Convolution& shape, Pass pass) {
  return pass == Pass::backward_filter ? input_count(shape) : filter_count(shape);
}

// The index arithmetic that kernels use against the loops of the definition.
TEST(Reduction, NamesWhatTheDefinitionSumsUpForEveryElementOfEveryPass) {
  for (const Convolution& shape : awkward_shapes()) {
    for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_filter}) {
      for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
        SCOPED_TRACE(testing::Message() << to_string(pass) << ", channels " << shape.in_channels << " to "
                                        << shape.out_channels << ", layout " << static_cast<int>(layout));
        const Reduction reduction(shape, pass, layouts_of(layout, shape));
        const auto left = small_integers(left_count(shape, pass), 1);
        const auto right = small_integers(right_count(shape, pass), 2);
        std::vector<double> expected(static_cast<std::size_t>(result_count(shape, pass)));
        std::vector<double> actual(expected.size(), -1e9);

        reference::convolve(shape, pass, layout, left, right, expected);
        for (std::int64_t element = 0; element < result_count(shape, pass); ++element) {
          const Sum sum = reduction.sum(element);
          double value = 0;
          for (std::int64_t term = 0; term < reduction_length(shape, pass); ++term) {
            const Product at = reduction.product(sum, term);
            if (at.present)
              value += left[static_cast<std::size_t>(at.left)] * right[static_cast<std::size_t>(at.right)];
          }
          actual[static_cast<std::size_t>(reduction.result_offset(sum))] = value;
        }

        EXPECT_EQ(actual, expected);
      }
    }
  }
}

TEST(Convolution, KnowsItsOutputAndItsWork) {
  // The first layer of ResNet-50: 224 x 224 to 112 x 112.
  const Convolution stem{.batch = 1,
                         .in_channels = 3,
                         .out_channels = 64,
                         .in = {{1, 224, 224}},
                         .filter = {{1, 7, 7}},
                         .padding = {{0, 3, 3}},
                         .stride = {{1, 2, 2}}};

  EXPECT_EQ(stem.out(1), 112);
  EXPECT_EQ(stem.out(0), 1);
  EXPECT_EQ(flops(stem), 236027904);  // 118 million multiply-adds
  EXPECT_EQ(reduction_length(stem, Pass::forward), 147);
  EXPECT_EQ(reduction_length(stem, Pass::backward_filter), 112 * 112);
}

TEST(Convolution, IsRefusedWithTheFieldThatIsWrong) {
  EXPECT_THROW(require_valid({.in_channels = 4, .out_channels = 6, .groups = 4}), std::invalid_argument);
  EXPECT_THROW(require_valid({.in = {{1, 2, 2}}, .filter = {{1, 3, 3}}}), std::invalid_argument);
  EXPECT_THROW(require_valid({.stride = {{1, 0, 1}}}), std::invalid_argument);
  EXPECT_NO_THROW(require_valid({.in = {{1, 2, 2}}, .filter = {{1, 3, 3}}, .padding = {{0, 1, 1}}}));
}

TEST(Sampled, IsEveryElementOnceWhereAllAreChecked) {
  for (std::int64_t i = 0; i < 10; ++i) EXPECT_EQ(sampled(i, 10, 10, 5), i);
}

TEST(Sampled, IsOneElementOfEachPart) {
  constexpr std::int64_t kTotal = 1003, kSamples = 17;
  std::int64_t last = -1;
  for (std::int64_t i = 0; i < kSamples; ++i) {
    const std::int64_t element = sampled(i, kSamples, kTotal, 5);
    EXPECT_GT(element, last);
    EXPECT_GE(element, i * kTotal / kSamples - 1);
    EXPECT_LE(element, (i + 1) * kTotal / kSamples);
    last = element;
  }
  EXPECT_LT(last, kTotal);
}

TEST(Sampled, LooksElsewhereWithAnotherSeedAndReachesBothEnds) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  EXPECT_NE(sampled(3, 1000, kLarge, 1), sampled(3, 1000, kLarge, 2));

  std::set<std::int64_t> first, last;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    first.insert(sampled(0, 3, 10, seed));
    last.insert(sampled(2, 3, 10, seed));
  }
  EXPECT_THAT(first, ElementsAre(0, 1, 2));
  EXPECT_THAT(last, ElementsAre(6, 7, 8, 9));
}

TEST(SamplesWithin, AreAllThatTheBudgetPaysForAndAtLeastOne) {
  EXPECT_EQ(samples_within(1000, 10, 50), 50);
  EXPECT_EQ(samples_within(1000, 10, 5000), 100);
  EXPECT_EQ(samples_within(1000, 10000, 5000), 1);
}

}  // namespace
}  // namespace cupel::kernels::dot
