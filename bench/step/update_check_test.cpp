// The check of an update refuses what a wrong one makes of numbers as a training has them, and takes what fp32 rounds.
#include "bench/step/update_check.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::step {
namespace {

using kernels::optimizer::Adam;
using kernels::optimizer::Sgd;

constexpr std::uint64_t kElements = 10'000;
constexpr std::int64_t kAdamStep = 6;
constexpr double kInverseScale = 0x1p-10;
constexpr Sgd kSgd{.learning_rate = 0.02, .momentum = 0.9, .weight_decay = 1e-4};
constexpr Adam kAdam{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};

// Weights of some tenths, a gradient and a moment about as large; the gradient is scaled, as with GradScaler.
OptimizedElement drawn(std::uint64_t i) {
  const auto in = [i](std::uint64_t seed, float low, float high) {
    return low + (high - low) * verify::Generator(seed).uniform_float(i);
  };
  const float sign = in(5, -1, 1) < 0 ? -1.0f : 1.0f;
  return {sign * in(1, 0.05f, 0.5f), in(2, -200, 200), in(3, -0.5f, 0.5f), in(4, 0.001f, 0.1f)};
}

template <class Operation>
OptimizedElement in_fp32(const OptimizedElement& before, const Operation& operation) {
  kernels::optimizer::Element<float> e{before.parameter, before.gradient * static_cast<float>(kInverseScale), before.m,
                                       before.v, 0};
  operation(e);
  return {e.parameter, before.gradient, e.m, e.v};
}

OptimizedElement stepped(const OptimizedElement& before, const Sgd& sgd) {
  return in_fp32(before, kernels::optimizer::SgdStep{kernels::optimizer::SgdConstants(sgd)});
}

OptimizedElement stepped(const OptimizedElement& before, const Adam& adam) {
  return in_fp32(before, kernels::optimizer::AdamStep{kernels::optimizer::AdamConstants(adam, kAdamStep)});
}

UpdateRule rule_of(const Sgd& sgd) { return {.sgd = &sgd, .inverse_scale = kInverseScale}; }
UpdateRule rule_of(const Adam& adam) { return {.adam = &adam, .adam_step = kAdamStep, .inverse_scale = kInverseScale}; }

// The share of elements that are refused where the update was `done` in place of `right`.
template <class Rule>
double refused(const Rule& right, const Rule& done) {
  double count = 0;
  for (std::uint64_t i = 0; i < kElements; ++i) {
    const OptimizedElement before = drawn(i);
    count += wrong_in_update(before, stepped(before, done), rule_of(right)).empty() ? 0 : 1;
  }
  return count / static_cast<double>(kElements);
}

TEST(UpdateCheck, TakesUpdatesInFp32) {
  EXPECT_EQ(refused(kSgd, kSgd), 0);
  EXPECT_EQ(refused(kAdam, kAdam), 0);
}

TEST(UpdateCheck, RefusesADecayThatIsLeftOut) {
  Sgd sgd = kSgd;
  sgd.weight_decay = 0;
  Adam adam = kAdam;
  adam.weight_decay = 0;

  EXPECT_EQ(refused(kSgd, sgd), 1);
  EXPECT_EQ(refused(kAdam, adam), 1);
}

TEST(UpdateCheck, RefusesAMomentumThatIsLeftOut) {
  Sgd sgd = kSgd;
  sgd.momentum = 0;
  Adam adam = kAdam;
  adam.beta1 = 0;

  EXPECT_GT(refused(kSgd, sgd), 0.99);
  EXPECT_GT(refused(kAdam, adam), 0.99);
}

TEST(UpdateCheck, SaysWhatIsWrong) {
  const OptimizedElement before{.parameter = 0.5f, .gradient = 0, .m = 1};
  const Sgd sgd{.learning_rate = 0.5, .momentum = 0.5};
  const UpdateRule rule{.sgd = &sgd};

  EXPECT_EQ(wrong_in_update(before, {.parameter = 0.25f, .m = 0.5f}, rule), "");
  EXPECT_EQ(wrong_in_update(before, {.parameter = 0.25f, .m = 1}, rule), "the moment is 1, not 0.5");
  EXPECT_EQ(wrong_in_update(before, {.parameter = 0.5f, .m = 0.5f}, rule), "the value is 0.5, not 0.25");
  EXPECT_EQ(wrong_in_update(before, {.parameter = 0.25f, .m = 0.5f, .v = 1}, rule), "the second moment is 1, not 0");
}

TEST(UpdateCheck, RefusesWhatIsNoNumber) {
  const OptimizedElement before{.parameter = 0.5f, .gradient = 0, .m = 1};
  OptimizedElement after = stepped(before, kSgd);
  after.parameter = std::numeric_limits<float>::quiet_NaN();

  EXPECT_EQ(wrong_in_update(before, after, rule_of(kSgd)).find("the value is nan"), 0u);
}

}  // namespace
}  // namespace cupel::bench::step
