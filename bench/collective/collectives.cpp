// NCCL's collectives against size: launched one by one and as graphs, in ordinary memory and in memory that NCCL was
// told of.
#include "bench/collective/collectives.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "bench/collective/launch.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using kernels::collective::Kind;
using kernels::collective::Values;

// Its part of each rank goes to every other one, as nccl-tests does it.
void exchange(ncclComm_t comm, int rank, int ranks, const Arrays& arrays, std::int64_t part, cudaStream_t stream) {
  const auto place = static_cast<std::size_t>(rank);
  const auto count = static_cast<std::size_t>(part);
  for (int peer = 0; peer < ranks; ++peer) {
    const float* mine = arrays.send[place] + peer * part;
    vendor::check(vendor::nccl::send(static_cast<const void*>(mine), count, ncclFloat, peer, comm, stream));
    float* theirs = arrays.receive[place] + peer * part;
    vendor::check(vendor::nccl::receive(static_cast<void*>(theirs), count, ncclFloat, peer, comm, stream));
  }
}

void measure(benchmark::State& state, Operation operation, Launch launch, Buffer buffer) {
  const std::int64_t bytes = state.range(0);
  const int ranks = Ranks::get().size();
  const Clique& all = clique();
  const std::int64_t room = std::max(bytes, std::int64_t{4} * ranks);
  const Arrays& memory = arrays(buffer, room);
  const auto once = [&] { call(all, operation, memory, bytes); };

  const Values whole{harness::input_seed(), Kind::whole};
  fill(memory, room / 4, whole);
  once();
  require_right(operation, memory, bytes, whole);

  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, room / 4, values);
  const record::Workload work{.bytes_moved = bus_bytes(operation, bytes, ranks)};
  if (launch == Launch::graph) {
    sample_graph(work, once);
  } else {
    sample_launched(work, [&](int calls) {
      for (int i = 0; i < calls; ++i) once();
    });
  }
  require_right(operation, memory, bytes, values);
  harness::set_note(launch == Launch::graph ? "bus bandwidth; many calls in one graph"
                                            : "bus bandwidth; the host's launches are in the time");
}

// Quick has a size that only latency counts for, one between and one that only bandwidth counts for. What is small and
// launched one by one takes as long as the host does, whichever the operation: all_reduce tells it.
Sweep sizes(Operation operation, Launch launch) {
  if (operation == Operation::all_reduce) {
    return {.quick = {8, 1_MiB, 128_MiB},
            .standard = {16_KiB, 256_KiB, 16_MiB, 1_GiB},
            .full = harness::powers(8, 1_GiB, 2)};
  }
  std::vector<std::int64_t> all = harness::powers(8, 1_GiB, 4);
  if (launch == Launch::graph) return {.quick = {1_MiB, 64_MiB}, .full = all};
  all.push_back(1_MiB);
  return {.quick = {64_MiB}, .full = all};
}

harness::Memory wanted(const std::vector<std::int64_t>& args) { return {.device_bytes = 2 * args[0]}; }

void add_rows(Operation operation, Launch launch, Buffer buffer) {
  const bool is_graph = launch == Launch::graph, is_registered = buffer != Buffer::plain;
  const std::string name = std::string("collective/") + name_of(operation) +
                           "/launch:" + (is_graph ? "graph" : "eager") +
                           "/buffer:" + (is_registered ? "registered" : "plain");
  harness::Definition& definition =
      add_with_ranks(name, [=](benchmark::State& state) { measure(state, operation, launch, buffer); });
  const std::string scenario = std::string("collective/") + name_of(operation);
  definition.sweep("bytes", sizes(operation, launch)).memory(wanted);
  // One thread launches for all GPUs here, which frameworks do not do: what a process for each gains decides.
  if (!is_registered) {
    definition.advice("collective-graphs", is_graph ? record::Role::variant : record::Role::before, scenario,
                      is_graph ? "one_thread" : "");
  }
  if (is_graph) {
    definition.advice("registered-buffers", is_registered ? record::Role::after : record::Role::before, scenario);
  }
  definition.from(operation == Operation::all_reduce ? Profile::quick : Profile::standard);
}

}  // namespace

void call(const Clique& clique, Operation operation, const Arrays& arrays, std::int64_t bytes) {
  const int ranks = Ranks::get().size();
  const auto count = static_cast<std::size_t>(bytes / 4), part = static_cast<std::size_t>(part_count(bytes, ranks));
  clique.together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    const void* send = arrays.send[static_cast<std::size_t>(rank)];
    void* receive = arrays.receive[static_cast<std::size_t>(rank)];
    switch (operation) {
      case Operation::all_reduce:
        return vendor::check(vendor::nccl::all_reduce(send, receive, count, ncclFloat, ncclSum, comm, stream));
      case Operation::reduce_scatter:
        return vendor::check(vendor::nccl::reduce_scatter(send, receive, part, ncclFloat, ncclSum, comm, stream));
      case Operation::all_gather:
        return vendor::check(vendor::nccl::all_gather(send, receive, part, ncclFloat, comm, stream));
      case Operation::broadcast:
        return vendor::check(vendor::nccl::broadcast(send, receive, count, ncclFloat, 0, comm, stream));
      case Operation::all_to_all:
        return exchange(comm, rank, ranks, arrays, static_cast<std::int64_t>(part), stream);
    }
  });
}

void register_collectives() {
  for (const Operation operation : {Operation::all_reduce, Operation::reduce_scatter, Operation::all_gather,
                                    Operation::broadcast, Operation::all_to_all}) {
    add_rows(operation, Launch::eager, Buffer::plain);
    add_rows(operation, Launch::graph, Buffer::plain);
    add_rows(operation, Launch::graph, registered_for(operation));
  }
}

}  // namespace cupel::bench::collective
