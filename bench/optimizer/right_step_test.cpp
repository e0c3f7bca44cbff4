// The check of an optimizer's step refuses what a wrong step makes of the benchmark's numbers, and takes what fp32
// rounds.
#include "bench/optimizer/right_step.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cupel/verify/generator.hpp"
#include "kernels/optimizer/reference.hpp"

namespace cupel::bench::optimizer {
namespace {

using kernels::optimizer::Adam;
using kernels::optimizer::Element;
using kernels::optimizer::Sgd;

constexpr std::int64_t kStep = 10;
constexpr std::uint64_t kElements = 10'000;
constexpr Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};
constexpr Sgd kSgd{.learning_rate = 1e-2, .momentum = 0.9, .weight_decay = 1e-4};

// Element i as the benchmarks draw it.
Element<float> drawn(std::uint64_t i) {
  const auto in = [i](std::uint64_t seed, float low, float high) {
    return low + (high - low) * verify::Generator(seed).uniform_float(i);
  };
  return {in(1, -1, 1), in(2, -1, 1), in(3, -0.1f, 0.1f), in(4, 0.01f, 0.1f), 0};
}

Values values_of(const Element<float>& e) {
  return {static_cast<double>(e.parameter), static_cast<double>(e.m), static_cast<double>(e.v)};
}

Values right_of(const RightStep& step, const Element<float>& e) {
  return after(step, values_of(e), static_cast<double>(e.gradient));
}

// The share of elements that the check refuses where `operation` made them in fp32.
template <class Operation>
double share_refused(const RightStep& right, const Operation& operation) {
  double refused = 0;
  for (std::uint64_t i = 0; i < kElements; ++i) {
    Element<float> element = drawn(i);
    const Values expected = right_of(right, element);
    operation(element);
    refused += is_right(values_of(element), expected, kAllowed) ? 0 : 1;
  }
  return refused / static_cast<double>(kElements);
}

double refused_of(const Adam& right, const Adam& done) {
  const kernels::optimizer::AdamStep step{kernels::optimizer::AdamConstants(done, kStep)};
  return share_refused(right_step(right, kStep), step);
}

double refused_of(const Sgd& right, const Sgd& done) {
  return share_refused(right_step(right), kernels::optimizer::SgdStep{kernels::optimizer::SgdConstants(done)});
}

// The value after one step of the reference.
template <class Step>
Values referred(const Element<float>& e, const Step& step) {
  Values to = values_of(e);
  double gradient = static_cast<double>(e.gradient);
  step(kernels::optimizer::reference::Tensor{{&to.parameter, 1}, {&gradient, 1}, {&to.m, 1}, {&to.v, 1}});
  return to;
}

void expect_equal(const Values& seen, const Values& expected) {
  EXPECT_DOUBLE_EQ(seen.parameter, expected.parameter);
  EXPECT_DOUBLE_EQ(seen.m, expected.m);
  EXPECT_DOUBLE_EQ(seen.v, expected.v);
}

TEST(RightStep, IsThatOfTheReference) {
  Adam in_gradient = kAdamW;
  in_gradient.decoupled = false;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Element<float> e = drawn(i);
    for (const Adam& adam : {kAdamW, in_gradient}) {
      const Values expected = referred(e, [&](const auto& t) { kernels::optimizer::reference::adam(adam, kStep, t); });
      expect_equal(right_of(right_step(adam, kStep), e), expected);
    }
    const Values expected = referred(e, [&](const auto& t) { kernels::optimizer::reference::sgd(kSgd, t); });
    expect_equal(right_of(right_step(kSgd), e), expected);
  }
}

TEST(RightStep, TakesEveryElementOfOneInFp32) {
  EXPECT_EQ(refused_of(kAdamW, kAdamW), 0);
  EXPECT_EQ(refused_of(kSgd, kSgd), 0);
}

// AdamW's decay is 1e-5 of a parameter, seven times what the largest may be off by; SGD's is 1e-4 in the velocity.
TEST(RightStep, RefusesADecayThatIsLeftOut) {
  Adam adam = kAdamW;
  adam.weight_decay = 0;
  Sgd sgd = kSgd;
  sgd.weight_decay = 0;

  EXPECT_GT(refused_of(kAdamW, adam), 0.8);
  EXPECT_GT(refused_of(kSgd, sgd), 0.95);
}

TEST(RightStep, RefusesAMomentumThatIsLeftOut) {
  Adam adam = kAdamW;
  adam.beta1 = 0;
  Sgd sgd = kSgd;
  sgd.momentum = 0;

  EXPECT_GT(refused_of(kAdamW, adam), 0.95);
  EXPECT_GT(refused_of(kSgd, sgd), 0.95);
}

TEST(RightStep, RefusesAnElementThatIsNotUpdated) {
  const auto nothing = [](Element<float>&) {};

  EXPECT_GT(share_refused(right_step(kAdamW, kStep), nothing), 0.95);
  EXPECT_GT(share_refused(right_step(kSgd), nothing), 0.95);
}

TEST(RightStep, RefusesWhatIsNoNumber) {
  const auto none = std::numeric_limits<double>::quiet_NaN();

  EXPECT_FALSE(is_right({none, 0, 0}, {0, 0, 0}, kAllowed));
  EXPECT_FALSE(is_right({0, none, 0}, {0, 0, 0}, kAllowed));
  EXPECT_FALSE(is_right({0, 0, none}, {0, 0, 0}, kAllowed));
}

}  // namespace
}  // namespace cupel::bench::optimizer
