// All-reduce of little: NCCL's against kernels of our own that read the peers' memory in one or two steps, and from
// which size on NCCL is the quicker one.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/collective/arrays.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/own_kernels.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::collective::Kind;
using kernels::collective::Values;

void measure(benchmark::State& state, Reducer by) {
  const std::int64_t bytes = state.range(0);
  const int ranks = Ranks::get().size();
  prepare(by);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Values whole{harness::input_seed(), Kind::whole};
  fill(memory, bytes / 4, whole);
  Ranks::get().wait();  // a peer may read it at once
  all_reduce_by(by, memory, bytes);
  require_right(Operation::all_reduce, memory, bytes, whole);

  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, values);
  Ranks::get().wait();
  sample_graph({.bytes_moved = bus_bytes(Operation::all_reduce, bytes, ranks)},
               [&] { all_reduce_by(by, memory, bytes); });
  require_right(Operation::all_reduce, memory, bytes, values);
  harness::set_note("bus bandwidth; many calls in one graph");
}

void add_rows(Reducer by, const char* name, record::Role role) {
  add_with_ranks(std::string("collective/small/by:") + name, [=](benchmark::State& s) { measure(s, by); })
      .sweep("bytes", {.quick = {8, 64_KiB, 1_MiB},
                       .standard = {1_KiB, 16_KiB, 256_KiB, 4_MiB, 64_MiB},
                       .full = harness::powers(8, 256_MiB, 2)})
      .advice("small-collectives", role, "all_reduce", role == record::Role::after ? name : "");
}

}  // namespace

void register_small() {
  add_rows(Reducer::nccl, "nccl", record::Role::before);
  add_rows(Reducer::one_shot, "one_shot", record::Role::after);
  add_rows(Reducer::two_shot, "two_shot", record::Role::after);
}

}  // namespace cupel::bench::collective
