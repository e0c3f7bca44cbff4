#include "kernels/dot/reference.hpp"

#include <algorithm>

namespace cupel::kernels::dot::reference {
namespace {

// Calls visit(input, filter, output) with the offsets of every pair of elements that meet, by the definition of the
// forward pass: all three passes sum the same products, along different axes.
template <class Visit>
void for_each_meeting(const Convolution& shape, const Layouts& at, const Visit& visit) {
  const std::int64_t in_of_group = shape.in_channels / shape.groups;
  const std::int64_t out_of_group = shape.out_channels / shape.groups;
  const Spatial out = shape.out();
  for (std::int64_t n = 0; n < shape.batch; ++n)
    for (std::int64_t k = 0; k < shape.out_channels; ++k)
      for (std::int64_t c = 0; c < in_of_group; ++c)
        for (std::int64_t z = 0; z < out[0]; ++z)
          for (std::int64_t y = 0; y < out[1]; ++y)
            for (std::int64_t x = 0; x < out[2]; ++x)
              for (std::int64_t fz = 0; fz < shape.filter[0]; ++fz)
                for (std::int64_t fy = 0; fy < shape.filter[1]; ++fy)
                  for (std::int64_t fx = 0; fx < shape.filter[2]; ++fx) {
                    const std::int64_t iz = z * shape.stride[0] + fz * shape.dilation[0] - shape.padding[0];
                    const std::int64_t iy = y * shape.stride[1] + fy * shape.dilation[1] - shape.padding[1];
                    const std::int64_t ix = x * shape.stride[2] + fx * shape.dilation[2] - shape.padding[2];
                    if (iz < 0 || iy < 0 || ix < 0) continue;
                    if (iz >= shape.in[0] || iy >= shape.in[1] || ix >= shape.in[2]) continue;
                    const std::int64_t channel = k / out_of_group * in_of_group + c;
                    visit(static_cast<std::size_t>(offset(at.input, {n, channel, {{iz, iy, ix}}})),
                          static_cast<std::size_t>(offset(at.filter, {k, c, {{fz, fy, fx}}})),
                          static_cast<std::size_t>(offset(at.output, {n, k, {{z, y, x}}})));
                  }
}

}  // namespace

void gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const double> a, bool transpose_a,
          std::span<const double> b, bool transpose_b, std::span<double> c) {
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        const std::int64_t at_a = transpose_a ? l + i * k : i + l * m;
        const std::int64_t at_b = transpose_b ? j + l * n : l + j * k;
        sum += a[static_cast<std::size_t>(at_a)] * b[static_cast<std::size_t>(at_b)];
      }
      c[static_cast<std::size_t>(i + j * m)] = sum;
    }
  }
}

void convolve(const Convolution& shape, Pass pass, Layout layout, std::span<const double> left,
              std::span<const double> right, std::span<double> result) {
  std::ranges::fill(result, 0);
  for_each_meeting(shape, layouts_of(layout, shape), [&](std::size_t input, std::size_t filter, std::size_t output) {
    switch (pass) {
      case Pass::forward:
        result[output] += left[input] * right[filter];
        break;
      case Pass::backward_data:
        result[input] += left[output] * right[filter];
        break;
      case Pass::backward_filter:
        result[filter] += left[output] * right[input];
        break;
    }
  });
}

}  // namespace cupel::kernels::dot::reference
