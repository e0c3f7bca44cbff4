#include "bench/pipeline/augment.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace cupel::bench::pipeline {
namespace {

constexpr std::size_t kChannels = 3;

Taps taps_of(int i, int out, int in) {
  const auto taken = kernels::image::triangle<float>(i, out, in);
  Taps taps;
  taps.first = taken.first;
  for (int pixel = taken.first; pixel < taken.end; ++pixel) taps.weights.push_back(taken.weight(pixel));
  const float sum = std::accumulate(taps.weights.begin(), taps.weights.end(), 0.0f);
  for (float& weight : taps.weights) weight /= sum;
  return taps;
}

std::vector<Taps> all_taps(int out, int in) {
  std::vector<Taps> taps;
  taps.reserve(static_cast<std::size_t>(out));
  for (int i = 0; i < out; ++i) taps.push_back(taps_of(i, out, in));
  return taps;
}

// The weighted sum of rows of the crop: one row of it, of the output's height.
void sum_rows(std::span<const std::uint8_t> image, Size size, const Crop& crop, const Taps& taps,
              std::vector<float>& row) {
  std::ranges::fill(row, 0.0f);
  const auto stride = static_cast<std::size_t>(size.width) * kChannels;
  const std::uint8_t* from = image.data() + static_cast<std::size_t>(crop.top + taps.first) * stride +
                             static_cast<std::size_t>(crop.left) * kChannels;
  for (const float weight : taps.weights) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += weight * static_cast<float>(from[i]);
    from += stride;
  }
}

// The weighted sums of a row's pixels, normalised, to the three planes; out: the row's place in the first.
void sum_columns(const std::vector<float>& row, const std::vector<Taps>& columns, bool flip, float* out,
                 std::size_t plane) {
  for (std::size_t x = 0; x < columns.size(); ++x) {
    float sum[kChannels] = {0, 0, 0};
    const float* from = row.data() + static_cast<std::size_t>(columns[x].first) * kChannels;
    for (const float weight : columns[x].weights) {
      for (std::size_t c = 0; c < kChannels; ++c) sum[c] += weight * from[c];
      from += kChannels;
    }
    float* const to = out + (flip ? columns.size() - 1 - x : x);
    for (std::size_t c = 0; c < kChannels; ++c) {
      constexpr auto scale = [](std::size_t i) { return 1 / (255 * kDeviation[i]); };
      constexpr auto shift = [](std::size_t i) { return kMean[i] / kDeviation[i]; };
      to[c * plane] = sum[c] * scale(c) - shift(c);
    }
  }
}

}  // namespace

void Augmenter::run(std::span<const std::uint8_t> image, Size size, const Crop& crop, std::span<float> out) {
  rows_ = all_taps(out_, crop.height);
  columns_ = all_taps(out_, crop.width);
  const auto side = static_cast<std::size_t>(out_);
  const auto make_row = [&](int y, std::vector<float>& row) {
    const auto place = static_cast<std::size_t>(y);
    sum_rows(image, size, crop, rows_[place], row);
    sum_columns(row, columns_, crop.flip, out.data() + place * side, side * side);
  };
  const std::vector<float> empty(static_cast<std::size_t>(crop.width) * kChannels);
  if (threads_ == 1) {
    std::vector<float> row = empty;
    for (int y = 0; y < out_; ++y) make_row(y, row);
    return;
  }
#pragma omp parallel num_threads(threads_)
  {
    std::vector<float> row = empty;
#pragma omp for nowait
    for (int y = 0; y < out_; ++y) make_row(y, row);
  }
}

}  // namespace cupel::bench::pipeline
