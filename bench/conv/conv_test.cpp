#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>

#include "bench/conv/layers.hpp"
#include "bench/conv/problem.hpp"
#include "bench/conv/transforms.hpp"

namespace cupel::bench::conv {
namespace {

TEST(ResNet50, Has53ConvolutionsOfFourBillionMultiplyAdds) {
  std::int64_t count = 0, multiply_adds = 0;
  for (const Layer& layer : resnet50()) {
    count += layer.times;
    multiply_adds += layer.times * flops(shape_of(layer, 1)) / 2;
  }

  EXPECT_EQ(count, 53);
  // Version 1.5 has 4.09 billion with its last, linear layer of 2 million.
  EXPECT_NEAR(static_cast<double>(multiply_adds), 4.087e9, 0.003e9);
}

TEST(Layers, AreValidAndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const auto* list : {&resnet50(), &others(), &examples()}) {
    for (const Layer& layer : *list) {
      EXPECT_TRUE(names.insert(layer.name).second) << layer.name;
      EXPECT_NO_THROW(require_valid(shape_of(layer, 64))) << layer.name;
      EXPECT_EQ(&bench::conv::layer(layer.name), &layer);
    }
  }
  EXPECT_THROW(layer("res6_3x3"), std::invalid_argument);
}

TEST(Layers, FollowOneAnother) {
  // The output of a stage is the input of the next one.
  EXPECT_EQ(shape_of(layer("stem_7x7"), 1).out(1), 112);
  EXPECT_EQ(shape_of(layer("res3_3x3_stride"), 1).out(1), layer("res3_1x1_expand").in[1]);
  EXPECT_EQ(shape_of(layer("res4_1x1_shortcut"), 1).out(1), layer("res4_1x1_expand").in[1]);
  EXPECT_EQ(shape_of(layer("res5_3x3_stride"), 1).out(1), layer("res5_3x3").in[1]);
}

TEST(Layers, KeepTheirSizeWithPadding) {
  for (const char* name : {"res2_3x3", "depthwise_3x3", "grouped_3x3", "dilated_3x3", "volume_3x3x3", "example_3x3"}) {
    const auto shape = shape_of(layer(name), 1);
    for (int a = 0; a < 3; ++a) EXPECT_EQ(shape.out(a), shape.in[a]) << name;
  }
}

Problem small(Pass pass, Precision precision) {
  return {{.batch = 2, .in_channels = 3, .out_channels = 5, .in = {{1, 8, 8}}, .filter = {{1, 3, 3}}}, pass, precision};
}

TEST(Problem, CountsOperandsOfEachPass) {
  EXPECT_EQ(small(Pass::forward, Precision::fp32).left_count(), 2 * 3 * 64);
  EXPECT_EQ(small(Pass::forward, Precision::fp32).right_count(), 5 * 3 * 9);
  EXPECT_EQ(small(Pass::backward_data, Precision::fp32).left_count(), 2 * 5 * 36);
  EXPECT_EQ(small(Pass::backward_data, Precision::fp32).result_count(), 2 * 3 * 64);
  EXPECT_EQ(small(Pass::backward_filter, Precision::fp32).right_count(), 2 * 3 * 64);
  EXPECT_EQ(small(Pass::backward_filter, Precision::fp32).result_count(), 5 * 3 * 9);
}

TEST(Problem, ReadsEachOperandOnceAndWritesTheResultOnce) {
  const record::Workload work = small(Pass::forward, Precision::fp16).work();

  EXPECT_EQ(work.bytes_read, 2 * (2 * 3 * 64 + 5 * 3 * 9));
  EXPECT_EQ(work.bytes_written, 2 * 2 * 5 * 36);
  EXPECT_EQ(work.flops, 2 * 2 * 5 * 36 * 3 * 9);
}

TEST(Problem, IsAnotherWithEachFieldThatDiffers) {
  Problem problem = small(Pass::forward, Precision::fp16);
  std::set<Problem> problems = {problem, small(Pass::backward_data, Precision::fp16),
                                small(Pass::forward, Precision::bf16)};
  problem.layout = Layout::channels_first;
  problems.insert(problem);
  problem.shape.dilation = {{1, 2, 1}};
  problems.insert(problem);
  problems.insert(problem);

  EXPECT_EQ(problems.size(), 5u);
}

Problem of_layer(const char* name, Pass pass, Layout layout) {
  return {shape_of(layer(name), 64), pass, Precision::fp32, layout};
}

// The workspaces that cuDNN 9.19 wants on an H200 (results/nvidia-h200/conv.json.gz): its engine 6, which it notes for
// Winograd, for the forward pass, and engine 17, which it notes for nothing, for the gradient of the filter.
TEST(WinogradBytes, AreWhatCudnnsEnginesWant) {
  constexpr Layout nchw = Layout::channels_first;
  EXPECT_EQ(winograd_bytes(of_layer("res5_3x3", Pass::forward, nchw)), 75497472);
  EXPECT_EQ(winograd_bytes(of_layer("res5_3x3", Pass::backward_filter, nchw)), 75497472);
  EXPECT_EQ(winograd_bytes(of_layer("res2_3x3", Pass::backward_filter, nchw)), 231800832);
}

TEST(WinogradBytes, AreNoneWhereTheAlgorithmDoesNotGo) {
  Problem half = of_layer("res5_3x3", Pass::forward, Layout::channels_first);
  half.precision = Precision::fp16;

  EXPECT_FALSE(winograd_bytes(half));
  for (const char* name : {"res5_1x1_reduce", "res5_3x3_stride", "dilated_3x3", "grouped_3x3", "volume_3x3x3"}) {
    EXPECT_FALSE(winograd_bytes(of_layer(name, Pass::forward, Layout::channels_first))) << name;
  }
}

TEST(SaidOfTransforms, IsWhatCudnnNotesOrWhatTheWorkspaceSays) {
  const Problem filter = of_layer("res5_3x3", Pass::backward_filter, Layout::channels_last);
  const auto says = [&](const Notes& notes, std::int64_t workspace_bytes, const char* text) {
    return transforms_note(filter, notes, workspace_bytes).find(text) != std::string::npos;
  };

  EXPECT_TRUE(says({.winograd = true}, 0, "by Winograd's algorithm: fewer multiplications"));
  EXPECT_TRUE(says({.fft = true}, 0, "by Fourier transforms: fewer multiplications"));
  EXPECT_TRUE(says({}, 75497472, "as its workspace says"));
  EXPECT_TRUE(says({}, 97779728, "as its workspace says"));  // with copies of the tensors, which are NHWC
  for (const std::int64_t direct : {0, 18432, 22282256, 57802752}) EXPECT_EQ(transforms_note(filter, {}, direct), "");
}

TEST(Legal, AreNoTensorCoresForFp32AndNoHalfFormatWhereNoneIsStored) {
  EXPECT_FALSE(legal(Precision::fp32, {.tensor_cores = true}));
  EXPECT_TRUE(legal(Precision::fp32, {}));
  EXPECT_TRUE(legal(Precision::tf32, {.tensor_cores = true}));
  EXPECT_FALSE(legal(Precision::tf32, {.tensor_cores = true, .down_converts = true}));
  EXPECT_FALSE(legal(Precision::tf32, {.tensor_cores = true, .reduces_precision = true}));
  EXPECT_TRUE(legal(Precision::fp16, {.tensor_cores = true, .reduces_precision = true}));
}

TEST(Bound, GrowsWithTheFormatAndWithTransforms) {
  const auto norm = [](Precision precision, const Notes& notes) {
    return bound(small(Pass::forward, precision), notes).frobenius;
  };

  EXPECT_LT(norm(Precision::fp32, {}), norm(Precision::fp16, {}));
  EXPECT_LT(norm(Precision::fp16, {}), norm(Precision::tf32, {}));
  EXPECT_LT(norm(Precision::tf32, {}), norm(Precision::bf16, {}));
  EXPECT_LT(norm(Precision::fp16, {}), norm(Precision::fp16, {.winograd = true}));
  EXPECT_LT(norm(Precision::fp32, {.fft = true}), norm(Precision::fp16, {}));
}

TEST(Bound, SeesThatATapOfTheFilterIsMissing) {
  // Without one of nine taps a result is off by a third.
  for (const Layer& layer : resnet50()) {
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16}) {
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_filter}) {
        const Problem problem{shape_of(layer, 64), pass, precision};
        EXPECT_LT(bound(problem, {}).frobenius, 0.33) << layer.name << ' ' << to_string(precision);
      }
    }
  }
}

