// Gradients reduced as they are, or cast to bf16 before and back after: half the bytes for two passes over memory.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/clique.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/compressed.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_MiB;
using kernels::collective::Kind;
using kernels::collective::Values;

harness::Sweep sizes() { return {.quick = {64_MiB}, .standard = {1_MiB, 256_MiB}, .full = {16_MiB}}; }

record::Workload work_of(std::int64_t bytes) {
  return {.bytes_moved = bus_bytes(Operation::all_reduce, bytes, Ranks::get().size())};
}

void in_fp32(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Clique& all = clique();
  const Values whole{harness::input_seed(), Kind::whole}, values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, whole);
  call(all, Operation::all_reduce, memory, bytes);
  require_right(Operation::all_reduce, memory, bytes, whole);
  fill(memory, bytes / 4, values);
  sample_graph(work_of(bytes), [&] { call(all, Operation::all_reduce, memory, bytes); });
  require_right(Operation::all_reduce, memory, bytes, values);
}

void in_bf16(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, values);
  Compressed gradients(memory, bytes / 4);
  const auto require_sums = [&] { gradients.require_reduced(values); };
  gradients.reduce({0, bytes / 4});
  require_sums();
  fill(memory, bytes / 4, values);
  sample_graph(work_of(bytes), [&] { gradients.reduce({0, bytes / 4}); });
  require_sums();
  harness::set_note("bytes are those of the gradients in fp32; both casts are in the time");
}

}  // namespace

void register_compress() {
  const auto wanted = [](const std::vector<std::int64_t>& args) {
    return harness::Memory{.device_bytes = 3 * args[0]};
  };
  add_with_ranks("collective/compress/to:none", in_fp32)
      .sweep("bytes", sizes())
      .memory(wanted)
      .advice("compress-gradients", record::Role::before, "all_reduce");
  add_with_ranks("collective/compress/to:bf16", in_bf16)
      .sweep("bytes", sizes())
      .memory(wanted)
      .advice("compress-gradients", record::Role::after, "all_reduce", "bf16");
}

}  // namespace cupel::bench::collective
