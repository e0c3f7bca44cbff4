#include "kernels/training/training.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "kernels/common/test_arrays.hpp"

namespace cupel::kernels::training {
namespace {

using test::Array;
using test::expect_close;
using test::random_values;
using test::stored_as;
using test::Values;

TEST(ScaleBy, MultipliesByANumberOfTheDevice) {
  const cuda::Stream stream;
  const Array factor(DType::fp32, Values{65536});
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    for (const std::int64_t count : {0, 1, 255, 256, 1009}) {
      Values expected = random_values(type, count, 1, -0.5, 0.5);
      Array data(type, expected);
      for (double& x : expected) x *= 65536;

      scale_by(type, data.data(), static_cast<const float*>(factor.data()), count, stream);
      stream.synchronize();

      expect_close(expected, data.get());
    }
  }
}

TEST(UpdateLossScale, DoesWhatTheHostDoesAndForgetsTheInfinity) {
  const cuda::Stream stream;
  const LossScaleRule rule{.interval = 2};
  LossScale expected;
  cuda::DeviceBuffer<LossScale> state{std::span<const LossScale>(&expected, 1)};
  for (const float found : {0.0f, 0.0f, 1.0f, 0.0f}) {
    cuda::DeviceBuffer<float> found_inf{std::span<const float>(&found, 1)};
    expected.update(found != 0, rule);

    update_loss_scale(state.data(), found_inf.data(), rule, stream);
    stream.synchronize();

    const LossScale seen = state.to_host()[0];
    EXPECT_EQ(seen.scale, expected.scale);
    EXPECT_EQ(seen.inverse, expected.inverse);
    EXPECT_EQ(seen.good_steps, expected.good_steps);
    EXPECT_EQ(found_inf.to_host()[0], 0);
  }
}

TEST(UpdateRunning, MovesTowardsTheStatisticsOfTheStep) {
  const cuda::Stream stream;
  for (const std::int64_t count : {0, 1, 257}) {
    const auto random = [&](std::uint64_t seed) { return random_values(DType::fp32, count, seed, 0.5, 2); };
    const Values mean = random(1), inverse = random(2), unbias = random(3);
    Values running_mean = random(4), running_variance = random(5);
    Array device_mean(DType::fp32, mean), device_inverse(DType::fp32, inverse), device_unbias(DType::fp32, unbias);
    Array device_running_mean(DType::fp32, running_mean), device_running_variance(DType::fp32, running_variance);
    const double epsilon = static_cast<double>(1e-5f), momentum = static_cast<double>(0.1f);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double variance = (1 / (inverse[i] * inverse[i]) - epsilon) * unbias[i];
      running_mean[i] += momentum * (mean[i] - running_mean[i]);
      running_variance[i] += momentum * (variance - running_variance[i]);
    }

    update_running({device_mean.floats(), device_inverse.floats(), device_unbias.floats(), device_running_mean.floats(),
                    device_running_variance.floats()},
                   1e-5f, 0.1f, count, stream);
    stream.synchronize();

    // A dozen roundings of numbers of at most 8.
    expect_close(running_mean, device_running_mean.get(), stored_as(DType::fp32, 12, 8));
    expect_close(running_variance, device_running_variance.get(), stored_as(DType::fp32, 12, 8));
  }
}

}  // namespace
}  // namespace cupel::kernels::training
