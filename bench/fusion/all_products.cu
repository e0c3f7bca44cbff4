#include "bench/fusion/all_products.hpp"

#include <limits>

#include "bench/fusion/relu_sign.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/pointwise/functors.hpp"
#include "kernels/pointwise/gradient_functors.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;
namespace pointwise = kernels::pointwise;

constexpr int kSide = 16;             // threads of a block to a side
constexpr int kEach = 4;              // elements of a thread to a side
constexpr int kTile = kSide * kEach;  // elements of a block to a side
constexpr int kDepth = 16;            // products that are read at a time
constexpr double kSteepestGelu = 1.13;

// The kernel needs these of RightProducts, and how far off results may be.
struct DeviceProducts {
  Operation operation;
  std::int64_t m, n, k;
  std::int64_t a_row, a_inner, b_inner, b_column;  // strides
  double scale, of_magnitude, of_value, unit, smallest, tanh_error, forward_scale;
  const void *a, *b, *bias, *kept;
};

template <class T>
__device__ double element(const void* array, std::int64_t i) {
  return static_cast<double>(kernels::to_float(static_cast<const T*>(array)[i]));
}

struct Allowed {
  double value, error;
  __device__ bool has(double seen) const { return fabs(seen - value) <= error; }  // false for NaN
};

// product: times the scale, and how far that may be off.
template <class T>
__device__ Allowed behind(const DeviceProducts& right, double product, double error, std::int64_t i, std::int64_t at) {
  const double rounded = 2 * right.unit;
  error += rounded * fabs(product);
  if (right.operation == Operation::bias_gradient) return {product, error};
  if (right.operation == Operation::relu_gradient || right.operation == Operation::gelu_gradient) {
    const double kept = element<T>(right.kept, at);
    const bool is_relu = right.operation == Operation::relu_gradient;
    const double slope = is_relu ? pointwise::ReluGradient()(kept, 1.0) : pointwise::GeluTanhGradient()(kept, 1.0);
    const double of_slope = is_relu ? 0 : right.tanh_error * (1 + 2 * fabs(kept));
    return {product * slope, kSteepestGelu * error + of_slope * fabs(product) + rounded * fabs(product * slope)};
  }
  const double z = product + element<T>(right.bias, i);
  error += rounded * fabs(z);
  if (right.operation == Operation::bias) return {z, error};
  const bool is_relu = right.operation == Operation::bias_relu;
  const double y = is_relu ? pointwise::Relu()(z) : pointwise::GeluTanh()(z);
  const double own = is_relu ? 0 : right.tanh_error * fabs(z);
  return {y, kSteepestGelu * error + own + rounded * fabs(y)};
}

// Whether ReLU's input, whose stored output is 0, may have been 0 or more.
template <class T>
__device__ bool may_pass(const DeviceProducts& right, std::int64_t i, std::int64_t j) {
  double sum = 0, magnitude = 0;
  for (std::int64_t l = 0; l < right.k; ++l) {
    const double product =
        element<T>(right.a, i * right.k + l) * element<T>(right.b, l * right.b_inner + j * right.b_column);
    sum += product;
    magnitude += fabs(product);
  }
  const verify::DotBound bound{.of_magnitude = right.of_magnitude, .of_value = right.of_value};
  return may_be_zero(bound, right.forward_scale, sum, magnitude, element<T>(right.bias, i), right.smallest);
}

