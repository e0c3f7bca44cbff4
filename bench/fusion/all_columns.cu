// A warp has 32 columns side by side, so that it reads whole lines; a block some rows of them, whose sums it adds to
// those of the columns.
#include "bench/fusion/all_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;

constexpr int kColumnsOfBlock = 32;
constexpr int kRowsAtATime = 8;
constexpr std::int64_t kStrips = 256;

// Sums over the rows of each column, each of which needs those before it.
enum ColumnSum { kSumOfIn, kSumOfSquares, kSumOfGradients, kSumOfProducts, kColumnSums };

template <class T>
struct ColumnSoFar {
  Columnwise right;
  kernels::norm::Shape shape;
  const double* sums;

  __device__ double at(const void* array, std::int64_t i) const {
    return static_cast<double>(kernels::to_float(static_cast<const T*>(array)[i]));
  }
  __device__ double average(ColumnSum sum, std::int64_t c) const {
    return sums[sum * shape.columns + c] / static_cast<double>(shape.rows);
  }
  __device__ double mean(std::int64_t c) const {
    return right.mean == nullptr ? average(kSumOfIn, c) : static_cast<double>(right.mean[c]);
  }
  __device__ double inverse(std::int64_t c) const {
    const double variance =
        right.variance == nullptr ? average(kSumOfSquares, c) : static_cast<double>(right.variance[c]);
    return 1 / sqrt(variance + right.epsilon);
  }
  __device__ double gradient(std::int64_t i) const {
    return right.relu_out == nullptr || at(right.relu_out, i) > 0 ? at(right.d_out, i) : 0;
  }
  __device__ double normalised(std::int64_t i, std::int64_t c) const {
    return (at(right.in, i) - mean(c)) * inverse(c);
  }
  __device__ double term(ColumnSum sum, std::int64_t i, std::int64_t c) const {
    const double centred = sum == kSumOfSquares ? at(right.in, i) - mean(c) : 0;
    if (sum == kSumOfIn) return at(right.in, i);
    if (sum == kSumOfSquares) return centred * centred;
    return sum == kSumOfGradients ? gradient(i) : gradient(i) * normalised(i, c);
  }
  __device__ double value(std::int64_t i, std::int64_t c) const {
    const auto gamma = static_cast<double>(right.gamma[c]);
    if (right.kind == Columnwise::Kind::batch_norm) {
      const double y = normalised(i, c) * gamma + static_cast<double>(right.beta[c]);
      return right.relu && y < 0 ? 0 : y;
    }
    return gamma * inverse(c) *
           (gradient(i) - average(kSumOfGradients, c) - normalised(i, c) * average(kSumOfProducts, c));
  }
};

// Calls function(element, column) for each that is the thread's.
template <class T, class Function>
__device__ void for_own_elements(const ColumnSoFar<T>& columns, const Function& function) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kColumnsOfBlock + threadIdx.x;
  if (c >= columns.shape.columns) return;
  for (std::int64_t r = std::int64_t{blockIdx.y} * kRowsAtATime + threadIdx.y; r < columns.shape.rows;
       r += std::int64_t{gridDim.y} * kRowsAtATime) {
    function(r * columns.shape.columns + c, c);
  }
}

template <class T>
__global__ void __launch_bounds__(kColumnsOfBlock* kRowsAtATime)
    add_column_sums_kernel(ColumnSoFar<T> columns, ColumnSum sum, double* sums) {
  double mine = 0;
  for_own_elements(columns, [&](std::int64_t i, std::int64_t c) { mine += columns.term(sum, i, c); });
  const std::int64_t c = std::int64_t{blockIdx.x} * kColumnsOfBlock + threadIdx.x;
  if (c < columns.shape.columns) atomicAdd(sums + sum * columns.shape.columns + c, mine);
}

template <class T>
__global__ void __launch_bounds__(kColumnsOfBlock* kRowsAtATime)
    find_wrong_columns_kernel(ColumnSoFar<T> columns, const T* out, double absolute, double relative,
                              unsigned long long* found) {
  for_own_elements(columns, [&](std::int64_t i, std::int64_t c) {
    const double expected = columns.value(i, c);
    if (fabs(columns.at(out, i) - expected) <= absolute + relative * fabs(expected)) return;  // false for NaN
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(i));
  });
}

RightColumns right_columns(const std::vector<double>& sums, const kernels::norm::Shape& shape, double epsilon) {
  RightColumns right;
  const auto columns = static_cast<std::size_t>(shape.columns);
  const auto rows = static_cast<double>(shape.rows);
  for (std::size_t c = 0; c < columns; ++c) {
    right.mean.push_back(sums[kSumOfIn * columns + c] / rows);
    right.inverse.push_back(1 / std::sqrt(sums[kSumOfSquares * columns + c] / rows + epsilon));
    right.d_beta.push_back(sums[kSumOfGradients * columns + c]);
    right.d_gamma.push_back(sums[kSumOfProducts * columns + c]);
  }
  return right;
}

}  // namespace

WrongColumns find_wrong(const Columnwise& right, kernels::DType type, const kernels::norm::Shape& shape,
                        const void* out, double absolute, double relative) {
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  cuda::DeviceBuffer<double> sums(static_cast<std::size_t>(kColumnSums * shape.columns));
  check(cudaMemset(sums.data(), 0, sums.size_bytes()));
  const auto pieces = [](std::int64_t count, int each) { return static_cast<unsigned>((count + each - 1) / each); };
  const dim3 blocks(pieces(shape.columns, kColumnsOfBlock),
                    static_cast<unsigned>(std::min<std::int64_t>(kStrips, pieces(shape.rows, kRowsAtATime))));
  const dim3 threads(kColumnsOfBlock, kRowsAtATime);
  const bool is_forward = right.kind == Columnwise::Kind::batch_norm;
  kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const ColumnSoFar<T> columns{right, shape, sums.data()};
    for (int sum = 0; sum < (is_forward ? kSumOfGradients : kColumnSums); ++sum) {
      add_column_sums_kernel<T><<<blocks, threads>>>(columns, static_cast<ColumnSum>(sum), sums.data());
    }
    find_wrong_columns_kernel<T>
        <<<blocks, threads>>>(columns, static_cast<const T*>(out), absolute, relative, found.data());
  });
  check(cudaGetLastError());
  const std::vector<unsigned long long> seen = found.to_host();
  return {{static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])},
          right_columns(sums.to_host(), shape, right.epsilon)};
}

}  // namespace cupel::bench::fusion
