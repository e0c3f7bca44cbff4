#include "bench/pipeline/augment.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cupel::bench::pipeline {
namespace {

constexpr std::size_t kChannels = 3;

std::vector<Taps<float>> all_taps(int out, int in) {
  std::vector<Taps<float>> taps;
  taps.reserve(static_cast<std::size_t>(out));
  for (int i = 0; i < out; ++i) taps.push_back(taps_of<float>(i, out, in));
  return taps;
}

// The weighted sum of rows of the crop: one row of it, of the output's height.
void sum_rows(std::span<const std::uint8_t> image, Size size, const Crop& crop, const Taps<float>& taps,
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
void sum_columns(const std::vector<float>& row, const std::vector<Taps<float>>& columns, bool flip, float* out,
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
      constexpr auto scale = [](std::size_t i) { return static_cast<float>(1 / (255 * kDeviation[i])); };
      constexpr auto shift = [](std::size_t i) { return static_cast<float>(kMean[i] / kDeviation[i]); };
      to[c * plane] = sum[c] * scale(c) - shift(c);
    }
  }
}

}  // namespace

template <class Real>
Taps<Real> taps_of(int i, int out, int in) {
  const Real scale = static_cast<Real>(in) / static_cast<Real>(out);
  const Real support = std::max(scale, Real(1));
  const Real centre = scale * (static_cast<Real>(i) + Real(0.5));
  Taps<Real> taps;
  taps.first = std::max(0, static_cast<int>(centre - support + Real(0.5)));
  const int end = std::min(in, static_cast<int>(centre + support + Real(0.5)));
  Real sum = 0;
  for (int j = taps.first; j < end; ++j) {
    const Real distance = std::abs((static_cast<Real>(j) - centre + Real(0.5)) / support);
    taps.weights.push_back(std::max(Real(0), 1 - distance));
    sum += taps.weights.back();
  }
  for (Real& weight : taps.weights) weight /= sum;
  return taps;
}

template Taps<float> taps_of(int, int, int);
template Taps<double> taps_of(int, int, int);

void Augmenter::run(std::span<const std::uint8_t> image, Size size, const Crop& crop, std::span<float> out) {
  rows_ = all_taps(out_, crop.height);
  columns_ = all_taps(out_, crop.width);
  const auto side = static_cast<std::size_t>(out_);
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
  {
    std::vector<float> row(static_cast<std::size_t>(crop.width) * kChannels);
#pragma omp for
    for (int y = 0; y < out_; ++y) {
      const auto place = static_cast<std::size_t>(y);
      sum_rows(image, size, crop, rows_[place], row);
      sum_columns(row, columns_, crop.flip, out.data() + place * side, side * side);
    }
  }
}

}  // namespace cupel::bench::pipeline
