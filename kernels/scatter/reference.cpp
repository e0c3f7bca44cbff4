#include "kernels/scatter/reference.hpp"

#include <algorithm>
#include <cstddef>

namespace cupel::kernels::scatter::reference {
namespace {

// Calls function(out, in, share) for each of the four elements that an element of the result is made of.
template <class Function>
void for_each_share(const Upsampling& sizes, const Function& function) {
  std::size_t out = 0;
  for (std::int64_t plane = 0; plane < sizes.planes; ++plane) {
    for (std::int64_t row = 0; row < 2 * sizes.height; ++row) {
      for (std::int64_t column = 0; column < 2 * sizes.width; ++column, ++out) {
        const Taps y = taps(row, sizes.height), x = taps(column, sizes.width);
        const auto at = [&](std::int64_t r, std::int64_t c) {
          return static_cast<std::size_t>((plane * sizes.height + r) * sizes.width + c);
        };
        const double below = static_cast<double>(y.weight), right = static_cast<double>(x.weight);
        function(out, at(y.first, x.first), (1 - below) * (1 - right));
        function(out, at(y.first, x.second), (1 - below) * right);
        function(out, at(y.second, x.first), below * (1 - right));
        function(out, at(y.second, x.second), below * right);
      }
    }
  }
}

}  // namespace

void add_rows(std::span<const double> source, std::span<const std::int64_t> index, std::int64_t columns,
              std::span<double> out) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / columns, column = static_cast<std::int64_t>(i) % columns;
    out[static_cast<std::size_t>(index[static_cast<std::size_t>(row)] * columns + column)] += source[i];
  }
}

void upsample(std::span<const double> in, std::span<double> out, const Upsampling& sizes) {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_share(sizes, [&](std::size_t o, std::size_t i, double share) { out[o] += share * in[i]; });
}

void upsample_backward(std::span<const double> d_out, std::span<double> d_in, const Upsampling& sizes) {
  for_each_share(sizes, [&](std::size_t o, std::size_t i, double share) { d_in[i] += share * d_out[o]; });
}

}  // namespace cupel::kernels::scatter::reference
