// The cost of one activation instead of another: alone, where the memory decides, and fused behind a bias and before a
// residual, where arithmetic may show.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
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
  timing::hold_against_memory(work);

  timing::sample_device(state, work,
                        [=](cudaStream_t stream) { pointwise::activate(kType, activation, in, out, count, stream); });

  for (const std::int64_t first : {std::int64_t{0}, count - kColumns}) {
    std::vector<double> expected(kColumns);
    reference::activate(activation, inputs(Slot::input, kType, first, kColumns), expected);
    require_close(expected, elements(kType, out, first, kColumns), tolerance(), first, to_string(activation));
  }
}

void fused(State& state, Activation activation) {
  const std::int64_t bytes = state.range(0), count = bytes / size_of(kType), rows = count / kColumns;
  const void* in = input(Slot::input, kType, count);
  const void* residual = input(Slot::other, kType, count);
  const void* bias = input(Slot::columns, kType, kColumns);
  void* out = result(kType, count);
  const record::Workload work{.bytes_read = 2 * bytes, .bytes_written = bytes, .items = count};
  timing::hold_against_memory(work);

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
}

harness::Body alone_of(Activation activation) {
  return [=](State& state) { alone(state, activation); };
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
