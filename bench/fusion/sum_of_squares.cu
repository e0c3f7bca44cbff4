#include "bench/fusion/sum_of_squares.hpp"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>

#include <algorithm>
#include <map>

#include "cupel/cuda/cuda.hpp"
#include "kernels/reduce/functors.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;

// The kernels' own functors, as function objects.
struct Square {
  __host__ __device__ float operator()(float x) const { return kernels::reduce::SumOfSquares::of(x); }
};
struct Plus {
  __host__ __device__ float operator()(float a, float b) const { return kernels::reduce::SumOfSquares::both(a, b); }
};

}  // namespace

// Keeps every block that it was given back, by size, and gives it out again: the simplest caching resource there is.
class ThrustSum::Cache {
 public:
  using value_type = char;

  ~Cache() {
    for (const auto& [bytes, block] : free_) cudaFree(block);
    for (const auto& [block, bytes] : used_) cudaFree(block);
  }

  char* allocate(std::ptrdiff_t bytes) {
    const auto found = free_.find(bytes);
    char* block = nullptr;
    if (found != free_.end()) {
      block = found->second;
      free_.erase(found);
    } else {
      check(cudaMalloc(reinterpret_cast<void**>(&block), static_cast<std::size_t>(bytes)));
    }
    used_.emplace(block, bytes);
    return block;
  }

  void deallocate(char* block, std::size_t) {
    const auto found = used_.find(block);
    free_.emplace(found->second, block);
    used_.erase(found);
  }

 private:
  std::multimap<std::ptrdiff_t, char*> free_;
  std::map<char*, std::ptrdiff_t> used_;
};

namespace {

template <class Policy>
float in_two(const Policy& policy, const float* in, float* squares, std::int64_t count) {
  thrust::transform(policy, in, in + count, squares, Square());
  return thrust::reduce(policy, squares, squares + count, 0.0f, Plus());
}

template <class Policy>
float in_one(const Policy& policy, const float* in, std::int64_t count) {
  return thrust::transform_reduce(policy, in, in + count, Square(), 0.0f, Plus());
}

// Calls algorithm(policy) with the policy that is asked for.
template <class Cache, class Algorithm>
float with_policy(Waiting waiting, Temporary temporary, Cache& cache, cudaStream_t stream, const Algorithm& algorithm) {
  if (waiting == Waiting::every_algorithm) {
    if (temporary == Temporary::allocated) return algorithm(thrust::cuda::par.on(stream));
    return algorithm(thrust::cuda::par(cache).on(stream));
  }
  if (temporary == Temporary::allocated) return algorithm(thrust::cuda::par_nosync.on(stream));
  return algorithm(thrust::cuda::par_nosync(cache).on(stream));
}

}  // namespace

ThrustSum::ThrustSum(Waiting waiting, Temporary temporary)
    : waiting_(waiting), temporary_(temporary), cache_(std::make_unique<Cache>()) {}

ThrustSum::~ThrustSum() = default;

float ThrustSum::transform_then_reduce(const float* in, float* squares, std::int64_t count, cudaStream_t stream) {
  return with_policy(waiting_, temporary_, *cache_, stream,
                     [=](const auto& policy) { return in_two(policy, in, squares, count); });
}

float ThrustSum::transform_reduce(const float* in, std::int64_t count, cudaStream_t stream) {
  return with_policy(waiting_, temporary_, *cache_, stream,
                     [=](const auto& policy) { return in_one(policy, in, count); });
}

std::size_t cub_temporary_bytes(std::int64_t count) {
  const float* in = nullptr;
  float* out = nullptr;
  std::size_t in_one = 0, after_transform = 0;
  check(cub::DeviceReduce::TransformReduce(nullptr, in_one, in, out, count, Plus(), Square(), 0.0f));
  check(cub::DeviceReduce::Reduce(nullptr, after_transform, in, out, count, Plus(), 0.0f));
  return std::max(in_one, after_transform);
}

void cub_transform_reduce(void* temporary, std::size_t temporary_bytes, const float* in, std::int64_t count, float* out,
                          cudaStream_t stream) {
  check(cub::DeviceReduce::TransformReduce(temporary, temporary_bytes, in, out, count, Plus(), Square(), 0.0f, stream));
}

void transform_then_cub_reduce(void* temporary, std::size_t temporary_bytes, const float* in, float* squares,
                               std::int64_t count, float* out, cudaStream_t stream) {
  check(cub::DeviceTransform::Transform(in, squares, count, Square(), stream));
  const float* summed = squares;
  check(cub::DeviceReduce::Reduce(temporary, temporary_bytes, summed, out, count, Plus(), 0.0f, stream));
}

}  // namespace cupel::bench::fusion
