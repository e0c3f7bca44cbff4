// Batch norm of channels-last arrays by the textbook, an operation a kernel, against as few passes as there can be:
// training reads the array for the statistics and again to normalise it, inference folds the statistics into a factor
// and a shift beforehand.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::Profile;
using kernels::DType;
using kernels::norm::Shape;
using Impl = NormImpl;
namespace norm = kernels::norm;
namespace reference = kernels::norm::reference;

constexpr double kEpsilon = static_cast<double>(kNormEpsilon);
constexpr bool kRelu = false;

// The single pass computes its statistics in fp32 from thousands of elements a strip, which is off by far less than
// what is allowed; the result is rounded once.
Tolerance with_statistics(Impl impl) {
  const Tolerance tolerance = of_normalised(impl);
  return impl == Impl::single_pass ? Tolerance{1e-4, tolerance.relative} : tolerance;
}

void training(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const void* in = input(Slot::input, kNormType, shape.rows * shape.columns);
  const float *gamma = column_floats(Slot::columns, shape), *beta = column_floats(Slot::more_columns, shape);
  void* out = result(kNormType, shape.rows * shape.columns);
  cuda::DeviceBuffer<float> mean = floats(shape.columns), inverse = floats(shape.columns),
                            partial = floats(norm::partial_floats(shape));
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + words(2 * shape.columns);
  operation.bytes_written = norm_bytes(shape) + words(2 * shape.columns);
  operation.launches = impl == Impl::textbook ? 10 : 3;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::batch_norm_training_textbook(kNormType, in, gamma, beta, kNormEpsilon, kRelu, out, mean.data(),
                                         inverse.data(), partial.data(), workspace, shape, stream);
    } else {
      norm::batch_norm_training(kNormType, in, gamma, beta, kNormEpsilon, kRelu, out, mean.data(), inverse.data(),
                                partial.data(), shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t c : looked_at(shape.columns)) {
      const std::vector<double> x = column_of(Slot::input, shape, c), g = inputs(Slot::columns, DType::fp32, c, 1),
                                b = inputs(Slot::more_columns, DType::fp32, c, 1);
      std::vector<double> expected(x.size()), of_mean(1), variance(1);
      reference::batch_norm(x, g, b, kEpsilon, kRelu, expected, of_mean, variance, 1);
      require_column(shape, out, c, expected, with_statistics(impl), "batch norm");
    }
    require_all_columns({.in = in, .gamma = gamma, .beta = beta, .relu = kRelu}, shape, out, with_statistics(impl),
                        "batch norm");
  };
  measure_norm(state, shape, operation);
}

// Statistics of all columns, on both sides, seeded: means of [-2, 2) and variances of [0.5, 2).
struct Known {
  explicit Known(const Shape& shape)
      : mean(static_cast<std::size_t>(shape.columns)),
        variance(mean.size()),
        device_mean(mean.size()),
        device_variance(mean.size()) {
    const std::uint64_t seed = 2 * harness::options().seed;
    verify::fill_uniform<float>(mean, seed, -2, 2);
    verify::fill_uniform<float>(variance, seed + 1, 0.5, 2);
    device_mean.from_host(std::span<const float>(mean));
    device_variance.from_host(std::span<const float>(variance));
  }
  std::vector<float> mean, variance;
  cuda::DeviceBuffer<float> device_mean, device_variance;
};

void inference(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const void* in = input(Slot::input, kNormType, shape.rows * shape.columns);
  const float *gamma = column_floats(Slot::columns, shape), *beta = column_floats(Slot::more_columns, shape);
  void* out = result(kNormType, shape.rows * shape.columns);
  const Known known(shape);
  cuda::DeviceBuffer<float> factor = floats(shape.columns), shift = floats(shape.columns);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);
  const cuda::Stream setup;
  norm::fold_batch_norm(gamma, beta, known.device_mean.data(), known.device_variance.data(), kNormEpsilon,
                        factor.data(), shift.data(), shape.columns, setup);
  setup.synchronize();

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + words(2 * shape.columns);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 5 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      // The folded way's ready factor is the textbook's scratch memory.
      norm::batch_norm_inference_textbook(kNormType, in, gamma, beta, known.device_mean.data(),
                                          known.device_variance.data(), kNormEpsilon, kRelu, out, factor.data(),
                                          workspace, shape, stream);
    } else {
      norm::scale_shift(kNormType, in, factor.data(), shift.data(), kRelu, out, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected = row_of(Slot::input, shape, r);
      for (std::size_t c = 0; c < expected.size(); ++c) {
        const auto column = static_cast<std::int64_t>(c);
        const double inverse = 1 / std::sqrt(static_cast<double>(known.variance[c]) + kEpsilon);
        expected[c] = (expected[c] - static_cast<double>(known.mean[c])) * inverse *
                          input_at(Slot::columns, DType::fp32, column) +
                      input_at(Slot::more_columns, DType::fp32, column);
      }
      require_row(shape, out, r, expected, of_normalised(impl), "batch norm inference");
    }
    require_all_columns({.in = in,
                         .gamma = gamma,
                         .beta = beta,
                         .mean = known.device_mean.data(),
                         .variance = known.device_variance.data(),
                         .relu = kRelu},
                        shape, out, of_normalised(impl), "batch norm inference");
  };
  measure_norm(state, shape, operation);
}

