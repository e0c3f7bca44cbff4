// One warp computes one element again, or one block where an element has many products; its lanes take the products in
// turn. Sums are kept as an unevaluated pair of doubles, after algorithm Dot2 of Ogita, Rump and Oishi (2005),
// "Accurate Sum and Dot Product", so that results in double can be checked too.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "kernels/dot/check.hpp"
#include "kernels/dot/sampling.hpp"

namespace cupel::kernels::dot {

struct DotSums {
  double squared_error;
  double squared_value;
  unsigned long long max_error_bits;  // of a number that is not negative: its bits are in the order of its values
  unsigned long long worst_bits;
  unsigned long long checked;
  unsigned long long wrong;
};

namespace {

constexpr int kWarp = 32;
constexpr int kBlock = 256;
constexpr int kWarpsPerBlock = kBlock / kWarp;
constexpr std::int64_t kManyTerms = 64 * kBlock;  // of which a block's lanes have enough to do
constexpr std::int64_t kMostBlocks = 1 << 12;     // more than run at once; the rest is a loop

struct Pair {
  double high, low;

  // high + x exactly, the rounding error into low. Source: Knuth's two-sum.
  __device__ void add(double x) {
    const double sum = high + x;
    const double part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  __device__ void add_product(double a, double b) {
    const double product = a * b;
    low += fma(a, b, -product);
    add(product);
  }
  __device__ double value() const { return high + low; }
};

struct Dot {
  Pair value;
  double magnitude;  // sum of the products' magnitudes

  __device__ void add(const Dot& other) {
    value.add(other.value.high);
    value.low += other.value.low;
    magnitude += other.magnitude;
  }
};

// The sum over the lanes of a warp; in lane 0.
__device__ Dot warp_sum(Dot dot) {
  for (int lane = kWarp / 2; lane > 0; lane /= 2) {
    Dot other{};
    other.value.high = __shfl_down_sync(0xffffffffu, dot.value.high, lane);
    other.value.low = __shfl_down_sync(0xffffffffu, dot.value.low, lane);
    other.magnitude = __shfl_down_sync(0xffffffffu, dot.magnitude, lane);
    dot.add(other);
  }
  return dot;
}

// The sum over all threads of the block; in thread 0.
__device__ Dot block_sum(Dot dot) {
  __shared__ Dot of_warp[kWarpsPerBlock];
  dot = warp_sum(dot);
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = dot;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < kWarpsPerBlock; ++warp) dot.add(of_warp[warp]);
  }
  __syncthreads();
  return dot;
}

// As Reduction has it.
struct GemmReduction {
  struct Sum {
    std::int64_t row, column;
  };
  Matrix a, b, c;
  std::int64_t m;
  __device__ Sum sum(std::int64_t element) const { return {element % m, element / m}; }
  __device__ std::int64_t result_offset(const Sum& sum) const { return sum.row * c.row + sum.column * c.column; }
  __device__ Product product(const Sum& sum, std::int64_t term) const {
    return {sum.row * a.row + term * a.column, term * b.row + sum.column * b.column, true};
  }
};

struct Operands {
  Array left, right, result;
  std::int64_t terms, total;
  std::int64_t samples;
  std::uint64_t seed;
  verify::DotBound bound;
};

__device__ void count(const Operands& in, double exact, double magnitude, double actual, DotSums* sums) {
  const double allowed = in.bound.of_magnitude * magnitude + in.bound.of_value * fabs(exact) + in.bound.absolute;
  const double difference = fabs(actual - exact);
  const double error = isfinite(actual) ? difference : INFINITY;
  const double share = error == 0 ? 0 : (allowed > 0 ? error / allowed : INFINITY);
  atomicAdd(&sums->squared_error, error * error);
  atomicAdd(&sums->squared_value, exact * exact);
  atomicMax(&sums->max_error_bits, static_cast<unsigned long long>(__double_as_longlong(error)));
  atomicMax(&sums->worst_bits, static_cast<unsigned long long>(__double_as_longlong(share)));
  atomicAdd(&sums->checked, 1ull);
  if (!(share <= 1)) atomicAdd(&sums->wrong, 1ull);
}

// kLanes threads, a warp or a block, have one element after the other. Sums: Reduction or GemmReduction.
template <int kLanes, class Sums>
__global__ void __launch_bounds__(kBlock) check_kernel(Sums sums, Operands in, DotSums* found) {
  constexpr int kAtOnce = kBlock / kLanes;
  const int lane = threadIdx.x % kLanes;
  const double step = in.left.step * in.right.step;
  const std::int64_t stride = std::int64_t{gridDim.x} * kAtOnce;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kAtOnce + threadIdx.x / kLanes; i < in.samples; i += stride) {
    const auto sum = sums.sum(sampled(i, in.samples, in.total, in.seed));
    Dot dot{};
    for (std::int64_t term = lane; term < in.terms; term += kLanes) {
      const Product product = sums.product(sum, term);
      if (!product.present) continue;
      const double a = load(in.left.element, in.left.data, product.left);
      const double b = load(in.right.element, in.right.data, product.right);
      dot.value.add_product(a, b);
      dot.magnitude += fabs(a * b);
    }
    if constexpr (kLanes == kWarp) {
      dot = warp_sum(dot);
    } else {
      dot = block_sum(dot);
    }
    if (lane == 0) {
      const double actual = load(in.result.element, in.result.data, sums.result_offset(sum)) * in.result.step;
      count(in, dot.value.value() * step, dot.magnitude * step, actual, found);
    }
  }
}

