// An all-reduce by a process for each GPU, over each of the ways that NCCL knows on one machine. It reads the
// environment that chooses between them once, so each way has processes of its own.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bench/collective/bus.hpp"
#include "bench/collective/by_rank.hpp"
#include "bench/collective/launcher.hpp"
#include "bench/collective/patience.hpp"
#include "bench/collective/rank_protocol.hpp"
#include "bench/collective/ranks.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/host/child.hpp"

namespace cupel::bench::collective {
namespace {

constexpr double kLimit_s = 120;

enum class By { peer, shm, socket };

// In a round. Over sockets 64 MiB take 23 ms a call.
int samples_of(By by) { return harness::options().once ? 1 : by == By::socket ? 4 : 10; }

// Takes out what somebody has set already: each way is what its name says.
std::map<std::string, std::string> environment_of(By by) {
  std::map<std::string, std::string> changes{
      {"NCCL_P2P_DISABLE", ""}, {"NCCL_P2P_LEVEL", ""}, {"NCCL_SHM_DISABLE", ""}, {"NCCL_NET", ""}};
  if (by != By::peer) changes["NCCL_P2P_DISABLE"] = "1";
  if (by == By::socket) {
    changes["NCCL_SHM_DISABLE"] = "1";
    changes["NCCL_NET"] = "Socket";
  }
  return changes;
}

// Graphs are compared over the way that people have.
std::size_t launches_of(By by) { return by == By::peer ? std::size(kLaunches) : 1; }

std::vector<RankProgram> programs(By by, const Rendezvous& rendezvous, int samples) {
  std::vector<RankProgram> all;
  const std::vector<int> devices = Ranks::get().devices();
  for (int rank = 0; rank < rendezvous.ranks(); ++rank) {
    all.push_back({.program = host::beside_this_program(kRankProgram),
                   .arguments = {std::to_string(rendezvous.descriptor()), std::to_string(rank),
                                 std::to_string(devices[static_cast<std::size_t>(rank)]),
                                 std::to_string(harness::options().seed), std::to_string(samples),
                                 harness::options().allow_multicast ? "1" : "0", std::to_string(launches_of(by))},
                   .environment = environment_of(by)});
  }
  return all;
}

// Seconds of each rank, all sizes one after the other, and of each all launches; or why there are none, which is not
// tried again.
struct Transported {
  std::vector<std::vector<double>> by_rank_s;
  std::exception_ptr failed;
};

Transported transported(By by, int samples) {
  const Rendezvous rendezvous = Rendezvous::make(Ranks::get().size());
  try {
    run_ranks(programs(by, rendezvous, samples), rendezvous, kLimit_s);
  } catch (const CollectiveFailed&) {
    return {{}, std::current_exception()};
  }
  const std::size_t wanted = std::size(kTransportBytes) * launches_of(by) * static_cast<std::size_t>(samples);
  Transported taken;
  for (int rank = 0; rank < rendezvous.ranks(); ++rank) {
    const std::span<const double> seen_s = rendezvous.samples(rank);
    if (seen_s.size() != wanted)
      return {{}, std::make_exception_ptr(CollectiveFailed("a rank ended without all of its samples"))};
    taken.by_rank_s.emplace_back(seen_s.begin(), seen_s.end());
  }
  return taken;
}

// Which round of this benchmark it is.
int this_round(By by, int size, Launch launch) {
  static auto& rounds = *new std::map<std::tuple<By, int, Launch>, int>;
  return rounds[{by, size, launch}]++;
}

void measure(By by, int size, Launch launch) {
  if (by == By::peer) Ranks::get().require_peers();  // NCCL would take another way, without a word
  const int rounds = harness::options().once ? 1 : harness::options().rounds;
  const int of_round = samples_of(by);
  harness::begin_sampling();
  const Transported& taken = harness::memoized<transported>(by, rounds * of_round);
  if (taken.failed) std::rethrow_exception(taken.failed);

  const std::int64_t bytes = kTransportBytes[size];
  record::Series series;
  series.mode = record::Mode::host;
  series.calls_per_sample = calls_of(bytes);
  const int part = size * static_cast<int>(launches_of(by)) + static_cast<int>(launch);
  const int first = (part * rounds + this_round(by, size, launch)) * of_round;
  for (int sample = first; sample < first + of_round && !harness::options().once; ++sample) {
    std::vector<double> by_rank_s;
    for (const std::vector<double>& of_rank : taken.by_rank_s) by_rank_s.push_back(of_rank[sample]);
    add_sample(series, by_rank_s);
  }
  double timed_s = 0;
  for (const double sample_s : series.samples_s) timed_s += sample_s * calls_of(bytes);
  harness::keep({.bytes_moved = bus_bytes(Operation::all_reduce, bytes, Ranks::get().size())}, std::move(series),
                timed_s);
  harness::set_note("bus bandwidth; a process for each GPU, which launches for itself");
}

harness::Definition& add_row(By by, const std::string& way, int size, Launch launch = Launch::eager) {
  return add_with_ranks("collective/transport/by:" + way + "/bytes:" + std::to_string(kTransportBytes[size]),
                        [=](benchmark::State&) { measure(by, size, launch); })
      .from(harness::Profile::standard)
      .duration([=](const std::vector<std::int64_t>&) { return harness::Duration{.call_s = 0, .round_s = 0.5}; });
}

}  // namespace

void register_transport() {
  using record::Role;
  for (int size = 0; size < static_cast<int>(std::size(kTransportBytes)); ++size) {
    const std::string bytes = "/bytes:" + std::to_string(kTransportBytes[size]);
    const std::string moved = "all_reduce" + bytes, launched = "a_process_a_gpu" + bytes;
    add_row(By::peer, "peer", size)
        .advice("nccl-transport", Role::before, moved)
        .advice("collective-graphs", Role::before, launched);
    add_row(By::peer, "peer/launch:graph", size, Launch::graph).advice("collective-graphs", Role::after, launched);
    add_row(By::shm, "shm", size).advice("nccl-transport", Role::after, moved, "shm");
    add_row(By::socket, "socket", size).advice("nccl-transport", Role::after, moved, "socket");
  }
}

}  // namespace cupel::bench::collective
