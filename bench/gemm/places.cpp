#include "bench/gemm/places.hpp"

#include <algorithm>

#include "bench/gemm/workload.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/record/machine.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::bench::gemm {
namespace {

constexpr std::int64_t kMostTokens = 64;
constexpr std::int64_t kPageBytes = std::int64_t{2} << 20;  // of the device's memory, as the driver maps it
constexpr std::int64_t kPagesBetween = 7;
constexpr std::int64_t kMostBytes = std::int64_t{4} << 30;  // what square products of 16384 want, too

// At 64 MiB an H200 with 60 MiB of L2 still reads again 6 % faster than at 256 MiB.
constexpr std::int64_t kTimesL2 = 2;
constexpr std::int64_t kSmallestL2 = std::int64_t{1} << 20;  // TU117's, the least of what CUDA 13 runs on

std::int64_t weights_bytes(Precision precision, const Shape& shape) {
  return kernels::dot::size_bytes(traits(precision).a, shape.m * shape.k);
}

bool memory_binds(Precision precision, const Shape& shape, const record::DeviceInfo& device) {
  const auto limit = device::roof(device, traits(precision).arithmetic, workload(precision, shape));
  return limit && limit->quantity == "bytes";
}

int places_beyond(std::int64_t l2_bytes, Precision precision, const Shape& shape) {
  if (shape.n > kMostTokens || weights_bytes(precision, shape) < kTimesL2 * l2_bytes) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(kMostBytes / place_stride_bytes(precision, shape), 1, kMostPlaces));
}

}  // namespace

int places(Precision precision, const Shape& shape, const record::DeviceInfo& device) {
  if (!memory_binds(precision, shape, device)) return 1;
  return places_beyond(std::max(device.l2_bytes, kSmallestL2), precision, shape);
}

int most_places(Precision precision, const Shape& shape) { return places_beyond(kSmallestL2, precision, shape); }

std::int64_t place_stride_bytes(Precision precision, const Shape& shape) {
  const std::int64_t pages = (weights_bytes(precision, shape) + kPageBytes - 1) / kPageBytes;
  return (pages + kPagesBetween) * kPageBytes;
}

}  // namespace cupel::bench::gemm
