// Device memory that remembers which numbers it holds, for operands that one benchmark after the other uses.
#pragma once

#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::kernels::dot {

/// Grows as it is asked for more. Each function blocks until the memory is ready, and gives its address, which holds
/// until more is asked for. Throws OutOfMemory, CudaError.
class NumberBuffer {
 public:
  /// As fill_normal() makes them; does nothing when they are there already.
  void* normal(Element element, std::int64_t count, std::uint64_t seed, double step);

  /// As fill_sparse() makes them; likewise.
  void* sparse(Element element, std::int64_t count, std::uint64_t seed, const Sparse& sparse);

  void* zeros(Element element, std::int64_t count);

  /// All bits set, which is not a number in any of the floating-point formats with 16 bits or more: what is not written
  /// afterwards is seen.
  void* poison(std::int64_t bytes);

  /// Content undefined.
  void* reserve(std::int64_t bytes);

  void* data() { return data_.data(); }
  std::int64_t size_bytes() const { return static_cast<std::int64_t>(data_.size_bytes()); }

 private:
  struct Contents {
    Element element = Element::fp32;
    std::int64_t count = 0;
    std::uint64_t seed = 0;
    double step = 0;  ///< of normal numbers; 0: they are sparse
    Sparse sparse = {};
    bool operator==(const Contents&) const = default;
  };
  void* hold(const Contents& wanted);
  void* set(std::int64_t bytes, int value);

  cuda::DeviceBuffer<char> data_;
  Contents contents_;
};

}  // namespace cupel::kernels::dot
