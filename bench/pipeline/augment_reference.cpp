#include <cstddef>

#include "bench/pipeline/augment.hpp"

namespace cupel::bench::pipeline {

void augment_reference(std::span<const std::uint8_t> image, Size size, const Crop& crop, int out_side,
                       std::span<double> out) {
  for (int y = 0; y < out_side; ++y) {
    const Taps<double> rows = taps_of<double>(y, out_side, crop.height);
    for (int x = 0; x < out_side; ++x) {
      const Taps<double> columns = taps_of<double>(crop.flip ? out_side - 1 - x : x, out_side, crop.width);
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.weights.size(); ++i) {
          for (std::size_t j = 0; j < columns.weights.size(); ++j) {
            const int row = crop.top + rows.first + static_cast<int>(i);
            const int column = crop.left + columns.first + static_cast<int>(j);
            const auto place = static_cast<std::size_t>((row * size.width + column) * 3 + c);
            sum += rows.weights[i] * columns.weights[j] * static_cast<double>(image[place]);
          }
        }
        out[static_cast<std::size_t>((c * out_side + y) * out_side + x)] = (sum / 255 - kMean[c]) / kDeviation[c];
      }
    }
  }
}

}  // namespace cupel::bench::pipeline