TEST(Bound, OfFp32SeesTf32AtEveryLength) {
  // Operands rounded to 10 bits of fraction: each by 2^-12 in the root mean square and more, and there are two.
  constexpr double kErrorOfTf32 = 2.5e-4;
  for (const Layer& layer : resnet50()) {
    for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_filter}) {
      for (const Notes& notes : {Notes{}, Notes{.winograd = true}, Notes{.fft = true}}) {
        EXPECT_LT(bound({shape_of(layer, 64), pass, Precision::fp32}, notes).frobenius, kErrorOfTf32 / 2) << layer.name;
      }
    }
  }
}

TEST(Bound, OfATransformAllowsAnElementTheErrorsOfItsNeighbours) {
  const Problem problem = small(Pass::backward_data, Precision::fp32);
  const auto winograd = bound(problem, {.winograd = true});

  EXPECT_EQ(bound(problem, {}).allowed(0, 0), 0);
  EXPECT_GT(winograd.allowed(0, 0), winograd.frobenius);
  EXPECT_LT(winograd.allowed(0, 0), 1e-2);
}

// Every convolution of the family.
template <class Use>
void for_each_problem(const std::vector<Precision>& precisions, const Use& use) {
  for (const auto* list : {&resnet50(), &others(), &examples()}) {
    for (const Layer& layer : *list) {
      for (const std::int64_t batch : {1, 64, 256}) {
        for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_filter}) {
          for (const Precision precision : precisions) {
            SCOPED_TRACE(testing::Message() << layer.name << ", " << kernels::dot::to_string(pass) << ' '
                                            << to_string(precision) << ", batch " << batch);
            use(Problem{shape_of(layer, batch), pass, precision});
          }
        }
      }
    }
  }
}

