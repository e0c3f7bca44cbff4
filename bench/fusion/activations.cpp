// The cost of one activation instead of another: alone, where the memory decides, and fused behind a bias and before a
// residual, where arithmetic may show; and backward, where an activation other than ReLU reads what it had read
// forward, which it has kept, while ReLU may have written over it.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/elementwise_check.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/pointwise.hpp"
#include "kernels/pointwise/reference.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::operator""_MiB;
using kernels::DType;
using kernels::size_of;
using kernels::pointwise::Activation;
using record::Role;
namespace pointwise = kernels::pointwise;
namespace reference = kernels::pointwise::reference;

constexpr std::int64_t kColumns = 4096;
constexpr DType kType = DType::fp16;

// One rounding to the type, and a few ulp of fp32 functions.
Tolerance tolerance() { return {1e-5, 1.01 * kernels::unit_roundoff(kType)}; }

void alone(State& state, Activation activation) {
  const std::int64_t bytes = state.range(0), count = bytes / size_of(kType);
  const void* in = input(Slot::input, kType, count);
  void* out = result(kType, count);
  const record::Workload work{.bytes_read = bytes, .bytes_written = bytes, .items = count};
  timing::set_memory_limit(work);

  timing::sample_device(state, work,
                        [=](cudaStream_t stream) { pointwise::activate(kType, activation, in, out, count, stream); });

  for (const std::int64_t first : {std::int64_t{0}, count - kColumns}) {
    std::vector<double> expected(kColumns);
    reference::activate(activation, inputs(Slot::input, kType, first, kColumns), expected);
    require_close(expected, elements(kType, out, first, kColumns), tolerance(), first, to_string(activation));
  }
  require_all({.activation = activation, .in = in}, kType, out, count, tolerance(), to_string(activation));
}

// The gradient of the input, of that of the output and of what the activation read: three arrays, whichever it is.
void backward(State& state, Activation activation) {
  const std::int64_t bytes = state.range(0), count = bytes / size_of(kType);
  const void* in = input(Slot::input, kType, count);
  const void* d_out = input(Slot::other, kType, count);
  void* d_in = result(kType, count);
  const record::Workload work{.bytes_read = 2 * bytes, .bytes_written = bytes, .items = count};
  timing::set_memory_limit(work);

  timing::sample_device(state, work, [=](cudaStream_t stream) {
    pointwise::activation_gradient(kType, activation, in, d_out, d_in, count, stream);
  });

  // A gradient is a sum of terms up to 2 in size, of which little may be left.
  const Tolerance close{4e-5, tolerance().relative};
  for (const std::int64_t first : {std::int64_t{0}, count - kColumns}) {
    std::vector<double> expected(kColumns);
    reference::activation_gradient(activation, inputs(Slot::input, kType, first, kColumns),
                                   inputs(Slot::other, kType, first, kColumns), expected);
    require_close(expected, elements(kType, d_in, first, kColumns), close, first, to_string(activation));
  }
  require_all({.kind = Elementwise::Kind::activation_gradient, .activation = activation, .in = in, .other = d_out},
              kType, d_in, count, close, to_string(activation));
  // A net keeps this for it beside the output, which the next layer keeps anyway: ReLU's and tanh's gradients can be
  // had from that, and both may write over their input.
  const bool by_output = activation == Activation::relu || activation == Activation::tanh;
  const double kept = by_output ? 0 : static_cast<double>(bytes);
  harness::set_counter("kept_bytes", {kept, "bytes", record::Better::lower, true});
}

void fused(State& state, Activation activation) {
  const std::int64_t bytes = state.range(0), count = bytes / size_of(kType), rows = count / kColumns;
  const void* in = input(Slot::input, kType, count);
  const void* residual = input(Slot::other, kType, count);
  const void* bias = input(Slot::columns, kType, kColumns);
  void* out = result(kType, count);
  const record::Workload work{.bytes_read = 2 * bytes, .bytes_written = bytes, .items = count};
  timing::set_memory_limit(work);

  timing::sample_device(state, work, [=](cudaStream_t stream) {
    pointwise::bias_activation_residual(kType, activation, in, bias, residual, 0, 0, out, rows, kColumns, stream);
  });

  const std::vector<double> bias_values = inputs(Slot::columns, kType, 0, kColumns);
  for (const std::int64_t first : {std::int64_t{0}, count - kColumns}) {
    std::vector<double> expected(kColumns);
    reference::bias_activation_residual(activation, inputs(Slot::input, kType, first, kColumns), bias_values,
                                        inputs(Slot::other, kType, first, kColumns), 0, 0, expected);
    require_close(expected, elements(kType, out, first, kColumns), tolerance(), first, to_string(activation));
  }
  require_all({.kind = Elementwise::Kind::bias_activation_residual,
               .activation = activation,
               .in = in,
               .other = residual,
               .bias = bias,
               .columns = kColumns},
              kType, out, count, tolerance(), to_string(activation));
}

