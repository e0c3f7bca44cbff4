#include "bench/fusion/all_elements.hpp"

#include <limits>
#include <stdexcept>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/pointwise/gradient_functors.hpp"

namespace cupel::bench::fusion {
namespace {

namespace pointwise = kernels::pointwise;
using cuda::check;

constexpr int kBlock = 256;
constexpr int kBlocks = 4096;

template <class T>
__device__ double at(const void* array, std::int64_t i) {
  return static_cast<double>(kernels::to_float(static_cast<const T*>(array)[i]));
}

template <class Function>
struct Activated {
  template <class T>
  __device__ double value(const Elementwise& e, std::int64_t i) const {
    return Function()(at<T>(e.in, i));
  }
};

template <class Function>
struct Gradient {
  template <class T>
  __device__ double value(const Elementwise& e, std::int64_t i) const {
    return Function()(at<T>(e.in, i), at<T>(e.other, i));
  }
};

template <class Function>
struct Tail {
  template <class T>
  __device__ double value(const Elementwise& e, std::int64_t i) const {
    return Function()(at<T>(e.in, i) + at<T>(e.bias, i % e.columns)) + at<T>(e.other, i);
  }
};

template <int operations>
struct Chained {
  template <class T>
  __device__ double value(const Elementwise& e, std::int64_t i) const {
    return pointwise::Chain<operations>()(at<T>(e.in, i), at<T>(e.other, i));
  }
};

template <class T, class Right>
__global__ void __launch_bounds__(kBlock)
    find_wrong_kernel(Elementwise e, const void* out, std::int64_t count, double absolute, double relative,
                      unsigned long long* found) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < count;
       i += std::int64_t{kBlock} * kBlocks) {
    const double expected = Right().template value<T>(e, i);
    if (fabs(at<T>(out, i) - expected) <= absolute + relative * fabs(expected)) continue;  // false for NaN
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(i));
  }
}

template <class Right>
Wrong found_by(Right, const Elementwise& e, kernels::DType type, const void* out, std::int64_t count, double absolute,
               double relative) {
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    find_wrong_kernel<T, Right><<<kBlocks, kBlock>>>(e, out, count, absolute, relative, found.data());
  });
  check(cudaGetLastError());
  const auto seen = found.to_host();
  return {static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])};
}

// Calls function(Chained<operations>()).
template <int longest, class Function>
Wrong with_chain(int operations, const Function& function) {
  if (operations == longest) return function(Chained<longest>());
  if constexpr (longest > 1) return with_chain<longest - 1>(operations, function);
  throw std::invalid_argument("no chain has so many operations");
}

}  // namespace

Wrong find_wrong(const Elementwise& right, kernels::DType type, const void* out, std::int64_t count, double absolute,
                 double relative) {
  const auto found = [&](auto each) { return found_by(each, right, type, out, count, absolute, relative); };
  switch (right.kind) {
    case Elementwise::Kind::activation_gradient:
      return pointwise::with_activation_gradient(right.activation,
                                                 [&](auto function) { return found(Gradient<decltype(function)>()); });
    case Elementwise::Kind::bias_activation_residual:
      return pointwise::with_activation(right.activation,
                                        [&](auto function) { return found(Tail<decltype(function)>()); });
    case Elementwise::Kind::chain:
      return with_chain<pointwise::kLongestChain>(right.operations, found);
    case Elementwise::Kind::activation:
      break;
  }
  return pointwise::with_activation(right.activation,
                                    [&](auto function) { return found(Activated<decltype(function)>()); });
}

}  // namespace cupel::bench::fusion