template <int kLanes, class Sums>
void launch_with(const Sums& sums, const Operands& in, DotSums* found, cudaStream_t stream) {
  constexpr int kAtOnce = kBlock / kLanes;
  const std::int64_t blocks = std::min((in.samples + kAtOnce - 1) / kAtOnce, kMostBlocks);
  check_kernel<kLanes><<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(sums, in, found);
  cuda::check(cudaGetLastError());
}

template <class Sums>
void launch(const Sums& sums, const Operands& in, DotSums* found, cudaStream_t stream) {
  if (in.samples < 1 || in.samples > in.total || in.terms < 1) {
    throw std::invalid_argument("DotChecker: sizes and samples must be 1 or more, samples at most all elements");
  }
  cuda::check(cudaMemsetAsync(found, 0, sizeof(DotSums), stream));
  if (in.terms < kManyTerms) {
    launch_with<kWarp>(sums, in, found, stream);
  } else {
    launch_with<kBlock>(sums, in, found, stream);
  }
}

double from_bits(unsigned long long bits) {
  double value = 0;
  static_assert(sizeof value == sizeof bits);
  std::copy_n(reinterpret_cast<const char*>(&bits), sizeof bits, reinterpret_cast<char*>(&value));
  return value;
}

}  // namespace

std::string DotErrors::message() const {
  char text[256];
  std::snprintf(text, sizeof text,
                "%lld of %lld elements checked are beyond their bound (the worst %.3g times); relative Frobenius error "
                "%.3g, allowed %.3g",
                static_cast<long long>(wrong), static_cast<long long>(checked), worst_share, relative_frobenius,
                frobenius_bound);
  return text;
}

DotChecker::DotChecker() : sums_(sizeof(DotSums)) {}
DotChecker::~DotChecker() = default;

DotErrors DotChecker::gemm(const Matrix& a, const Matrix& b, const Matrix& c, std::int64_t m, std::int64_t n,
                           std::int64_t k, const Look& look, cudaStream_t stream) {
  launch(GemmReduction{a, b, c, m}, Operands{a.array, b.array, c.array, k, m * n, look.samples, look.seed, look.bound},
         reinterpret_cast<DotSums*>(sums_.data()), stream);
  return read(look, stream);
}

DotErrors DotChecker::convolution(const Convolution& shape, Pass pass, const Layouts& layouts, const Array& left,
                                  const Array& right, const Array& result, const Look& look, cudaStream_t stream) {
  require_valid(shape);
  launch(Reduction(shape, pass, layouts),
         Operands{left, right, result, reduction_length(shape, pass), result_count(shape, pass), look.samples,
                  look.seed, look.bound},
         reinterpret_cast<DotSums*>(sums_.data()), stream);
  return read(look, stream);
}

DotErrors DotChecker::read(const Look& look, cudaStream_t stream) const {
  DotSums sums{};
  cuda::check(cudaMemcpyAsync(&sums, sums_.data(), sizeof sums, cudaMemcpyDeviceToHost, stream));
  cuda::check(cudaStreamSynchronize(stream));
  const double rms = std::sqrt(sums.squared_value / static_cast<double>(std::max(sums.checked, 1ull)));
  const auto over = [](double error, double value) {
    return error == 0 ? 0 : (value > 0 ? error / value : std::numeric_limits<double>::infinity());
  };
  DotErrors errors;
  errors.checked = static_cast<std::int64_t>(sums.checked);
  errors.wrong = static_cast<std::int64_t>(sums.wrong);
  errors.relative_frobenius = over(std::sqrt(sums.squared_error), std::sqrt(sums.squared_value));
  errors.maximum = over(from_bits(sums.max_error_bits), rms);
  errors.frobenius_bound = look.bound.frobenius;
  errors.worst_share = from_bits(sums.worst_bits);
  return errors;
}

}  // namespace cupel::kernels::dot
