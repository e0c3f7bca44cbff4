// Normalisations by the textbook, an operation a kernel, against one kernel that reads each row once.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using kernels::DType;
using kernels::size_of;
using kernels::norm::Shape;
using record::Role;
namespace norm = kernels::norm;
namespace reference = kernels::norm::reference;

enum class Impl { textbook, single_pass };

constexpr DType kType = DType::fp16;
constexpr std::int64_t kElements = std::int64_t{1} << 25;  // 8192 x 4096
constexpr float kEpsilon = 1e-5f;

// What an operation is: how it runs, how many kernels that is, and what a row of it should be.
struct Operation {
  std::int64_t inputs = 1;  // arrays of the full size that are read
  std::function<void(cudaStream_t)> run;
  int launches = 1;
  std::function<std::vector<double>(std::int64_t row)> expected;
  Tolerance tolerance = {};
};

const double kUnit = kernels::unit_roundoff(kType);
constexpr double kSubnormal = 0x1p-25;  // to which the smallest numbers of fp16 are rounded

// Normalised values are of size 1. The textbook's temporaries are rounded to the type some six times, values of at most
// 16; the single pass rounds once what it computed in fp32.
Tolerance of_normalised(Impl impl) {
  return impl == Impl::single_pass ? Tolerance{1e-5, 1.01 * kUnit} : Tolerance{6 * 16 * kUnit, 0};
}

// Shares: the textbook rounds differences of at most 4 before the exponential makes a relative error of that.
Tolerance of_shares(Impl impl) {
  return {1.01 * kSubnormal, impl == Impl::single_pass ? 1.01 * kUnit + 1e-5 : 8 * kUnit};
}

// Gradients are a share, of at most 16 / columns, times differences below 4. The textbook's sum has lost up to a
// subnormal rounding a column, which a share then scales.
Tolerance of_gradients(Impl impl, std::int64_t columns) {
  const double share = 16.0 / static_cast<double>(columns);
  if (impl == Impl::single_pass) return {1e-5 * share + 1.01 * kSubnormal, 1.01 * kUnit};
  return {share * (6 * 4 * kUnit + static_cast<double>(columns) * kSubnormal) + 4 * kSubnormal, 0};
}

void measure(State& state, const Shape& shape, const void* out, const Operation& operation, const std::string& what) {
  const std::int64_t bytes = kElements * size_of(kType);
  hold_against_memory();

  timing::sample_device(state, {.bytes_read = operation.inputs * bytes, .bytes_written = bytes, .items = kElements},
                        operation.run, {.launches = operation.launches});

  for (const std::int64_t row : {std::int64_t{0}, shape.rows / 2, shape.rows - 1}) {
    require_close(operation.expected(row), elements(kType, out, row * shape.columns, shape.columns),
                  operation.tolerance, row * shape.columns, what);
  }
}

Shape shape_of(const State& state) { return {kElements / state.range(0), state.range(0)}; }

void layer_norm(State& state, Impl impl) {
  const Shape shape = shape_of(state);
  const void *in = input(Slot::input, kType, kElements), *gamma = input(Slot::columns, kType, shape.columns),
             *beta = input(Slot::more_columns, kType, shape.columns);
  void* out = result(kType, kElements);
  norm::TextbookWorkspace workspace(kType, impl == Impl::textbook ? shape : Shape{});

  Operation operation;
  operation.tolerance = of_normalised(impl);
  operation.launches = impl == Impl::textbook ? 8 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::layer_norm_textbook(kType, in, gamma, beta, kEpsilon, out, workspace, shape, stream);
    } else {
      norm::layer_norm(kType, in, gamma, beta, kEpsilon, out, nullptr, nullptr, shape, stream);
    }
  };
  operation.expected = [&](std::int64_t row) {
    std::vector<double> expected(static_cast<std::size_t>(shape.columns));
    reference::layer_norm(
        inputs(Slot::input, kType, row * shape.columns, shape.columns), inputs(Slot::columns, kType, 0, shape.columns),
        inputs(Slot::more_columns, kType, 0, shape.columns), static_cast<double>(kEpsilon), expected, shape.columns);
    return expected;
  };
  measure(state, shape, out, operation, "layer norm");
}

