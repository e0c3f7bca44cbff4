// The link between two GPUs: bandwidth by copies, one way and both, from peer to peer and through the host; the latency
// of a load from the other's memory; and what driver and NVML say of the link.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/neighbour.hpp"
#include "bench/collective/ranks.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/collective/check.hpp"
#include "kernels/memory/chase.hpp"

namespace cupel::bench::collective {
namespace {

using harness::Profile;
using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::collective::Kind;
using kernels::collective::Values;

struct Pair {
  int a, b;
};

std::string text_of(const Pair& pair) { return std::to_string(pair.a) + "-" + std::to_string(pair.b); }

void require_there(const Pair& pair) {
  if (pair.b < Ranks::get().size()) return;
  harness::skip("needs " + std::to_string(pair.b + 1) + " GPUs; " + std::to_string(Ranks::get().size()) +
                " are visible");
}

int attribute(cudaDeviceP2PAttr which, const Pair& pair) {
  int value = 0;
  Ranks& ranks = Ranks::get();
  cuda::check(cudaDeviceGetP2PAttribute(&value, which, ranks[pair.a].device, ranks[pair.b].device));
  return value;
}

void count(const char* name, double value, const char* unit) {
  harness::set_counter(name, {value, unit, record::Better::none, true});
}

std::optional<nvml::NvLinks> links_of(int device) {
  std::string why_not;
  const auto monitor = device::open_monitor(device, why_not);
  return monitor ? monitor->nvlinks() : std::nullopt;
}

// Counts all that driver and NVML say of the pair, and of the first GPU's links.
void describe(const Pair& pair) {
  count("peer_access", attribute(cudaDevP2PAttrAccessSupported, pair), "1");
  count("peer_rank", attribute(cudaDevP2PAttrPerformanceRank, pair), "1");
  count("peer_atomics", attribute(cudaDevP2PAttrNativeAtomicSupported, pair), "1");
  const auto links = links_of(Ranks::get()[pair.a].device);
  if (!links) return;
  count("nvlinks_up", links->up, "count");
  count("nvlinks_down", links->down, "count");
}

void hold_against_nvlink(const Pair& pair, int directions) {
  const auto links = links_of(Ranks::get()[pair.a].device);
  if (!links || links->up == 0 || links->bytes_per_s <= 0) return;
  harness::set_limit({.name = "NVLink, " + std::to_string(links->up) + " links",
                      .quantity = "bytes",
                      .per_second = directions * links->up * links->bytes_per_s,
                      .source = "the first GPU's links that are up and their raw rate, by NVML"});
}

void copy(int to, int from, const Arrays& memory, std::int64_t bytes) {
  Ranks& ranks = Ranks::get();
  const OnDevice on(ranks[from].device);
  cuda::check(cudaMemcpyPeerAsync(memory.receive[static_cast<std::size_t>(to)], ranks[to].device,
                                  memory.send[static_cast<std::size_t>(from)], ranks[from].device,
                                  static_cast<std::size_t>(bytes), ranks[from].stream));
}

constexpr std::int64_t kMillisecondBytes = 400'000'000;  // about what NVLinks of an H200 bring in a millisecond
constexpr std::int64_t kMostBeside = 80;  // copies, of which six times as many are behind a hold: 500 are known to fit

// Pinned memory of one direction, in two halves: one is filled while the other is emptied.
class Staging {
 public:
  static constexpr std::int64_t kHalf = 4_MiB;

  Staging(int from, int to) : from_(from), to_(to) {
    const auto make = [](int rank, std::vector<cuda::Event>& events) {
      const OnDevice on(Ranks::get()[rank].device);
      for (int half = 0; half < 2; ++half) events.emplace_back(cudaEventDisableTiming);
    };
    make(from, filled_);
    make(to, emptied_);
  }

