// Gradients in buckets: which tensors are reduced in one call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cupel::bench::collective {

/// A stretch of the flat array of all gradients, in elements.
struct Bucket {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  bool operator==(const Bucket&) const = default;
};

/// A bucket for each tensor, and one for all.
inline constexpr std::int64_t kPerTensor = 0;
inline constexpr std::int64_t kAll = INT64_MAX;

/// In the order in which a backward pass has them ready: the last tensor's first. A bucket is closed by the tensor with
/// which it holds `bytes` of fp32 or more, as PyTorch's DistributedDataParallel does it. sizes: elements of each
/// tensor, in the order of the layers, which is that of the flat array.
std::vector<Bucket> buckets_of(std::span<const std::int64_t> sizes, std::int64_t bytes);

}  // namespace cupel::bench::collective
