// A thread has an element; threads side by side have channels of the same pixel, so that they read the same input. A
// channel's filter lies apart from the next one's, but a block has the same channels for many pixels.
#include "bench/fusion/all_convolutions.hpp"

#include <algorithm>
#include <limits>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/common/convert.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;
using kernels::dot::Convolution;

constexpr int kConvolutionThreads = 256;
constexpr std::int64_t kMostBlocks = std::int64_t{1} << 16;

struct Convolved {
  double sum = 0, magnitude = 0;
};

template <class T>
__device__ double number(const void* array, std::int64_t i) {
  return static_cast<double>(kernels::to_float(static_cast<const T*>(array)[i]));
}

template <class T>
__device__ Convolved convolved(const RightConvolution& right, std::int64_t pixel, std::int64_t channel) {
  const Convolution& shape = right.shape;
  const std::int64_t columns = shape.out(2), rows = shape.out(1);
  const std::int64_t image = pixel / (rows * columns);
  const std::int64_t top = pixel / columns % rows * shape.stride[1] - shape.padding[1];
  const std::int64_t left = pixel % columns * shape.stride[2] - shape.padding[2];
  Convolved found;
  for (std::int64_t r = 0; r < shape.filter[1]; ++r) {
    for (std::int64_t s = 0; s < shape.filter[2]; ++s) {
      const std::int64_t y = top + r, x = left + s;
      if (y < 0 || x < 0 || y >= shape.in[1] || x >= shape.in[2]) continue;
      const std::int64_t in = ((image * shape.in[1] + y) * shape.in[2] + x) * shape.in_channels;
      const std::int64_t filter = ((channel * shape.filter[1] + r) * shape.filter[2] + s) * shape.in_channels;
      for (std::int64_t c = 0; c < shape.in_channels; ++c) {
        const double product = number<T>(right.in, in + c) * number<T>(right.filter, filter + c);
        found.sum += product;
        found.magnitude += fabs(product);
      }
    }
  }
  return found;
}

// As forward() bounds a product with a bias and ReLU, whose product may be stored, with twice the roundings.
template <class T>
__global__ void __launch_bounds__(kConvolutionThreads)
    find_wrong_convolution_kernel(RightConvolution right, verify::DotBound bound, double unit, double smallest,
                                  const T* out, std::int64_t count, unsigned long long* found) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kConvolutionThreads + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * kConvolutionThreads) {
    const std::int64_t channel = i % right.shape.out_channels;
    const Convolved whole = convolved<T>(right, i / right.shape.out_channels, channel);
    const double factor = right.factor == nullptr ? 1 : static_cast<double>(right.factor[channel]);
    const double shift = right.is_shift_fp32 ? static_cast<double>(static_cast<const float*>(right.shift)[channel])
                                             : number<T>(right.shift, channel);
    const double product = factor * whole.sum, z = product + shift, expected = z > 0 ? z : 0;
    const double of_sum = bound.of_magnitude * whole.magnitude + bound.of_value * fabs(whole.sum);
    const double allowed = 2 * (fabs(factor) * of_sum + unit * (fabs(product) + fabs(z)) + unit * expected) +
                           4 * smallest * (1 + fabs(factor));
    if (fabs(number<T>(out, i) - expected) <= allowed) continue;  // false for NaN
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(i));
  }
}

}  // namespace

Wrong find_wrong(const RightConvolution& right, kernels::DType type, const void* out) {
  const std::int64_t count = output_count(right.shape);
  const verify::DotBound bound = verify::dot_bound(reduction_length(right.shape, kernels::dot::Pass::forward),
                                                   {.accumulate_unit = 0x1p-23, .truncates = true});
  const double smallest = type == kernels::DType::fp16 ? 0x1p-25 : 0;
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>(kMostBlocks, (count + kConvolutionThreads - 1) / kConvolutionThreads));
  kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    find_wrong_convolution_kernel<T><<<blocks, kConvolutionThreads>>>(
        right, bound, kernels::unit_roundoff(type), smallest, static_cast<const T*>(out), count, found.data());
  });
  check(cudaGetLastError());
  const auto seen = found.to_host();
  return {static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])};
}

}  // namespace cupel::bench::fusion