  // Down on the sender's first stream, up on the receiver's second one, so that both directions are at once.
  void pass(const Arrays& memory, std::int64_t bytes) {
    Ranks& ranks = Ranks::get();
    const char* source = reinterpret_cast<const char*>(memory.send[static_cast<std::size_t>(from_)]);
    char* target = reinterpret_cast<char*>(memory.receive[static_cast<std::size_t>(to_)]);
    const cudaStream_t down = ranks[from_].stream, up = ranks[to_].beside;
    for (std::int64_t at = 0; at < bytes; at += kHalf, next_ = 1 - next_) {
      const auto size = static_cast<std::size_t>(std::min(kHalf, bytes - at));
      char* half = buffer_.data() + next_ * kHalf;
      cuda::check(cudaStreamWaitEvent(down, emptied_[next_]));
      {
        const OnDevice on(ranks[from_].device);
        cuda::check(cudaMemcpyAsync(half, source + at, size, cudaMemcpyDeviceToHost, down));
        cuda::check(cudaEventRecord(filled_[next_], down));
      }
      const OnDevice on(ranks[to_].device);
      cuda::check(cudaStreamWaitEvent(up, filled_[next_]));
      cuda::check(cudaMemcpyAsync(target + at, half, size, cudaMemcpyHostToDevice, up));
      cuda::check(cudaEventRecord(emptied_[next_], up));
    }
  }

 private:
  int from_, to_;
  int next_ = 0;
  cuda::PinnedBuffer<char> buffer_{2 * kHalf, cudaHostAllocPortable};
  std::vector<cuda::Event> filled_, emptied_;
};

// Each rank's values where the other one's were wanted.
void require_arrived(const Pair& pair, bool both, const Arrays& memory, std::int64_t bytes, const Values& values) {
  require_right("copy between GPUs", false, [&](int rank, kernels::collective::Findings* found, cudaStream_t stream) {
    if (rank != pair.b && !(both && rank == pair.a)) return;
    kernels::collective::check_values(memory.receive[static_cast<std::size_t>(rank)], bytes / 4, values,
                                      rank == pair.b ? pair.a : pair.b, 0, found, stream);
  });
}

void copy_by_peer(benchmark::State& state, const Pair& pair, bool both) {
  require_there(pair);
  Ranks::get().require_peers(pair.a, pair.b);
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, values);
  describe(pair);
  hold_against_nvlink(pair, both ? 2 : 1);
  const auto pass = [&](std::int64_t size) {
    copy(pair.b, pair.a, memory, size);
    if (both) copy(pair.a, pair.b, memory, size);
  };

  const auto passes = [&](std::int64_t calls) {
    for (std::int64_t i = 0; i < calls; ++i) pass(bytes);
  };
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::hot) == 0;
  sample_held({.bytes_moved = both ? 2 * bytes : bytes}, passes,
              {.engine = record::Engine::copy, .prime = [&] { pass(std::min(bytes, 64_KiB)); }});
  if (is_first_round && !harness::options().once) {
    count_product_slowdown([&] { passes(std::clamp(kMillisecondBytes / bytes, std::int64_t{1}, kMostBeside)); });
  }

  require_arrived(pair, both, memory, bytes, values);
}

void copy_through_host(benchmark::State& state, const Pair& pair, bool both) {
  require_there(pair);
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, values);
  describe(pair);
  timing::set_link_limit(both ? 2 : 1);
  Staging there(pair.a, pair.b), back(pair.b, pair.a);

  sample_launched({.bytes_moved = both ? 2 * bytes : bytes}, [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      there.pass(memory, bytes);
      if (both) back.pass(memory, bytes);
    }
  });

  require_arrived(pair, both, memory, bytes, values);
}

// A chain in the other's memory, and what walks it. A sample goes round it once: what has not been read since it was
// written takes 0.15 us longer, as what is not in the home's L2 does (two H200).
struct Walk {
  static constexpr std::int64_t kNodes = 1024, kStride = 256;

