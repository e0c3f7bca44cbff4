#include "bench/collective/own_kernels.hpp"

#include <string>
#include <vector>

#include "bench/collective/clique.hpp"
#include "bench/collective/collectives.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/peer_all_reduce.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::PeerArrays;
using kernels::collective::PeerFlags;

using Kernel = void (*)(const PeerArrays&, std::int64_t, cudaStream_t);
Kernel kernel_of(Reducer by) {
  return by == Reducer::one_shot ? kernels::collective::one_shot_all_reduce : kernels::collective::two_shot_all_reduce;
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

}  // namespace

void prepare(Reducer by) {
  if (by == Reducer::nccl) return;
  constexpr int kMost = kernels::collective::kMostRanks;
  if (Ranks::get().size() > kMost) harness::skip("our kernels are for " + std::to_string(kMost) + " ranks at most");
  flags();
}

void all_reduce_by(Reducer by, const Arrays& memory, std::int64_t bytes) {
  if (by == Reducer::nccl) return call(clique(), Operation::all_reduce, memory, bytes);
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) { kernel_of(by)(flags().of(rank, memory), bytes / 4, ranks[rank].stream); });
}

}  // namespace cupel::bench::collective
