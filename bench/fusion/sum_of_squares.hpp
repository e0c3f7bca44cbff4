// The sum of the squares of an array by the libraries that programs use for it. Compiled by nvcc; callers need not be.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cupel::bench::fusion {

/// Whether Thrust waits for the device after each algorithm, or only where it must: to return a value.
enum class Waiting { every_algorithm, no_more_than_needed };

/// Where Thrust's temporary memory comes from: cudaMalloc at each call, or what earlier calls left.
enum class Temporary { allocated, cached };

/// Thrust. Arrays are device memory. Each call returns when the sum is on the host. Not for several threads.
class ThrustSum {
 public:
  ThrustSum(Waiting waiting, Temporary temporary);
  ~ThrustSum();
  ThrustSum(const ThrustSum&) = delete;
  ThrustSum& operator=(const ThrustSum&) = delete;

  /// Squares go to `squares`, which are then summed.
  float transform_then_reduce(const float* in, float* squares, std::int64_t count, cudaStream_t stream);

  /// In one algorithm.
  float transform_reduce(const float* in, std::int64_t count, cudaStream_t stream);

 private:
  class Cache;
  Waiting waiting_;
  Temporary temporary_;
  std::unique_ptr<Cache> cache_;
};

/// CUB's DeviceReduce::TransformReduce. Temporary memory is the caller's, enough for either; *out is device memory.
/// Enqueues only.
std::size_t cub_temporary_bytes(std::int64_t count);
void cub_transform_reduce(void* temporary, std::size_t temporary_bytes, const float* in, std::int64_t count, float* out,
                          cudaStream_t stream);

/// Squares go to `squares`, by CUB's DeviceTransform, which DeviceReduce::Reduce then sums. Enqueues only.
void transform_then_cub_reduce(void* temporary, std::size_t temporary_bytes, const float* in, float* squares,
                               std::int64_t count, float* out, cudaStream_t stream);

}  // namespace cupel::bench::fusion
