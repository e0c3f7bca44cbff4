// A thread a place, striding over the array: one launch of a few blocks an SM for any size.
#include "cupel/cuda/cuda.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::kernels::collective {
namespace {

constexpr int kBlock = 256;
constexpr int kBlocks = 2048;  // of 256 threads, enough for the 132 SMs of an H200 and more

__device__ std::int64_t thread_number() { return std::int64_t{blockIdx.x} * kBlock + threadIdx.x; }
constexpr std::int64_t kThreads = std::int64_t{kBlocks} * kBlock;

__global__ void __launch_bounds__(kBlock)
    fill(float* out, std::int64_t count, Values values, int rank, std::int64_t first) {
  for (std::int64_t i = thread_number(); i < count; i += kThreads) out[i] = value(values, rank, first + i);
}

// Expected: place -> Sum.
template <class Expected>
__global__ void __launch_bounds__(kBlock)
    check(const float* in, std::int64_t count, Expected expected, std::int64_t first, Findings* findings) {
  Findings mine;
  for (std::int64_t i = thread_number(); i < count; i += kThreads) {
    const Sum sum = expected(first + i);
    if (!(fabs(static_cast<double>(in[i]) - sum.value) <= sum.bound)) ++mine.wrong;
    mine.digest += verify::mix(static_cast<std::uint64_t>(first + i) * 0x9e3779b97f4a7c15u + __float_as_uint(in[i]));
  }
  if (mine.wrong != 0) atomicAdd(&findings->wrong, mine.wrong);
  if (mine.digest != 0) atomicAdd(&findings->digest, mine.digest);
}

struct OverRanks {
  Values values;
  int ranks;
  __device__ Sum operator()(std::int64_t i) const { return sum_over_ranks(values, ranks, i); }
};

struct OfRank {
  Values values;
  int rank;
  __device__ Sum operator()(std::int64_t i) const { return {value(values, rank, i), 0}; }
};

struct InBf16 {
  Values values;
  int ranks;
  __device__ Sum operator()(std::int64_t i) const { return bf16_sum_over_ranks(values, ranks, i); }
};

template <class Expected>
void launch_check(const float* in, std::int64_t count, const Expected& expected, std::int64_t first, Findings* findings,
                  cudaStream_t stream) {
  if (count == 0) return;
  check<<<kBlocks, kBlock, 0, stream>>>(in, count, expected, first, findings);
  cuda::check(cudaGetLastError());
}

}  // namespace

void fill_values(float* out, std::int64_t count, const Values& values, int rank, std::int64_t first,
                 cudaStream_t stream) {
  if (count == 0) return;
  fill<<<kBlocks, kBlock, 0, stream>>>(out, count, values, rank, first);
  cuda::check(cudaGetLastError());
}

void check_sum(const float* in, std::int64_t count, const Values& values, int ranks, std::int64_t first,
               Findings* findings, cudaStream_t stream) {
  launch_check(in, count, OverRanks{values, ranks}, first, findings, stream);
}

void check_values(const float* in, std::int64_t count, const Values& values, int rank, std::int64_t first,
                  Findings* findings, cudaStream_t stream) {
  launch_check(in, count, OfRank{values, rank}, first, findings, stream);
}

void check_bf16_sum(const float* in, std::int64_t count, const Values& values, int ranks, std::int64_t first,
                    Findings* findings, cudaStream_t stream) {
  launch_check(in, count, InBf16{values, ranks}, first, findings, stream);
}

}  // namespace cupel::kernels::collective
