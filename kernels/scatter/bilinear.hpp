// How bilinear upsampling to twice the height and width reads, as frameworks do it (corners not aligned).
#pragma once

#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::scatter {

/// Along one axis: an element of the result is (1 - weight) of `first` and weight of `second`.
struct Taps {
  std::int64_t first, second;
  float weight;
};

/// The elements, among `size`, that element `out` of 2 * size is made of.
CUPEL_HOST_DEVICE constexpr Taps taps(std::int64_t out, std::int64_t size) {
  const std::int64_t first = out == 0 ? 0 : (out - 1) / 2;
  const float weight = out == 0 ? 0.0f : out % 2 == 0 ? 0.75f : 0.25f;
  return {first, first + 1 < size ? first + 1 : size - 1, weight};
}

/// The share of element `out` that comes from element `in`.
CUPEL_HOST_DEVICE constexpr float share(std::int64_t out, std::int64_t in, std::int64_t size) {
  const Taps t = taps(out, size);
  return (t.first == in ? 1 - t.weight : 0.0f) + (t.second == in ? t.weight : 0.0f);
}

/// planes of height x width, and of their results twice as high and wide.
struct Upsampling {
  std::int64_t planes = 1, height = 1, width = 1;

  CUPEL_HOST_DEVICE constexpr std::int64_t in_count() const { return planes * height * width; }
  CUPEL_HOST_DEVICE constexpr std::int64_t out_count() const { return 4 * in_count(); }
};

}  // namespace cupel::kernels::scatter
