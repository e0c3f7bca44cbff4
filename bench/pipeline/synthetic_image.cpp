#include "bench/pipeline/synthetic_image.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {
namespace {

// Random values on a grid, between which is interpolated: one octave of value noise.
class Octave {
 public:
  Octave(std::uint64_t seed, float cell) : random_(seed), cell_(cell) {}

  /// Adds amplitude times -1 to 1 to one row of the image, for all three channels.
  void add_row(int y, int width, float amplitude, float* row) const {
    const float place = static_cast<float>(y) / cell_;
    const int above = static_cast<int>(place);
    const float down = place - static_cast<float>(above);
    for (int x = 0; x < width; ++x) {
      const float across = static_cast<float>(x) / cell_;
      const int left = static_cast<int>(across);
      const float right = across - static_cast<float>(left);
      for (int c = 0; c < 3; ++c) {
        const float top = at(above, left, c) * (1 - right) + at(above, left + 1, c) * right;
        const float bottom = at(above + 1, left, c) * (1 - right) + at(above + 1, left + 1, c) * right;
        row[3 * x + c] += amplitude * (top * (1 - down) + bottom * down);
      }
    }
  }

 private:
  float at(int y, int x, int c) const {
    const auto place = (static_cast<std::uint64_t>(y) << 20 | static_cast<std::uint64_t>(x)) * 3;
    return 2 * random_.uniform_float(place + static_cast<std::uint64_t>(c)) - 1;
  }

  verify::Generator random_;
  float cell_;
};

}  // namespace

std::vector<std::uint8_t> synthetic_image(std::uint64_t seed, std::int64_t index, int height, int width) {
  const std::uint64_t key = verify::mix(seed) + static_cast<std::uint64_t>(index) * 16;
  const Octave shapes(key, 90), parts(key + 1, 14), grain(key + 2, 1.7f);
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(height) * static_cast<std::size_t>(width) * 3);
  std::vector<float> row(static_cast<std::size_t>(width) * 3);
  for (int y = 0; y < height; ++y) {
    std::ranges::fill(row, 0.0f);
    shapes.add_row(y, width, 110, row.data());
    parts.add_row(y, width, 45, row.data());
    grain.add_row(y, width, 22, row.data());
    for (const float value : row) {
      // A shape ends where it crosses the middle: a step there is an edge.
      const float edged = value + (value > 0 ? 20.0f : -20.0f) + 128;
      pixels.push_back(static_cast<std::uint8_t>(std::clamp(edged, 0.0f, 255.0f)));
    }
  }
  return pixels;
}

}  // namespace cupel::bench::pipeline