// Mean and inverse deviation of each column are the forward pass's.
void backward(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void *in = input(Slot::input, kNormType, count), *d_out = input(Slot::other, kNormType, count);
  const float* gamma = column_floats(Slot::columns, shape);
  cuda::DeviceBuffer<float> mean = floats(shape.columns), inverse = floats(shape.columns),
                            d_gamma = floats(shape.columns), d_beta = floats(shape.columns),
                            partial = floats(norm::partial_floats(shape));
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);
  const cuda::Stream setup;
  norm::batch_norm_training(kNormType, in, gamma, gamma, kNormEpsilon, kRelu, result(kNormType, count), mean.data(),
                            inverse.data(), partial.data(), shape, setup);
  setup.synchronize();
  void* d_in = result(kNormType, count);

  NormOperation operation;
  operation.bytes_read = 2 * norm_bytes(shape) + words(3 * shape.columns);
  operation.bytes_written = norm_bytes(shape) + words(2 * shape.columns);
  operation.launches = impl == Impl::textbook ? 14 : 3;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::batch_norm_backward_textbook(kNormType, in, d_out, gamma, mean.data(), inverse.data(), d_in, d_gamma.data(),
                                         d_beta.data(), partial.data(), workspace, shape, stream);
    } else {
      norm::batch_norm_backward(kNormType, in, d_out, gamma, mean.data(), inverse.data(), d_in, d_gamma.data(),
                                d_beta.data(), partial.data(), shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t c : looked_at(shape.columns)) {
      const std::vector<double> x = column_of(Slot::input, shape, c), d = column_of(Slot::other, shape, c),
                                g = inputs(Slot::columns, DType::fp32, c, 1);
      std::vector<double> expected(x.size()), of_gamma(1), of_beta(1);
      reference::batch_norm_backward(x, d, g, kEpsilon, expected, of_gamma, of_beta, 1);
      require_column(shape, d_in, c, expected, with_statistics(impl), "batch norm backward");
    }
    const RightColumns right =
        require_all_columns({.kind = Columnwise::Kind::batch_norm_backward, .in = in, .d_out = d_out, .gamma = gamma},
                            shape, d_in, with_statistics(impl), "batch norm backward");
    if (impl == Impl::textbook) return;  // which sums what it has rounded to the type
    require_floats(right.d_gamma, d_gamma, of_sum(shape), "d_gamma");
    require_floats(right.d_beta, d_beta, of_sum(shape), "d_beta");
  };
  measure_norm(state, shape, operation);
}

// The channels of an image network's stages.
NormPlace place(Profile smallest, std::int64_t arrays) {
  return {{.quick = {256}, .full = {64, 512, 2048}}, smallest, arrays};
}

}  // namespace

void register_batch_norm() {
  register_norm_operation("batch_norm_training", training, "fusion/norm/op:batch_norm_training/impl:textbook",
                          "fusion/norm/op:batch_norm_training/impl:single_pass", place(Profile::standard, 4));
  register_norm_operation("batch_norm_inference", inference, "fusion/norm/op:batch_norm_inference/impl:textbook",
                          "fusion/norm/op:batch_norm_inference/impl:single_pass", place(Profile::full, 4));
  register_norm_operation("batch_norm_backward", backward, "fusion/norm/op:batch_norm_backward/impl:textbook",
                          "fusion/norm/op:batch_norm_backward/impl:single_pass", place(Profile::full, 5));
}

}  // namespace cupel::bench::fusion
