// All-reduce of little: NCCL's against kernels of our own that read the peers' memory in one or two steps, and from
// which size on NCCL is the quicker one.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/peer_all_reduce.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::collective::Kind;
using kernels::collective::PeerArrays;
using kernels::collective::PeerFlags;
using kernels::collective::Values;

enum class By { nccl, one_shot, two_shot };

using Kernel = void (*)(const PeerArrays&, std::int64_t, cudaStream_t);
Kernel kernel_of(By by) {
  return by == By::one_shot ? kernels::collective::one_shot_all_reduce : kernels::collective::two_shot_all_reduce;
}

// Zeros of T on the current device.
template <class T>
cuda::DeviceBuffer<T> zeros(std::size_t size) {
  cuda::DeviceBuffer<T> buffer(size);
  cuda::check(cudaMemset(buffer.data(), 0, buffer.size_bytes()));
  cuda::check(cudaDeviceSynchronize());
  return buffer;
}

// Flags and epochs of all ranks, for the life of the process. Both kernels are loaded here: a first launch may wait for
// what runs, and a peer's kernel runs until this one has come.
class Flags {
 public:
  Flags() {
    Ranks& ranks = Ranks::get();
    ranks.require_peers();
    ranks.each([&](int rank) {
      flags_.push_back(zeros<PeerFlags>(1));
      epochs_.push_back(zeros<unsigned>(kernels::collective::kMostBlocks));
      load(ranks[rank].stream);
    });
  }

  PeerArrays of(int rank, const Arrays& memory) {
    PeerArrays arrays;
    arrays.ranks = Ranks::get().size();
    arrays.rank = rank;
    for (std::size_t r = 0; r < flags_.size(); ++r) {
      arrays.in[r] = memory.send[r];
      arrays.out[r] = memory.receive[r];
      arrays.flags[r] = flags_[r].data();
    }
    arrays.epoch = epochs_[static_cast<std::size_t>(rank)].data();
    return arrays;
  }

 private:
  // As the only rank, which waits for nobody.
  static void load(cudaStream_t stream) {
    cuda::DeviceBuffer<PeerFlags> flags = zeros<PeerFlags>(1);
    cuda::DeviceBuffer<unsigned> epoch = zeros<unsigned>(kernels::collective::kMostBlocks);
    cuda::DeviceBuffer<float> in = zeros<float>(1), out = zeros<float>(1);
    PeerArrays alone;
    alone.ranks = 1;
    alone.in[0] = in.data();
    alone.out[0] = out.data();
    alone.flags[0] = flags.data();
    alone.epoch = epoch.data();
    kernels::collective::one_shot_all_reduce(alone, 1, stream);
    kernels::collective::two_shot_all_reduce(alone, 1, stream);
    cuda::check(cudaStreamSynchronize(stream));
  }

  std::vector<cuda::DeviceBuffer<PeerFlags>> flags_;
  std::vector<cuda::DeviceBuffer<unsigned>> epochs_;
};

Flags& flags() {
  static Flags& made = *new Flags;
  return made;
}

void all_reduce_by(By by, const Arrays& memory, std::int64_t bytes) {
  if (by == By::nccl) return call(clique(), Operation::all_reduce, memory, bytes);
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) { kernel_of(by)(flags().of(rank, memory), bytes / 4, ranks[rank].stream); });
}

void measure(benchmark::State& state, By by) {
  const std::int64_t bytes = state.range(0);
  const int ranks = Ranks::get().size();
  if (ranks > kernels::collective::kMostRanks) harness::skip("our kernels are for 8 ranks at most");
  if (by != By::nccl) flags();
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

void add_rows(By by, const char* name, record::Role role) {
  add_with_ranks(std::string("collective/small/by:") + name, [=](benchmark::State& s) { measure(s, by); })
      .sweep("bytes", {.quick = {8, 64_KiB, 1_MiB},
                       .standard = {1_KiB, 16_KiB, 256_KiB, 4_MiB, 64_MiB},
                       .full = harness::powers(8, 256_MiB, 2)})
      .advice("small-collectives", role, "all_reduce", role == record::Role::after ? name : "");
}

}  // namespace

void register_small() {
  add_rows(By::nccl, "nccl", record::Role::before);
  add_rows(By::one_shot, "one_shot", record::Role::after);
  add_rows(By::two_shot, "two_shot", record::Role::after);
}

}  // namespace cupel::bench::collective