double length_of(const Problem& problem) { return static_cast<double>(reduction_length(problem.shape, problem.pass)); }

TEST(Bound, AllowsSumsHalfOfALostProductWhateverTheLength) {
  for_each_problem({Precision::fp32, Precision::fp16, Precision::bf16}, [](const Problem& problem) {
    const double lost_product = 1 / std::sqrt(length_of(problem));
    const double of_result = bound(problem, {}).of_value;
    EXPECT_LE(bound(problem, {}).frobenius, of_result + 0.5 * lost_product * (1 + 1e-12));
    // Operands of a transform may be rounded to their format, however long the sum.
    const double of_operands = problem.precision == Precision::bf16 ? 0x1p-7 : 0x1p-9;
    for (const Notes& notes : {Notes{.winograd = true}, Notes{.fft = true}}) {
      EXPECT_LE(bound(problem, notes).frobenius,
                of_result + std::max(0.5 * lost_product, 0.25 * lost_product + of_operands));
    }
  });
}

TEST(BoundOfOneChain, IsThatOfAdditionsInTensorCores) {
  const Problem problem{shape_of(layer("volume_3x3x3"), 64), Pass::backward_filter, Precision::fp16};

  EXPECT_DOUBLE_EQ(bound_of_one_chain(problem).frobenius, std::ceil(length_of(problem) / 4) * 0x1p-23 + 0x1p-11);
  EXPECT_GT(bound_of_one_chain(problem).frobenius, bound(problem, {}).frobenius);
  EXPECT_DOUBLE_EQ(bound_of_one_chain(small(Pass::forward, Precision::bf16)).frobenius,
                   bound(small(Pass::forward, Precision::bf16), {}).frobenius);
}

TEST(Bound, OfARoundingSeesThreeAndAHalfOfThemInAFilterGradient) {
  const Problem problem{shape_of(layer("res2_3x3"), 64), Pass::backward_filter, Precision::fp16};

  EXPECT_GT(error_of_one_rounding(problem), 0.42 * 0x1p-11);
  EXPECT_LT(error_of_one_rounding(problem), 1.5 * 0.42 * 0x1p-11);
}

TEST(BoundOfRoundedParts, IsOfHalfPrecisionAndOfThreeUnitsAtMost) {
  for_each_problem({Precision::fp32, Precision::tf32, Precision::fp8_e4m3},
                   [](const Problem& problem) { EXPECT_FALSE(bound_of_rounded_parts(problem)); });
  for_each_problem({Precision::fp16, Precision::bf16}, [](const Problem& problem) {
    const auto wide = bound_of_rounded_parts(problem);
    ASSERT_TRUE(wide);
    EXPECT_LE(wide->frobenius, 3 * bound(problem, {}).of_value);
    EXPECT_GE(wide->frobenius, 2 * bound(problem, {}).of_value);
  });
}

TEST(ExactOperands, HaveTheSumsThatTheyAreFor) {
  for_each_problem({Precision::fp16, Precision::bf16}, [](const Problem& problem) {
    const ExactOperands operands = exact_operands(problem);
    const double root = std::sqrt(length_of(problem)), largest = problem.precision == Precision::fp16 ? 2048 : 256;
    // Both operands are not 0 in `density`, so products in its square.
    const double of_signs = operands.in_format.density * root;
    EXPECT_LE(8 * of_signs, largest * (1 + 1e-12));
    EXPECT_TRUE(operands.in_format.density == 1 || 8 * of_signs > 0.99 * largest);
    // Whole numbers of 1 to m, of either sign: (m + 1) (2 m + 1) / 6 is the mean of their squares.
    const double m = operands.in_fp32.most, of_whole = (m + 1) * (2 * m + 1) / 6 * root;
    EXPECT_LE(m, largest);
    EXPECT_GT(of_whole, 1024);
    EXPECT_LE(8 * of_whole, operands.in_fp32.most == 1 ? 0x1p24 : 0x1p16);
    EXPECT_NEAR(operands.alone.density * operands.by_sign.density * length_of(problem), 0.125, 1e-9);
  });
}

}  // namespace
}  // namespace cupel::bench::conv