void rms_norm(State& state, Impl impl) {
  const Shape shape = shape_of(state);
  const void *in = input(Slot::input, kType, kElements), *gamma = input(Slot::columns, kType, shape.columns);
  void* out = result(kType, kElements);
  norm::TextbookWorkspace workspace(kType, impl == Impl::textbook ? shape : Shape{});

  Operation operation;
  operation.tolerance = of_normalised(impl);
  operation.launches = impl == Impl::textbook ? 5 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::rms_norm_textbook(kType, in, gamma, kEpsilon, out, workspace, shape, stream);
    } else {
      norm::rms_norm(kType, in, gamma, kEpsilon, out, nullptr, shape, stream);
    }
  };
  operation.expected = [&](std::int64_t row) {
    std::vector<double> expected(static_cast<std::size_t>(shape.columns));
    reference::rms_norm(inputs(Slot::input, kType, row * shape.columns, shape.columns),
                        inputs(Slot::columns, kType, 0, shape.columns), static_cast<double>(kEpsilon), expected,
                        shape.columns);
    return expected;
  };
  measure(state, shape, out, operation, "RMS norm");
}

void softmax(State& state, Impl impl) {
  const Shape shape = shape_of(state);
  const void* in = input(Slot::input, kType, kElements);
  void* out = result(kType, kElements);
  norm::TextbookWorkspace workspace(kType, impl == Impl::textbook ? shape : Shape{});

  Operation operation;
  operation.tolerance = of_shares(impl);
  operation.launches = impl == Impl::textbook ? 5 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::softmax_textbook(kType, in, out, workspace, shape, stream);
    } else {
      norm::softmax(kType, in, out, shape, stream);
    }
  };
  operation.expected = [&](std::int64_t row) {
    std::vector<double> expected(static_cast<std::size_t>(shape.columns));
    reference::softmax(inputs(Slot::input, kType, row * shape.columns, shape.columns), expected, shape.columns);
    return expected;
  };
  measure(state, shape, out, operation, "softmax");
}

void softmax_backward(State& state, Impl impl) {
  const Shape shape = shape_of(state);
  const void* d_out = input(Slot::other, kType, kElements);
  void* y = device_memory(Slot::input, kElements * size_of(kType));
  const cuda::Stream setup;
  norm::softmax(kType, input(Slot::input, kType, kElements), y, shape, setup);  // in place
  setup.synchronize();
  void* out = result(kType, kElements);
  norm::TextbookWorkspace workspace(kType, impl == Impl::textbook ? shape : Shape{});

  Operation operation;
  operation.tolerance = of_gradients(impl, shape.columns);
  operation.inputs = 2;
  operation.launches = impl == Impl::textbook ? 4 : 1;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::textbook) {
      norm::softmax_backward_textbook(kType, y, d_out, out, workspace, shape, stream);
    } else {
      norm::softmax_backward(kType, y, d_out, out, shape, stream);
    }
  };
  operation.expected = [&](std::int64_t row) {
    std::vector<double> expected(static_cast<std::size_t>(shape.columns));
    reference::softmax_backward(elements(kType, y, row * shape.columns, shape.columns),
                                inputs(Slot::other, kType, row * shape.columns, shape.columns), expected,
                                shape.columns);
    return expected;
  };
  measure(state, shape, out, operation, "softmax backward");
}

// From the widths of attention heads to those of vocabularies; every profile has the transformer's 4096.
harness::Definition& with_columns(harness::Definition& definition, std::int64_t arrays) {
  return definition.sweep("columns", {.quick = {4096}, .standard = {32, 65536}, .full = {256, 1024, 16384}})
      .memory([arrays](const std::vector<std::int64_t>&) {
        return harness::Memory{.device_bytes = (arrays + 2) * kElements * size_of(kType)};
      });
}

void register_operation(const std::string& name, void (*operation)(State&, Impl), const std::string& textbook,
                        const std::string& single_pass, std::int64_t arrays, Profile smallest) {
  with_columns(add(textbook, [operation](State& state) { operation(state, Impl::textbook); }), arrays)
      .from(smallest)
      .advice("fuse-norm", Role::before, name);
  with_columns(add(single_pass, [operation](State& state) { operation(state, Impl::single_pass); }), arrays)
      .from(smallest)
      .advice("fuse-norm", Role::after, name, "single_pass");
}

}  // namespace

void register_norm() {
  register_operation("layer_norm", layer_norm, "fusion/norm/op:layer_norm/impl:textbook",
                     "fusion/norm/op:layer_norm/impl:single_pass", 2, Profile::quick);
  register_operation("rms_norm", rms_norm, "fusion/norm/op:rms_norm/impl:textbook",
                     "fusion/norm/op:rms_norm/impl:single_pass", 2, Profile::standard);
  register_operation("softmax", softmax, "fusion/norm/op:softmax/impl:textbook",
                     "fusion/norm/op:softmax/impl:single_pass", 2, Profile::quick);
  register_operation("softmax_backward", softmax_backward, "fusion/norm/op:softmax_backward/impl:textbook",
                     "fusion/norm/op:softmax_backward/impl:single_pass", 3, Profile::standard);
}

}  // namespace cupel::bench::fusion
