#include "bench/optimizer/training_state.hpp"

#include <gtest/gtest.h>

#include "cupel/harness/run.hpp"

namespace cupel::bench::optimizer {
namespace {

using kernels::optimizer::Adam;
using kernels::optimizer::Sgd;
using kernels::optimizer::Way;

constexpr Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};
constexpr Sgd kSgd{.learning_rate = 1e-2, .momentum = 0.9};
const Sizes kSizes = {1000, 1, 5000};

// An element of the third tensor, and neither its first, its middle nor its last.
constexpr std::size_t kTensor = 2;
constexpr std::int64_t kElement = 1234;

TEST(RequireStep, TakesWhatIsRight) {
  TrainingState training(kSizes);

  for (const Way way : {Way::loop, Way::foreach, Way::fused}) {
    training.require_step(
        [&](cudaStream_t s) { kernels::optimizer::step(way, kAdamW, TrainingState::kStep, training.tensors(), {}, s); },
        &kAdamW, nullptr, 1, "adam");
    training.require_step([&](cudaStream_t s) { kernels::optimizer::step(way, kSgd, training.tensors(), {}, s); },
                          nullptr, &kSgd, 1, "sgd");
  }
}

TEST(RequireStep, RefusesOneElementThatIsWrongOfAnyArray) {
  TrainingState training(kSizes);
  const kernels::optimizer::Tensor& tensor = training.tensors().tensors()[kTensor];

  for (float* array : {tensor.parameter, tensor.m, tensor.v}) {
    const auto step = [&](cudaStream_t s) {
      kernels::optimizer::step(Way::fused, kAdamW, TrainingState::kStep, training.tensors(), {}, s);
      cuda::check(cudaMemsetAsync(array + kElement, 0, sizeof(float), s));
    };
    EXPECT_THROW(training.require_step(step, &kAdamW, nullptr, 1, "adam"), harness::CheckFailed);
  }
}

TEST(RequireStep, RefusesADecayThatIsLeftOut) {
  TrainingState training(kSizes);
  Adam without = kAdamW;
  without.weight_decay = 0;

  EXPECT_THROW(training.require_step(
                   [&](cudaStream_t s) {
                     kernels::optimizer::step(Way::fused, without, TrainingState::kStep, training.tensors(), {}, s);
                   },
                   &kAdamW, nullptr, 1, "adam"),
               harness::CheckFailed);

  const Sgd with{.learning_rate = 1e-2, .momentum = 0.9, .weight_decay = 1e-4};
  EXPECT_THROW(training.require_step(
                   [&](cudaStream_t s) { kernels::optimizer::step(Way::foreach, kSgd, training.tensors(), {}, s); },
                   nullptr, &with, 1, "sgd"),
               harness::CheckFailed);
}

}  // namespace
}  // namespace cupel::bench::optimizer
