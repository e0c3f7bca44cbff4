#include "kernels/pool/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cupel::kernels::pool::reference {
namespace {

template <class Function>
void for_each_element(const Planes& planes, const Function& function) {
  for (std::int64_t n = 0; n < planes.images; ++n) {
    for (std::int64_t c = 0; c < planes.channels; ++c) {
      for (std::int64_t y = 0; y < planes.height; ++y) {
        for (std::int64_t x = 0; x < planes.width; ++x)
          function(n, c, y, x, static_cast<std::size_t>(planes.at(n, c, y, x)));
      }
    }
  }
}

// Calls function(place, offset) for each element of a window that is not padding.
template <class Function>
void for_each_of_window(const Windows& w, std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x,
                        const Function& function) {
  for (std::int64_t place = 0; place < w.window * w.window; ++place) {
    const std::int64_t row = y * w.stride - w.padding + place / w.window;
    const std::int64_t column = x * w.stride - w.padding + place % w.window;
    if (row < 0 || row >= w.in.height || column < 0 || column >= w.in.width) continue;
    function(place, static_cast<std::size_t>(w.in.at(n, c, row, column)));
  }
}

}  // namespace

void max_pool(std::span<const double> in, std::span<double> out, std::span<std::uint8_t> place,
              const Windows& windows) {
  for_each_element(windows.out(), [&](auto n, auto c, auto y, auto x, std::size_t o) {
    bool first = true;
    for_each_of_window(windows, n, c, y, x, [&](std::int64_t at, std::size_t i) {
      const bool larger = first || in[i] > out[o] || (std::isnan(in[i]) && !std::isnan(out[o]));
      if (!larger) return;
      out[o] = in[i];
      place[o] = static_cast<std::uint8_t>(at);
      first = false;
    });
  });
}

void max_pool_backward(std::span<const double> d_out, std::span<const std::uint8_t> place, std::span<double> d_in,
                       const Windows& windows) {
  std::ranges::fill(d_in, 0.0);
  for_each_element(windows.out(), [&](auto n, auto c, auto y, auto x, std::size_t o) {
    for_each_of_window(windows, n, c, y, x, [&](std::int64_t at, std::size_t i) {
      if (at == place[o]) d_in[i] += d_out[o];
    });
  });
}

void mean_pool(std::span<const double> in, std::span<double> out, const Planes& planes) {
  std::ranges::fill(out, 0.0);
  const auto size = static_cast<double>(planes.height * planes.width);
  for_each_element(planes, [&](auto n, auto c, auto, auto, std::size_t i) {
    out[static_cast<std::size_t>(n * planes.channels + c)] += in[i] / size;
  });
}

void mean_pool_backward(std::span<const double> d_out, std::span<double> d_in, const Planes& planes) {
  const auto size = static_cast<double>(planes.height * planes.width);
  for_each_element(planes, [&](auto n, auto c, auto, auto, std::size_t i) {
    d_in[i] = d_out[static_cast<std::size_t>(n * planes.channels + c)] / size;
  });
}

}  // namespace cupel::kernels::pool::reference
