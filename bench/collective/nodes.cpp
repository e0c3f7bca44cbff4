// All-reduces over all ranks that mpirun or srun has started, a process for each GPU, on one node or many. Rank 0 runs
// the benchmarks; the others wait for what it asks for. A rank that fails ends all of them, by MPI_Abort: rows that
// were done before are in the journal.
#include "bench/collective/nodes.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench/collective/bus.hpp"
#include "bench/collective/by_rank.hpp"
#include "bench/collective/mpi_world.hpp"
#include "bench/collective/process_rank.hpp"
#include "bench/collective/rank_protocol.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/nccl.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_MiB;
using harness::operator""_GiB;

constexpr int kSamplesOfARound = 10;

// The next work of all ranks, as rank 0 hands it out.
struct Request {
  std::int64_t bytes = 0;  // 0: end
  std::uint64_t seed = 0;
  int samples = 0;
  bool multicast = false;
};

std::span<std::byte> bytes_of(Request& request) { return std::as_writable_bytes(std::span(&request, 1)); }

// Made at the first request: before it rank 0 has not read its flags. Where a launcher shows each process one GPU of
// its own, that is the one.
ProcessRank& this_rank(const Request& request) {
  static ProcessRank& rank = *[&] {
    MpiWorld& world = MpiWorld::get();
    int devices = 0;
    cuda::check(cudaGetDeviceCount(&devices));
    if (devices > 1 && world.rank_on_node() >= devices) {
      throw std::runtime_error("there are " + std::to_string(devices) + " GPUs here, fewer than ranks");
    }
    cuda::check(cudaSetDevice(devices > 1 ? world.rank_on_node() : 0));
    if (request.multicast) vendor::allow_multicast();
    return new ProcessRank(world, request.seed);
  }();
  return rank;
}

// At rank 0 the samples of all ranks, one rank behind the other.
std::vector<double> measured(const Request& request) {
  return MpiWorld::get().gather(this_rank(request).measure(request.bytes, request.samples), kMeeting_s);
}

void add_samples(record::Series& series, const std::vector<double>& all_s, int ranks) {
  const std::size_t count = all_s.size() / static_cast<std::size_t>(ranks);
  for (std::size_t sample = 0; sample < count; ++sample) {
    std::vector<double> by_rank_s;
    for (std::size_t i = sample; i < all_s.size(); i += count) by_rank_s.push_back(all_s[i]);
    add_sample(series, by_rank_s);
  }
}

[[noreturn]] void serve() {
  MpiWorld& world = MpiWorld::get();
  try {
    for (Request request;;) {
      world.hand_out(bytes_of(request));
      if (request.bytes == 0) std::exit(0);
      measured(request);
    }
  } catch (const std::exception& error) {
    world.abort(error.what());
  }
}

// Registered after MpiWorld's own, and so called before it.
void release_others() {
  Request end;
  MpiWorld::get().hand_out(bytes_of(end));
}

void measure(std::int64_t bytes) {
  MpiWorld& world = MpiWorld::get();
  const harness::Options& options = harness::options();
  Request request{.bytes = bytes,
                  .seed = options.seed,
                  .samples = options.once ? 1 : kSamplesOfARound,
                  .multicast = options.allow_multicast};
  harness::begin_sampling();
  record::Series series;
  series.mode = record::Mode::host;
  series.calls_per_sample = calls_of(bytes);
  try {
    world.hand_out(bytes_of(request));
    const std::vector<double> all_s = measured(request);
    if (!options.once) add_samples(series, all_s, world.ranks());
  } catch (const std::exception& error) {
    world.abort(error.what());  // the others wait in the collective that failed
  }
  double timed_s = 0;
  for (const double sample_s : series.samples_s) timed_s += sample_s * calls_of(bytes);
  harness::keep({.bytes_moved = bus_bytes(Operation::all_reduce, bytes, world.ranks())}, std::move(series), timed_s);
  harness::set_counter("multicast", {request.multicast ? 1.0 : 0.0, "1", record::Better::none, true});
  harness::set_note("bus bandwidth; " + std::to_string(world.ranks()) + " ranks on " + std::to_string(world.nodes()) +
                    (world.nodes() == 1 ? " node" : " nodes") + ", each of which launches for itself");
}

}  // namespace

bool has_nodes() { return started_by_launcher(); }

void register_nodes() {
  MpiWorld& world = MpiWorld::get();
  if (world.rank() != 0) serve();
  std::atexit(release_others);
  harness::add("collective/nodes/ranks:" + std::to_string(world.ranks()),
               [](benchmark::State& state) {
                 vendor::require_nccl();
                 measure(state.range(0));
               })
      .sweep("bytes", {.quick = {8, 1_MiB, 64_MiB}, .standard = {64, 16_MiB, 256_MiB}, .full = {1_GiB}})
      .duration([](const std::vector<std::int64_t>&) { return harness::Duration{.call_s = 0, .round_s = 0.5}; });
}

}  // namespace cupel::bench::collective
