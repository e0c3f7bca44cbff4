// A chain of element-wise operations, a kernel each and in one. The gain is the memory traffic between the operations
// and the launches: it grows with the chain, and with the size where the arrays leave the L2 cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/elementwise_check.hpp"
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
using harness::Sweep;
using harness::operator""_MiB;
using harness::operator""_GiB;
using kernels::DType;
using kernels::size_of;
using kernels::pointwise::Activation;
using record::Role;
namespace pointwise = kernels::pointwise;
namespace reference = kernels::pointwise::reference;

enum class Impl { unfused, fused };

constexpr std::int64_t kRun = 4096;  // elements that are checked in one piece

// The unfused way rounds every step to the type, values below 8. Later steps magnify an error by less than 2.3: by the
// other array's element, below 2, and by the slope of GELU, below 1.13.
Tolerance tolerance_of(DType type, int operations) {
  return {2.3 * 8 * operations * kernels::unit_roundoff(type) + 1e-5, 0};
}

// Calls check(first, count) for the beginning, the middle and the end.
template <class Check>
void at_three_places(std::int64_t count, const Check& check) {
  const std::int64_t run = std::min(kRun, count);
  for (const std::int64_t first : {std::int64_t{0}, (count - run) / 2, count - run}) check(first, run);
}

void chain(State& state, Impl impl, DType type) {
  const int operations = static_cast<int>(state.range(0));
  const std::int64_t bytes = state.range(1), count = bytes / size_of(type);
  const void* in = input(Slot::input, type, count);
  const void* other = input(Slot::other, type, count);
  void* out = result(type, count);
  // The chain reads two arrays and writes one, however many operations it has.
  const record::Workload work{.bytes_read = 2 * bytes, .bytes_written = bytes, .items = count};
  timing::set_memory_limit(work);

  timing::sample_device(state, work,
                        [=](cudaStream_t stream) {
                          const auto run = impl == Impl::fused ? pointwise::chain_fused : pointwise::chain_unfused;
                          run(type, in, other, operations, out, count, stream);
                        },
                        {.launches = impl == Impl::fused ? 1 : operations});

  at_three_places(count, [&](std::int64_t first, std::int64_t size) {
    std::vector<double> expected(static_cast<std::size_t>(size));
    reference::chain(inputs(Slot::input, type, first, size), inputs(Slot::other, type, first, size), operations,
                     expected);
    require_close(expected, elements(type, out, first, size), tolerance_of(type, operations), first, "chain");
  });
  require_all({.kind = Elementwise::Kind::chain, .operations = operations, .in = in, .other = other}, type, out, count,
              tolerance_of(type, operations), "chain");
}

// The operations behind a linear layer: bias, GELU, residual.
void bias_gelu_residual(State& state, Impl impl, DType type) {
  constexpr std::int64_t kColumns = 4096;
  const std::int64_t bytes = state.range(0), count = bytes / size_of(type), rows = count / kColumns;
  const void* in = input(Slot::input, type, count);
  const void* residual = input(Slot::other, type, count);
  const void* bias = input(Slot::columns, type, kColumns);
  void* out = result(type, count);
  const record::Workload work{
      .bytes_read = 2 * bytes + kColumns * size_of(type), .bytes_written = bytes, .items = count};
  timing::set_memory_limit(work);

  timing::sample_device(state, work,
                        [=](cudaStream_t stream) {
                          if (impl == Impl::fused) {
                            pointwise::bias_activation_residual(type, Activation::gelu_erf, in, bias, residual, 0, 0,
                                                                out, rows, kColumns, stream);
                          } else {
                            pointwise::add_bias(type, in, bias, out, rows, kColumns, stream);
                            pointwise::activate(type, Activation::gelu_erf, out, out, count, stream);
                            pointwise::add(type, out, residual, out, count, stream);
                          }
                        },
                        {.launches = impl == Impl::fused ? 1 : 3});

  const std::vector<double> bias_values = inputs(Slot::columns, type, 0, kColumns);
  at_three_places(count, [&](std::int64_t first, std::int64_t size) {
    const std::int64_t start = first / kColumns * kColumns, whole = std::min(size, kColumns);
    std::vector<double> expected(static_cast<std::size_t>(whole));
    reference::bias_activation_residual(Activation::gelu_erf, inputs(Slot::input, type, start, whole), bias_values,
                                        inputs(Slot::other, type, start, whole), 0, 0, expected);
    require_close(expected, elements(type, out, start, whole), tolerance_of(type, 3), start, "bias, GELU, residual");
  });
  require_all({.kind = Elementwise::Kind::bias_activation_residual,
               .activation = Activation::gelu_erf,
               .in = in,
               .other = residual,
               .bias = bias,
               .columns = kColumns},
              type, out, count, tolerance_of(type, 3), "bias, GELU, residual");
}

harness::Body chain_by(Impl impl, DType type) {
  return [=](State& state) { chain(state, impl, type); };
}
harness::Body linear_tail_by(Impl impl, DType type) {
  return [=](State& state) { bias_gelu_residual(state, impl, type); };
}

harness::Definition& with_lengths_and_sizes(harness::Definition& definition) {
  return definition.sweep("operations", {.quick = {2, 8}, .standard = {4}, .full = {3, 5, 6, 7}})
      .sweep("bytes", {.quick = {1_MiB, 256_MiB}, .standard = {16_MiB, 1_GiB}, .full = {4_MiB, 64_MiB}})
      .memory(arrays_of_last(3));
}

Sweep sizes() { return {.quick = {64_MiB}, .standard = {4_MiB, 1_GiB}, .full = {1_MiB, 16_MiB, 256_MiB}}; }

}  // namespace

void register_pointwise() {
  with_lengths_and_sizes(add("fusion/pointwise/type:fp16/impl:unfused", chain_by(Impl::unfused, DType::fp16)))
      .advice("fuse-pointwise", Role::before, "chain/type:fp16");
  with_lengths_and_sizes(add("fusion/pointwise/type:fp16/impl:fused", chain_by(Impl::fused, DType::fp16)))
      .advice("fuse-pointwise", Role::after, "chain/type:fp16");

  add("fusion/linear_tail/type:fp16/impl:unfused", linear_tail_by(Impl::unfused, DType::fp16))
      .sweep("bytes", sizes())
      .memory(arrays_of_last(3))
      .advice("fuse-pointwise", Role::before, "linear_tail/type:fp16");
  add("fusion/linear_tail/type:fp16/impl:fused", linear_tail_by(Impl::fused, DType::fp16))
      .sweep("bytes", sizes())
      .memory(arrays_of_last(3))
      .advice("fuse-pointwise", Role::after, "linear_tail/type:fp16");
  add("fusion/linear_tail/type:fp32/impl:unfused", linear_tail_by(Impl::unfused, DType::fp32))
      .from(harness::Profile::full)
      .sweep("bytes", sizes())
      .memory(arrays_of_last(3))
      .advice("fuse-pointwise", Role::before, "linear_tail/type:fp32");
  add("fusion/linear_tail/type:fp32/impl:fused", linear_tail_by(Impl::fused, DType::fp32))
      .from(harness::Profile::full)
      .sweep("bytes", sizes())
      .memory(arrays_of_last(3))
      .advice("fuse-pointwise", Role::after, "linear_tail/type:fp32");
}

}  // namespace cupel::bench::fusion
