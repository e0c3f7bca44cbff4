// A stream-ordered pool of device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"

namespace cupel::cuda {

/// Memory that was free when the program last waited for the device and exceeds this is given back to the system.
enum class Keep { nothing, everything };

/// A pool of our own, so that nobody else's allocations are in it.
class MemoryPool {
 public:
  /// A pool of the current device. max_bytes: 0 for no cap; the driver rounds it up. Throws CudaError.
  explicit MemoryPool(Keep keep, std::int64_t max_bytes = 0);

  /// Whether the current device has such pools.
  static bool supported();

  cudaMemPool_t get() const { return pool_.get(); }

  /// Throws CudaError.
  void* allocate(std::int64_t bytes, cudaStream_t stream) const {
    void* p = nullptr;
    check(cudaMallocFromPoolAsync(&p, static_cast<std::size_t>(bytes), pool_.get(), stream));
    return p;
  }

  /// Bytes that the pool holds of the system, in use or not.
  std::int64_t reserved_bytes() const;

  /// The most that it held at a time since it was made.
  std::int64_t most_reserved_bytes() const;

  /// Bytes of them that blocks have, each rounded up as the driver does.
  std::int64_t used_bytes() const;

  /// Gives back all that is not in use.
  void trim() const { check(cudaMemPoolTrimTo(pool_.get(), 0)); }

 private:
  struct Destroy {
    void operator()(cudaMemPool_t pool) const noexcept { cudaMemPoolDestroy(pool); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaMemPool_t>, Destroy> pool_;
};

}  // namespace cupel::cuda
