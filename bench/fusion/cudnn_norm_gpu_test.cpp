// cuDNN's norms and softmax, and its batch norm with ReLU, at small and awkward sizes against the formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

#include "bench/fusion/cudnn_norm_graph.hpp"
#include "bench/fusion/cudnn_norm_relu.hpp"
#include "bench/fusion/cudnn_norm_softmax.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/common/test_arrays.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::test::Array;
using kernels::test::expect_close;
using kernels::test::random_values;
using kernels::test::refusal;
using kernels::test::stored_as;
using kernels::test::Values;
namespace reference = kernels::norm::reference;

constexpr float kEpsilon = 1e-5f;

// Normalised values are below 8, parameters below 2: some roundings to fp32 of values below 16.
const verify::Tolerance kNormalised = stored_as(DType::fp16, 64, 16);

struct Rows {
  Rows(std::int64_t n, std::int64_t m)
      : rows(n),
        columns(m),
        x(random_values(DType::fp16, n * m, 1)),
        gamma(random_values(DType::fp32, m, 2)),
        beta(random_values(DType::fp32, m, 3)),
        expected(x.size()),
        device_x(DType::fp16, x),
        device_gamma(DType::fp32, gamma),
        device_beta(DType::fp32, beta),
        out(DType::fp16, n * m),
        mean(DType::fp32, n),
        inverse_deviation(DType::fp32, n) {}

  void run(const vendor::CudnnPlan& plan) {
    const std::int64_t bytes = plan.workspace_bytes();
    cuda::DeviceBuffer<char> workspace(static_cast<std::size_t>(bytes > 0 ? bytes : 1));
    const cuda::Stream stream;
    plan.execute({{kNormInput, device_x.data()},
                  {kNormGamma, device_gamma.data()},
                  {kNormBeta, device_beta.data()},
                  {kNormOutput, out.data()},
                  {kNormMean, mean.data()},
                  {kNormInverseDeviation, inverse_deviation.data()}},
                 workspace.data(), stream);
    stream.synchronize();
  }

  std::int64_t rows, columns;
  Values x, gamma, beta, expected;
  Array device_x, device_gamma, device_beta, out, mean, inverse_deviation;
};

TEST(CudnnNorm, OfLayersIsTheReferences) {
  int ran = 0;
  for (const std::int64_t columns : {32, 768, 4096}) {
    for (const bool training : {false, true}) {
      Rows data(37, columns);
      reference::layer_norm(data.x, data.gamma, data.beta, static_cast<double>(kEpsilon), data.expected, columns);
      try {
        data.run(layer_norm_plan({37, columns, kEpsilon, training}));
      } catch (const vendor::NotSupported& reason) {
        std::printf("%lld columns: %s\n", static_cast<long long>(columns), reason.what());
        continue;
      }
      expect_close(data.expected, data.out.get(), kNormalised);
      if (training) {
        Values mean(37);
        for (std::size_t i = 0; i < data.x.size(); ++i) {
          mean[i / static_cast<std::size_t>(columns)] += data.x[i] / static_cast<double>(columns);
        }
        expect_close(mean, data.mean.get(), {.absolute = 1e-5});
      }
      ++ran;
    }
  }
  EXPECT_GT(ran, 0);
}

TEST(CudnnNorm, ByRootMeanSquareIsTheReferences) {
  int ran = 0;
  for (const std::int64_t columns : {32, 768, 4096}) {
    Rows data(37, columns);
    reference::rms_norm(data.x, data.gamma, static_cast<double>(kEpsilon), data.expected, columns);
    try {
      data.run(rms_norm_plan({37, columns, kEpsilon, false}));
    } catch (const vendor::NotSupported& reason) {
      std::printf("%lld columns: %s\n", static_cast<long long>(columns), reason.what());
      continue;
    }
    expect_close(data.expected, data.out.get(), kNormalised);
    ++ran;
  }
  EXPECT_GT(ran, 0);
}

