// Layer norm and RMS norm by the textbook, an operation a kernel, against one kernel that reads each row once; forward,
// and the gradient of their input.
#include "kernels/norm/norm.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::Profile;
using kernels::norm::Shape;
using Impl = NormImpl;
namespace norm = kernels::norm;
namespace reference = kernels::norm::reference;

constexpr double kEpsilon = static_cast<double>(kNormEpsilon);

std::int64_t column_bytes(const Shape& shape) { return shape.columns * kernels::size_of(kNormType); }

std::vector<double> of_columns(Slot slot, const Shape& shape) { return inputs(slot, kNormType, 0, shape.columns); }

std::vector<double> zeros(const Shape& shape) { return std::vector<double>(static_cast<std::size_t>(shape.columns)); }

// Gradients are of size 1 too, four times that at most: an error of fp32 is.
Tolerance of_gradients(Impl impl) {
  const Tolerance tolerance = of_normalised(impl);
  return {4 * tolerance.absolute, tolerance.relative};
}

void layer_norm(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void *in = input(Slot::input, kNormType, count), *gamma = input(Slot::columns, kNormType, shape.columns),
             *beta = input(Slot::more_columns, kNormType, shape.columns);
  void* out = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + 2 * column_bytes(shape);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 8 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::layer_norm_textbook(kNormType, in, gamma, beta, kNormEpsilon, out, workspace, shape, stream);
    } else {
      norm::layer_norm(kNormType, in, gamma, beta, kNormEpsilon, out, nullptr, nullptr, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected = zeros(shape);
      reference::layer_norm(row_of(Slot::input, shape, r), of_columns(Slot::columns, shape),
                            of_columns(Slot::more_columns, shape), kEpsilon, expected, shape.columns);
      require_row(shape, out, r, expected, of_normalised(impl), "layer norm");
    }
    require_all_rows({.in = in, .gamma = gamma, .beta = beta}, shape, out, of_normalised(impl), "layer norm");
  };
  measure_norm(state, shape, operation);
}

void require_gradient_of_rows(const Shape& shape, const void* d_in, Impl impl) {
  for (const std::int64_t r : looked_at(shape.rows)) {
    std::vector<double> expected = zeros(shape), d_gamma = zeros(shape), d_beta = zeros(shape);
    reference::layer_norm_backward(row_of(Slot::input, shape, r), of_columns(Slot::columns, shape),
                                   row_of(Slot::other, shape, r), kEpsilon, expected, d_gamma, d_beta, shape.columns);
    require_row(shape, d_in, r, expected, of_gradients(impl), "layer norm backward");
  }
}

void require_sum(double found, const std::vector<double>& terms, double each, const std::string& what) {
  double sum = 0, magnitude = 0;
  for (const double term : terms) {
    sum += term;
    magnitude += std::fabs(term);
  }
  harness::require(std::fabs(found - sum) <= each * magnitude,
                   what + " is " + std::to_string(found) + ", not " + std::to_string(sum));
}

// In the first, the middle and the last column, with the statistics that the forward pass left.
void require_gradients_of_columns(const Shape& shape, const std::vector<float>& means,
                                  const std::vector<float>& inverses, const std::vector<float>& d_gamma,
                                  const std::vector<float>& d_beta, Impl impl) {
  // The textbook rounds each term to the type three times; sums in fp32 add what a few thousand additions make.
  const double each = (impl == Impl::textbook ? 3 * 0x1p-11 : 0.0) + 4096 * 0x1p-24;
  for (const std::int64_t c : looked_at(shape.columns)) {
    std::vector<double> terms = column_of(Slot::input, shape, c);
    const std::vector<double> d_out = column_of(Slot::other, shape, c);
    for (std::size_t r = 0; r < terms.size(); ++r) {
      terms[r] = d_out[r] * (terms[r] - static_cast<double>(means[r])) * static_cast<double>(inverses[r]);
    }
    const auto at = static_cast<std::size_t>(c);
    const std::string where = "layer norm backward: in column " + std::to_string(c) + " the gradient of ";
    require_sum(static_cast<double>(d_gamma[at]), terms, each, where + "gamma");
    require_sum(static_cast<double>(d_beta[at]), d_out, each, where + "beta");
  }
}

// Gradients of the input alone, or, as a training step asks for, of gamma and beta, too.
enum class Gradients { input, all };

// Mean and inverse deviation of each row are the forward pass's.
void layer_norm_backward(State& state, Impl impl, Gradients asked) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const bool all = asked == Gradients::all;
  const void *in = input(Slot::input, kNormType, count), *d_out = input(Slot::other, kNormType, count),
             *gamma = input(Slot::columns, kNormType, shape.columns);
  void* d_in = result(kNormType, count);
  cuda::DeviceBuffer<float> mean = floats(shape.rows), inverse = floats(shape.rows), d_gamma, d_beta, partial;
  if (all) {
    d_gamma = floats(shape.columns);
    d_beta = floats(shape.columns);
    partial = floats(norm::partial_floats(shape));
  }
  const cuda::Stream setup;
  norm::layer_norm(kNormType, in, gamma, gamma, kNormEpsilon, d_in, mean.data(), inverse.data(), shape, setup);
  setup.synchronize();
  d_in = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = 2 * norm_bytes(shape) + column_bytes(shape) + words(2 * shape.rows);
  operation.bytes_written = norm_bytes(shape) + (all ? words(2 * shape.columns) : 0);
  operation.launches = impl == Impl::textbook ? (all ? 17 : 10) : (all ? 3 : 1);
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::layer_norm_backward_textbook(kNormType, in, gamma, d_out, mean.data(), inverse.data(), d_in, workspace,
                                         shape, stream);
      if (!all) return;
      norm::parameter_gradients_textbook(kNormType, in, d_out, mean.data(), inverse.data(), d_gamma.data(),
                                         d_beta.data(), partial.data(), workspace, shape, stream);
    } else {
      norm::layer_norm_backward(kNormType, in, gamma, d_out, mean.data(), inverse.data(), d_in, shape, stream);
      if (!all) return;
      norm::parameter_gradients(kNormType, in, d_out, mean.data(), inverse.data(), d_gamma.data(), d_beta.data(),
                                partial.data(), shape, stream);
    }
  };
  operation.check = [&] {
    require_gradient_of_rows(shape, d_in, impl);
    require_all_rows({.kind = Rowwise::Kind::layer_norm_backward, .in = in, .d_out = d_out, .gamma = gamma}, shape,
                     d_in, of_gradients(impl), "layer norm backward");
    if (!all) return;
    require_gradients_of_columns(shape, mean.to_host(), inverse.to_host(), d_gamma.to_host(), d_beta.to_host(), impl);
  };
  measure_norm(state, shape, operation);
}