  explicit Walk(const Pair& pair) : from(Ranks::get()[pair.a]), home(Ranks::get()[pair.b]) {
    {
      const OnDevice on(home.device);
      chain = cuda::DeviceBuffer<char>(kNodes * kStride);
      cuda::DeviceBuffer<std::uint64_t> first(1);
      kernels::memory::make_chain(chain.data(), nullptr, kNodes, kStride, kSeed, first.data(), home.stream);
      start = first.to_host().front();
    }
    const OnDevice on(from.device);
    position = cuda::DeviceBuffer<std::uint64_t>(std::vector<std::uint64_t>{start});
    state = cuda::DeviceBuffer<kernels::memory::OneBlock>(std::vector<kernels::memory::OneBlock>(1));
  }

  void go(std::int64_t steps) {
    const OnDevice on(from.device);
    kernels::memory::chase(position.data(), steps, 0, state.data(), from.stream);
    walked += steps;
  }

  void require_arrived() const {
    const OnDevice on(from.device);
    const kernels::memory::Permutation order(kNodes, kSeed);
    const auto node = kernels::memory::node_after(order, kNodes, walked);
    const auto expected = reinterpret_cast<std::uint64_t>(chain.data()) + static_cast<std::uint64_t>(node * kStride);
    harness::require(position.to_host().front() == expected, "walk through a peer's memory: is not where it should be");
  }

  static constexpr std::uint64_t kSeed = 1;
  Rank& from;
  Rank& home;
  cuda::DeviceBuffer<char> chain;
  cuda::DeviceBuffer<std::uint64_t> position;
  cuda::DeviceBuffer<kernels::memory::OneBlock> state;
  std::uint64_t start = 0;
  std::int64_t walked = 0;
};

void load_from_peer(benchmark::State&, const Pair& pair) {
  require_there(pair);
  Ranks::get().require_peers(pair.a, pair.b);
  describe(pair);
  Walk walk(pair);

  sample_held({.items = 1}, [&](int steps) { walk.go(steps); }, {.calls = Walk::kNodes});

  walk.require_arrived();
  harness::set_note("one load from the other GPU's memory, which waits for the one before");
}

// The directory lists the machine's GPUs and touches none; where it is not, as without a driver, there is one pair.
int gpus_of_machine() {
  std::error_code ignored;
  int count = 0;
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", ignored)) {
    count += gpu.is_directory() ? 1 : 0;
  }
  return std::max(count, 2);
}

void add_pair(const Pair& pair) {
  const std::string of_pair = "collective/link/pair:" + text_of(pair);
  const harness::Sweep sizes{.quick = {64_MiB}, .standard = {1_MiB}, .full = {64_KiB, 256_MiB}};
  const auto wanted = [](const std::vector<std::int64_t>& args) {
    return harness::Memory{.device_bytes = 2 * args[0]};
  };
  for (const bool both : {false, true}) {
    const std::string name = of_pair + "/direction:" + (both ? "both" : "one");
    const std::string scenario = name.substr(sizeof "collective/" - 1);
    add_with_ranks(name + "/path:host", [=](benchmark::State& s) { copy_through_host(s, pair, both); })
        .sweep("bytes", sizes)
        .memory(wanted)
        .advice("topology", record::Role::variant, scenario, "host");
    add_with_ranks(name + "/path:peer", [=](benchmark::State& s) { copy_by_peer(s, pair, both); })
        .sweep("bytes", sizes)
        .memory(wanted)
        .advice("topology", record::Role::variant, scenario, "peer");
  }
  add_with_ranks("collective/latency/pair:" + text_of(pair) + "/path:peer", [=](benchmark::State& s) {
    load_from_peer(s, pair);
  }).advice("topology", record::Role::variant, "latency/pair:" + text_of(pair), "peer");
}

}  // namespace

void register_links() {
  const int count = gpus_of_machine();
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) add_pair({a, b});
  }
}

}  // namespace cupel::bench::collective