TEST(CudnnSoftmax, IsTheReferencesForwardAndBackward) {
  for (const std::int64_t columns : {1, 31, 1000, 4096}) {
    constexpr std::int64_t kRows = 37;
    const Values x = random_values(DType::fp16, kRows * columns, 4),
                 d_out = random_values(DType::fp16, kRows * columns, 5);
    const Array device_x(DType::fp16, x), device_d_out(DType::fp16, d_out);
    Array out(DType::fp16, kRows * columns), d_in(DType::fp16, kRows * columns);
    Values expected(x.size()), expected_d_in(x.size());
    const CudnnSoftmax softmax(kRows, columns);
    const cuda::Stream stream;

    softmax.forward(device_x.data(), out.data(), stream);
    softmax.backward(out.data(), device_d_out.data(), d_in.data(), stream);
    stream.synchronize();

    SCOPED_TRACE(columns);
    reference::softmax(x, expected, columns);
    // In long rows cuDNN rounds exp(x - max) to fp16, and then the share: at e^-4 and more, no exponential is
    // subnormal.
    expect_close(expected, out.get(), {.absolute = 0x1p-24, .relative = 2 * 0x1.01p-11 + 5e-5});
    reference::softmax_backward(out.get(), d_out, expected_d_in, columns);
    expect_close(expected_d_in, d_in.get(),
                 {.absolute = 0x1p-24 + 1e-4 / static_cast<double>(columns), .relative = 0x1.01p-11});
  }
}

TEST(CudnnSoftmax, RefusesWhatCudnnCannotCount) {
  EXPECT_NE(refusal([] { CudnnSoftmax(1 << 20, 1 << 12); }).find("rows x columns"), std::string::npos);
}

// Planes of 5 x 3 make odd numbers of rows. What cuDNN refuses is printed.
TEST(CudnnNormRelu, IsTheReferencesWithItsStatistics) {
  int ran = 0;
  for (const std::int64_t channels : {4, 64, 260}) {
    const Activations shape{.batch = 7, .height = 5, .width = 3, .channels = channels};
    const std::int64_t count = 7 * 5 * 3 * channels;
    const auto columns = static_cast<std::size_t>(channels);
    const Values x = random_values(DType::fp16, count, 6), gamma = random_values(DType::fp32, channels, 7),
                 beta = random_values(DType::fp32, channels, 8);
    Array device_x(DType::fp16, x), device_gamma(DType::fp32, gamma), device_beta(DType::fp32, beta),
        out(DType::fp16, count), mean(DType::fp32, channels), inverse(DType::fp32, channels);
    Values expected(x.size()), expected_mean(columns), expected_inverse(columns);
    reference::batch_norm(x, gamma, beta, static_cast<double>(kEpsilon), true, expected, expected_mean,
                          expected_inverse, channels);
    for (double& value : expected_inverse) value = 1 / std::sqrt(value + static_cast<double>(kEpsilon));
    SCOPED_TRACE(channels);
    try {
      const CudnnNormRelu norm(shape, static_cast<double>(kEpsilon));
      cuda::DeviceBuffer<char> workspace(static_cast<std::size_t>(norm.workspace_bytes() + 1)),
          reserve(static_cast<std::size_t>(norm.reserve_bytes() + 1));
      const cuda::Stream stream;
      norm.forward(device_x.data(), device_gamma.floats(), device_beta.floats(), out.data(), mean.floats(),
                   inverse.floats(), workspace.data(), reserve.data(), stream);
      stream.synchronize();
    } catch (const vendor::CallRefused<cudnnStatus_t>& refusal) {
      std::printf("%lld channels: %s\n", static_cast<long long>(channels), refusal.what());
      continue;
    }
    expect_close(expected, out.get(), kNormalised);
    expect_close(expected_mean, mean.get(), {.absolute = 1e-5});
    expect_close(expected_inverse, inverse.get(), {.absolute = 1e-5});
    ++ran;
  }
  EXPECT_GT(ran, 0);
}

TEST(CudnnNormRelu, RefusesWhatCudnnCannotCount) {
  EXPECT_NE(refusal([] { CudnnNormRelu({1 << 10, 1 << 10, 1 << 10, 4}, 1e-5); }).find("fit an int"), std::string::npos);
}

}  // namespace
}  // namespace cupel::bench::fusion