void rms_norm(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void *in = input(Slot::input, kNormType, count), *gamma = input(Slot::columns, kNormType, shape.columns);
  void* out = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = norm_bytes(shape) + column_bytes(shape);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 5 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::rms_norm_textbook(kNormType, in, gamma, kNormEpsilon, out, workspace, shape, stream);
    } else {
      norm::rms_norm(kNormType, in, gamma, kNormEpsilon, out, nullptr, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected = zeros(shape);
      reference::rms_norm(row_of(Slot::input, shape, r), of_columns(Slot::columns, shape), kEpsilon, expected,
                          shape.columns);
      require_row(shape, out, r, expected, of_normalised(impl), "RMS norm");
    }
    require_all_rows({.kind = Rowwise::Kind::rms_norm, .in = in, .gamma = gamma}, shape, out, of_normalised(impl),
                     "RMS norm");
  };
  measure_norm(state, shape, operation);
}

void rms_norm_backward(State& state, Impl impl) {
  const Shape shape = norm_shape(state);
  const std::int64_t count = shape.rows * shape.columns;
  const void *in = input(Slot::input, kNormType, count), *d_out = input(Slot::other, kNormType, count),
             *gamma = input(Slot::columns, kNormType, shape.columns);
  void* d_in = result(kNormType, count);
  cuda::DeviceBuffer<float> inverse = floats(shape.rows);
  const cuda::Stream setup;
  norm::rms_norm(kNormType, in, gamma, kNormEpsilon, d_in, inverse.data(), shape, setup);
  setup.synchronize();
  d_in = result(kNormType, count);
  norm::TextbookWorkspace workspace = norm_workspace(impl, shape);

  NormOperation operation;
  operation.bytes_read = 2 * norm_bytes(shape) + column_bytes(shape) + words(shape.rows);
  operation.bytes_written = norm_bytes(shape);
  operation.launches = impl == Impl::textbook ? 7 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::rms_norm_backward_textbook(kNormType, in, gamma, d_out, inverse.data(), d_in, workspace, shape, stream);
    } else {
      norm::rms_norm_backward(kNormType, in, gamma, d_out, inverse.data(), d_in, shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t r : looked_at(shape.rows)) {
      std::vector<double> expected = zeros(shape), d_gamma = zeros(shape);
      reference::rms_norm_backward(row_of(Slot::input, shape, r), of_columns(Slot::columns, shape),
                                   row_of(Slot::other, shape, r), kEpsilon, expected, d_gamma, shape.columns);
      require_row(shape, d_in, r, expected, of_gradients(impl), "RMS norm backward");
    }
    require_all_rows({.kind = Rowwise::Kind::rms_norm_backward, .in = in, .d_out = d_out, .gamma = gamma}, shape, d_in,
                     of_gradients(impl), "RMS norm backward");
  };
  measure_norm(state, shape, operation);
}

// The transformer's width in every profile that has the operation; from the widths of attention heads to those of
// vocabularies.
NormPlace forward_from(Profile smallest) {
  return {{.quick = {4096}, .standard = {32, 65536}, .full = {256, 1024, 16384}}, smallest, 4};
}
NormPlace backward_from(Profile smallest, bool judged) {
  return {{.quick = {4096}, .full = {32, 1024, 65536}}, smallest, 5, judged};
}

}  // namespace

void register_norm() {
  register_norm_operation("layer_norm", layer_norm, "fusion/norm/op:layer_norm/impl:textbook",
                          "fusion/norm/op:layer_norm/impl:single_pass", forward_from(Profile::quick));
  register_norm_operation(
      "layer_norm_backward", [](State& state, Impl impl) { layer_norm_backward(state, impl, Gradients::input); },
      "fusion/norm/op:layer_norm_backward/impl:textbook", "fusion/norm/op:layer_norm_backward/impl:single_pass",
      backward_from(Profile::standard, false));
  register_norm_operation(
      "layer_norm_backward_all", [](State& state, Impl impl) { layer_norm_backward(state, impl, Gradients::all); },
      "fusion/norm/op:layer_norm_backward_all/impl:textbook", "fusion/norm/op:layer_norm_backward_all/impl:single_pass",
      backward_from(Profile::standard, true));
  register_norm_operation("rms_norm", rms_norm, "fusion/norm/op:rms_norm/impl:textbook",
                          "fusion/norm/op:rms_norm/impl:single_pass", forward_from(Profile::standard));
  register_norm_operation("rms_norm_backward", rms_norm_backward, "fusion/norm/op:rms_norm_backward/impl:textbook",
                          "fusion/norm/op:rms_norm_backward/impl:single_pass", backward_from(Profile::full, false));
}

}  // namespace cupel::bench::fusion