harness::Body alone_of(Activation activation) {
  return [=](State& state) { alone(state, activation); };
}
harness::Body backward_of(Activation activation) {
  return [=](State& state) { backward(state, activation); };
}
harness::Body fused_of(Activation activation) {
  return [=](State& state) { fused(state, activation); };
}

harness::Definition& sized(harness::Definition& definition, std::int64_t arrays) {
  return definition.sweep("bytes", {.quick = {64_MiB}, .standard = {4_MiB}, .full = {1_MiB, 256_MiB}})
      .memory(arrays_of_last(arrays));
}

// Against ReLU and against tanh, which it is advised to give up.
harness::Definition& advised(harness::Definition& definition, const std::string& where, const std::string& name) {
  return definition.advice("activations", Role::after, where + "/instead_of:relu", name)
      .advice("activations", Role::after, where + "/instead_of:tanh", name);
}

}  // namespace

void register_activations() {
  sized(add("fusion/activation/function:relu/impl:alone", alone_of(Activation::relu)), 2)
      .advice("activations", Role::before, "alone/instead_of:relu");
  sized(add("fusion/activation/function:tanh/impl:alone", alone_of(Activation::tanh)), 2)
      .advice("activations", Role::before, "alone/instead_of:tanh");
  advised(sized(add("fusion/activation/function:gelu_erf/impl:alone", alone_of(Activation::gelu_erf)), 2), "alone",
          "gelu_erf");
  advised(sized(add("fusion/activation/function:gelu_tanh/impl:alone", alone_of(Activation::gelu_tanh)), 2), "alone",
          "gelu_tanh");
  advised(sized(add("fusion/activation/function:silu/impl:alone", alone_of(Activation::silu)), 2), "alone", "silu");

  const auto from_standard = [](Activation activation, const char* name) -> auto& {
    return sized(add(name, backward_of(activation)).from(harness::Profile::standard), 3);
  };
  from_standard(Activation::relu, "fusion/activation/function:relu/impl:backward")
      .advice("activations", Role::before, "backward/instead_of:relu");
  from_standard(Activation::tanh, "fusion/activation/function:tanh/impl:backward")
      .advice("activations", Role::before, "backward/instead_of:tanh");
  advised(from_standard(Activation::gelu_erf, "fusion/activation/function:gelu_erf/impl:backward"), "backward",
          "gelu_erf");
  advised(from_standard(Activation::gelu_tanh, "fusion/activation/function:gelu_tanh/impl:backward"), "backward",
          "gelu_tanh");
  advised(from_standard(Activation::silu, "fusion/activation/function:silu/impl:backward"), "backward", "silu");

  const auto standard = [](harness::Definition & definition) -> auto& {
    return sized(definition.from(harness::Profile::standard), 3);
  };
  standard(add("fusion/activation/function:relu/impl:fused", fused_of(Activation::relu)))
      .advice("activations", Role::before, "fused/instead_of:relu");
  standard(add("fusion/activation/function:tanh/impl:fused", fused_of(Activation::tanh)))
      .advice("activations", Role::before, "fused/instead_of:tanh");
  advised(standard(add("fusion/activation/function:gelu_erf/impl:fused", fused_of(Activation::gelu_erf))), "fused",
          "gelu_erf");
  advised(standard(add("fusion/activation/function:gelu_tanh/impl:fused", fused_of(Activation::gelu_tanh))), "fused",
          "gelu_tanh");
  advised(standard(add("fusion/activation/function:silu/impl:fused", fused_of(Activation::silu))), "fused", "silu");
}

}  // namespace cupel::bench::fusion
