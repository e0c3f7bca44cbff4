// Four elements a load where there are so many: a request over the link is 16 bytes wide then. A block waits for the
// same block of all peers and works on the same elements as they do, so no rank waits for all blocks of another.
#include "kernels/collective/peer_all_reduce.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/device_timer.cuh"

namespace cupel::kernels::collective {
namespace {

constexpr int kBlock = 512;
constexpr int kWide = 4;
// A peer that died would keep this kernel, and so its GPU, for good.
constexpr unsigned long long kPatience_ns = 5'000'000'000;

__device__ void store_release(unsigned* flag, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

__device__ unsigned load_acquire(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

__device__ void wait_for(const unsigned* flag, unsigned epoch) {
  const unsigned long long start = cuda::global_ns();
  while (static_cast<int>(load_acquire(flag) - epoch) < 0) {
    if (cuda::global_ns() - start > kPatience_ns) __trap();
  }
}

// All threads of this block of all ranks pass once all have come, and see what the others wrote before. `turn`: which
// of the two barriers of a launch; their flags are apart, since a rank may be at the next one while another still
// looks.
__device__ void meet(const PeerArrays& arrays, int turn, unsigned epoch) {
  __syncthreads();
  const int peer = static_cast<int>(threadIdx.x);
  if (peer < arrays.ranks) {
    store_release(&arrays.flags[peer]->arrived[turn][blockIdx.x][arrays.rank], epoch);
    wait_for(&arrays.flags[arrays.rank]->arrived[turn][blockIdx.x][peer], epoch);
  }
  __syncthreads();
}

__device__ void add(float4& sum, const float4& more) {
  sum.x += more.x;
  sum.y += more.y;
  sum.z += more.z;
  sum.w += more.w;
}

__device__ void add(float& sum, float more) { sum += more; }

// The arrays as elements of T, and the sum of one place over all ranks in their order.
template <class T>
struct As {
  const PeerArrays& arrays;
  __device__ const T* in(int rank) const { return reinterpret_cast<const T*>(arrays.in[rank]); }
  __device__ T* out(int rank) const { return reinterpret_cast<T*>(arrays.out[rank]); }
  __device__ T sum(std::int64_t i) const {
    T value = in(0)[i];
    for (int rank = 1; rank < arrays.ranks; ++rank) add(value, in(rank)[i]);
    return value;
  }
};

__device__ std::int64_t first_place() { return std::int64_t{blockIdx.x} * kBlock + threadIdx.x; }
__device__ std::int64_t stride() { return std::int64_t{gridDim.x} * kBlock; }

template <class T>
__device__ void sum_all(const PeerArrays& arrays, std::int64_t begin, std::int64_t end) {
  const As<T> as{arrays};
  for (std::int64_t i = begin + first_place(); i < end; i += stride()) as.out(arrays.rank)[i] = as.sum(i);
}

// Which launch this is, by a block's own count, which it raises when it has read it and met its peers.
__device__ unsigned this_epoch(const PeerArrays& arrays) { return arrays.epoch[blockIdx.x] + 1; }
__device__ void end_epoch(const PeerArrays& arrays, unsigned epoch) {
  if (threadIdx.x == 0) arrays.epoch[blockIdx.x] = epoch;
}

// The second meeting: nobody may change its input, which the next work does, while a peer still reads it.
__global__ void __launch_bounds__(kBlock) one_shot(PeerArrays arrays, std::int64_t count) {
  const unsigned epoch = this_epoch(arrays);
  meet(arrays, 0, epoch);
  const std::int64_t wide = count / kWide;
  sum_all<float4>(arrays, 0, wide);
  sum_all<float>(arrays, wide * kWide, count);
  meet(arrays, 1, epoch);
  end_epoch(arrays, epoch);
}

// The array in as many contiguous parts as there are ranks: rank r sums part r, its blocks in turns of kBlock places,
// and after the meeting block b reads of each other part the places that block b of that rank has summed.
template <class T>
struct Parts {
  const PeerArrays& arrays;
  std::int64_t begin, end;

  __device__ std::int64_t part_size() const { return (end - begin + arrays.ranks - 1) / arrays.ranks; }
  __device__ std::int64_t part_begin(int rank) const { return begin + rank * part_size(); }
  __device__ std::int64_t part_end(int rank) const {
    return part_begin(rank) + part_size() < end ? part_begin(rank) + part_size() : end;
  }

  __device__ void sum_mine() const { sum_all<T>(arrays, part_begin(arrays.rank), part_end(arrays.rank)); }

  __device__ void read_others() const {
    const As<T> as{arrays};
    for (int step = 1; step < arrays.ranks; ++step) {  // begin at different peers
      const int peer = (arrays.rank + step) % arrays.ranks;
      for (std::int64_t i = part_begin(peer) + first_place(); i < part_end(peer); i += stride()) {
        as.out(arrays.rank)[i] = as.out(peer)[i];
      }
    }
  }
};

// The next launch's first meeting keeps a rank from writing sums that a peer still reads: both follow each other on
// each rank's stream, and a rank comes there when it has read.
__global__ void __launch_bounds__(kBlock) two_shot(PeerArrays arrays, std::int64_t count) {
  const unsigned epoch = this_epoch(arrays);
  const std::int64_t wide = count / kWide;
  const Parts<float4> most{arrays, 0, wide};
  const Parts<float> rest{arrays, wide * kWide, count};
  meet(arrays, 0, epoch);
  most.sum_mine();
  rest.sum_mine();
  meet(arrays, 1, epoch);
  most.read_others();
  rest.read_others();
  end_epoch(arrays, epoch);
}

// As many blocks as there is work for, but no more than fit on any device beside nothing else: blocks wait for their
// peers.
unsigned blocks_for(std::int64_t count) {
  const std::int64_t wanted = (count / kWide + kBlock - 1) / kBlock;
  return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, kMostBlocks));
}

void require_ranks(const PeerArrays& arrays) {
  if (arrays.ranks < 1 || arrays.ranks > kMostRanks) {
    throw std::invalid_argument("peer all-reduce: 1 to " + std::to_string(kMostRanks) + " ranks, not " +
                                std::to_string(arrays.ranks));
  }
}

}  // namespace

void one_shot_all_reduce(const PeerArrays& arrays, std::int64_t count, cudaStream_t stream) {
  require_ranks(arrays);
  if (count == 0) return;
  one_shot<<<blocks_for(count), kBlock, 0, stream>>>(arrays, count);
  cuda::check(cudaGetLastError());
}

void two_shot_all_reduce(const PeerArrays& arrays, std::int64_t count, cudaStream_t stream) {
  require_ranks(arrays);
  if (count == 0) return;
  two_shot<<<blocks_for(count), kBlock, 0, stream>>>(arrays, count);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::collective