// A block has kTile x kTile elements of the result, a thread kEach x kEach of them, kSide apart.
template <class T>
__global__ void __launch_bounds__(kSide* kSide)
    find_wrong_products_kernel(DeviceProducts right, const T* out, unsigned long long* found) {
  __shared__ double a[kDepth][kTile], b[kDepth][kTile];
  const std::int64_t first_row = std::int64_t{blockIdx.x} * kTile, first_column = std::int64_t{blockIdx.y} * kTile;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  double sum[kEach][kEach] = {};
  float magnitude[kEach][kEach] = {};
  for (std::int64_t first = 0; first < right.k; first += kDepth) {
    __syncthreads();  // who still reads the tiles before
    for (int e = threadIdx.x; e < kDepth * kTile; e += kSide * kSide) {
      const int l = e / kTile, place = e % kTile;
      const std::int64_t inner = first + l, row = first_row + place, column = first_column + place;
      const bool is_inner = inner < right.k;
      a[l][place] = is_inner && row < right.m ? element<T>(right.a, row * right.a_row + inner * right.a_inner) : 0;
      b[l][place] =
          is_inner && column < right.n ? element<T>(right.b, inner * right.b_inner + column * right.b_column) : 0;
    }
    __syncthreads();
    for (int l = 0; l < kDepth; ++l) {
      for (int r = 0; r < kEach; ++r) {
        for (int c = 0; c < kEach; ++c) {
          const double left = a[l][x + r * kSide], other = b[l][y + c * kSide];
          sum[r][c] += left * other;
          magnitude[r][c] += fabsf(static_cast<float>(left) * static_cast<float>(other));
        }
      }
    }
  }
  for (int r = 0; r < kEach; ++r) {
    for (int c = 0; c < kEach; ++c) {
      const std::int64_t i = first_row + x + r * kSide, j = first_column + y + c * kSide;
      if (i >= right.m || j >= right.n) continue;
      const double product = right.scale * sum[r][c];
      const double error = right.scale * (2 * right.of_magnitude * static_cast<double>(magnitude[r][c]) +
                                          2 * right.of_value * fabs(sum[r][c]));
      const std::int64_t at = j * right.m + i;
      Allowed expected = behind<T>(right, product, error, i, at);
      expected.error += 4 * right.smallest;
      const auto seen = static_cast<double>(kernels::to_float(out[at]));
      if (expected.has(seen)) continue;
      if (right.operation == Operation::relu_gradient && element<T>(right.kept, at) == 0) {
        const Allowed passed{product, error + 2 * right.unit * fabs(product) + 4 * right.smallest};
        if (passed.has(seen) && may_pass<T>(right, i, j)) continue;
      }
      atomicAdd(found, 1ull);
      atomicMin(found + 1, static_cast<unsigned long long>(at));
    }
  }
}

}  // namespace

Wrong find_wrong(const RightProducts& right, const void* out) {
  const ProductShape& shape = right.shape;
  const verify::DotBound bound = verify::dot_bound(shape.k, {.accumulate_unit = 0x1p-23, .truncates = true});
  const DeviceProducts products{.operation = right.operation,
                                .m = shape.m,
                                .n = shape.n,
                                .k = shape.k,
                                .a_row = shape.offset_a(1, 0),
                                .a_inner = shape.offset_a(0, 1),
                                .b_inner = shape.offset_b(1, 0),
                                .b_column = shape.offset_b(0, 1),
                                .scale = right.scale,
                                .of_magnitude = bound.of_magnitude,
                                .of_value = bound.of_value,
                                .unit = kernels::unit_roundoff(right.rounding.type),
                                .smallest = right.rounding.type == kernels::DType::fp16 ? 0x1p-25 : 0,
                                .tanh_error = tanh_error(right.rounding.way),
                                .forward_scale = right.forward_scale,
                                .a = right.a,
                                .b = right.b,
                                .bias = right.bias,
                                .kept = right.kept};
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  const auto tiles = [](std::int64_t elements) { return static_cast<unsigned>((elements + kTile - 1) / kTile); };
  kernels::with_type(right.rounding.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    find_wrong_products_kernel<T>
        <<<dim3(tiles(shape.m), tiles(shape.n)), kSide * kSide>>>(products, static_cast<const T*>(out), found.data());
  });
  check(cudaGetLastError());
  const auto seen = found.to_host();
  return {static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])};
}

}  // namespace cupel::bench::fusion
