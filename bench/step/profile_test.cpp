#include "bench/step/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/step/nets.hpp"
#include "bench/step/pieces.hpp"

namespace cupel::bench::step {
namespace {

using record::KernelKind;
using record::StepKernels;
using record::StepProfile;
using record::WaitCause;

Recipe small(Precision precision, Layout layout = Layout::channels_last) {
  Recipe recipe{.net = "resnet18_32", .update = Update::fused, .loading = Loading::resident};
  recipe.options.batch = 2;
  recipe.options.precision = precision;
  recipe.options.layout = layout;
  return recipe;
}

// The first operation of this kind.
StepKernels first(const Recipe& recipe, Op op) {
  const Program program = program_of(recipe, recipe.options.batch);
  return work_of(program, *std::ranges::find(program.operations, op, &Operation::op));
}

TEST(Work, OfAConvolutionIsItsTensorsAndItsProducts) {
  const StepKernels stem = first(small(Precision::tf32), Op::convolution);  // 3 to 64 channels, 3 x 3, of 32 x 32

  EXPECT_EQ(stem.kind, KernelKind::convolution_forward);
  EXPECT_EQ(stem.precision, "tf32");
  EXPECT_EQ(stem.layout, "nhwc");
  EXPECT_EQ(stem.bytes, 4 * (2 * 3 * 32 * 32 + 64 * 3 * 9 + 2 * 64 * 32 * 32));
  EXPECT_EQ(stem.flops, 2LL * 2 * 32 * 32 * 64 * 3 * 9);
}

TEST(Work, OfANormLeavesScratchMemoryOut) {
  const StepKernels norm = first(small(Precision::amp_bf16), Op::batch_norm);

  EXPECT_EQ(norm.kind, KernelKind::norm);
  EXPECT_EQ(norm.precision, "bf16");
  EXPECT_EQ(norm.bytes, 2 * 2 * (2 * 64 * 32 * 32) + 4 * 4 * 64) << "x and y; gamma, beta, mean, deviation";
  EXPECT_FALSE(norm.flops);
}

TEST(Work, OfALinearLayerIsAProduct) {
  const StepKernels product = first(small(Precision::fp32), Op::linear);  // 512 to 10

  EXPECT_EQ(product.kind, KernelKind::gemm);
  EXPECT_EQ(product.precision, "fp32");
  EXPECT_EQ(product.layout, "");
  EXPECT_EQ(product.flops, 2 * 2 * 512 * 10);
}

TEST(Work, OfAllConvolutionsAndProductsIsThreeTimesTheForwardPassLessTheFirstLayersData) {
  const Recipe recipe = small(Precision::fp32);
  const Program program = program_of(recipe, 2);
  std::int64_t flops = 0;
  for (const Operation& operation : program.operations) flops += work_of(program, operation).flops.value_or(0);

  EXPECT_EQ(flops, 3 * 2 * forward_flops(program.net) - *first(recipe, Op::convolution).flops);
}

TEST(Work, OfAConvolutionsBiasIsABiasAndOfALinearLayersNone) {
  Recipe recipe = small(Precision::fp32);
  EXPECT_EQ(first(recipe, Op::bias_gradient).kind, KernelKind::elementwise);

  recipe.conv_bias = true;
  EXPECT_EQ(first(recipe, Op::bias).kind, KernelKind::bias);
}

TEST(Profile, OfTheNaiveStepSaysWhatItWaitsForAndTakes) {
  const StepProfile profile = unseen_profile(checked(naive("resnet18_32", 2)));

  EXPECT_EQ(profile.waits_for(WaitCause::copy), 1);
  EXPECT_EQ(profile.waits_for(WaitCause::loss), 1);
  EXPECT_EQ(profile.waits_for(WaitCause::memory), 1);
  EXPECT_GT(profile.allocations.calls, 100);
  EXPECT_TRUE(profile.allocations.given_back);
  EXPECT_EQ(profile.switches.precision, "fp32");
  EXPECT_EQ(profile.switches.gradients, "filled");
  EXPECT_EQ(profile.parameters, 11'173'962);
  EXPECT_FALSE(never_waits(naive("resnet18_32", 2)));
}

TEST(Profile, OfTheTunedStepWaitsForNothing) {
  const StepProfile profile = unseen_profile(checked(tuned("resnet18_32", 2)));

  EXPECT_TRUE(profile.waits.empty());
  EXPECT_EQ(profile.allocations.calls, 0);
  EXPECT_EQ(profile.switches.launch, "graph");
  EXPECT_TRUE(never_waits(tuned("resnet18_32", 2)));
}

std::size_t place_of(const Recipe& recipe, Op op) {
  const Program program = program_of(recipe, recipe.options.batch);
  return static_cast<std::size_t>(std::ranges::find(program.operations, op, &Operation::op) -
                                  program.operations.begin());
}

// Records of two steps, as from CUPTI: a copy, a convolution of two kernels, a norm, a fill, and an optimizer of three.
TEST(Profile, AddsUpWhatWasSeenAndDividesItByTheSteps) {
  const Recipe recipe = checked(naive("resnet18_32", 2));
  const std::size_t convolution = place_of(recipe, Op::convolution), norm = place_of(recipe, Op::batch_norm);
  using What = Seen::What;
  std::vector<Seen> seen;
  for (int step = 0; step < 2; ++step) {
    seen.push_back({.what = What::h2d, .part = Part::load, .time_s = 1e-3, .bytes = 24576, .is_pageable = true});
    seen.push_back({.what = What::fill, .part = Part::fill, .time_s = 2e-5, .bytes = 1000});
    seen.push_back({.part = Part::operation, .operation = convolution, .time_s = 3e-5});
    seen.push_back({.part = Part::operation, .operation = convolution, .time_s = 1e-5});
    seen.push_back({.part = Part::operation, .operation = norm, .time_s = 5e-5});
    for (int i = 0; i < 3; ++i) seen.push_back({.part = Part::update, .time_s = 1e-6});
  }

  const StepProfile profile = profile_of(recipe, seen, 2);

  EXPECT_EQ(profile.launches, 8);
  EXPECT_NEAR(profile.time_s(KernelKind::convolution_forward), 4e-5, 1e-12);
  EXPECT_EQ(profile.calls(KernelKind::convolution_forward), 1);
  EXPECT_EQ(profile.launches_of(KernelKind::convolution_forward), 2);
  EXPECT_NEAR(profile.time_s(KernelKind::norm), 5e-5, 1e-12);
  EXPECT_EQ(profile.launches_of(KernelKind::optimizer), 3);
  EXPECT_NEAR(profile.time_s(KernelKind::fill), 2e-5, 1e-12);
  ASSERT_EQ(profile.copies.size(), 1u);
  EXPECT_EQ(profile.copies[0].bytes, 24576);
  EXPECT_NEAR(*profile.copies[0].time_s, 1e-3, 1e-12);
  EXPECT_TRUE(profile.copies[0].blocking);
  EXPECT_FALSE(profile.copies[0].overlapped);
}

TEST(Profile, OfWhatIsCopiedAheadHasItOverlapped) {
  const Recipe recipe = checked(tuned("resnet18_32", 2));
  const Seen from_host{.what = Seen::What::h2d, .part = Part::load, .time_s = 1e-3, .bytes = 24576};
  const Seen inside{.what = Seen::What::d2d, .part = Part::load, .time_s = 1e-6, .bytes = 24576};
  const Seen seen[] = {from_host, inside};

  const StepProfile profile = profile_of(recipe, seen, 1);

  ASSERT_EQ(profile.copies.size(), 1u);
  EXPECT_TRUE(profile.copies[0].overlapped);
  EXPECT_NEAR(profile.time_s(KernelKind::copy), 1e-6, 1e-12);
}

TEST(Rungs, AreTheWaterfallByName) {
  const std::vector<Rung> all = rungs("resnet18_32");

  ASSERT_EQ(all.size(), 2 * pieces().size() + 1);
  EXPECT_EQ(all.front().name, "step/waterfall/add:nothing/net:resnet18_32");
  EXPECT_EQ(all.back().name, "step/waterfall/drop:copies_ahead/net:resnet18_32");
}

TEST(Rungs, OfAnEagerHostSayIt) {
  const std::vector<Rung> all = rungs("resnet18_32", Layout::channels_last, Host::eager);

  ASSERT_EQ(all.size(), 2 * pieces().size() + 1);
  EXPECT_EQ(all.front().name, "step/waterfall/add:nothing/net:resnet18_32/host:eager");
  for (const Rung& rung : all) EXPECT_EQ(rung.recipe.host, Host::eager) << rung.name;
  for (const Rung& rung : rungs("resnet18_32")) EXPECT_EQ(rung.recipe.host, Host::native) << rung.name;
}

TEST(Rungs, InBf16AreThoseFromAutocastOn) {
  const std::vector<Rung> all = rungs_in_bf16("resnet18_32");

  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all.front().name, "step/waterfall/add:amp_bf16/net:resnet18_32/amp:bf16");
  EXPECT_EQ(all.back().name, "step/waterfall/add:copies_ahead/net:resnet18_32/amp:bf16");
  for (const Rung& rung : all) {
    EXPECT_EQ(rung.recipe.options.precision, Precision::amp_bf16) << rung.name;
  }
}

TEST(Rungs, WithChannelsFirstNeverHaveThemLast) {
  const std::vector<Rung> all = rungs("resnet18_32", Layout::channels_first);

  ASSERT_EQ(all.size(), 2 * pieces().size() - 1);
  EXPECT_EQ(all.front().name, "step/waterfall/add:nothing/net:resnet18_32/layout:nchw");
  for (const Rung& rung : all) {
    EXPECT_EQ(rung.recipe.options.layout, Layout::channels_first) << rung.name;
    EXPECT_NE(rung.change, "channels_last");
  }
}

}  // namespace
}  // namespace cupel::bench::step
