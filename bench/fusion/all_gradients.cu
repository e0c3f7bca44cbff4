// A head at a time, some queries at a time: scores and slopes by cuBLAS, from them the statistics of the queries and
// the weights of all pairs, and with those the gradients and their bounds by cuBLAS again. In fp32 that rounds to
// nearest: a sum of n terms is off by sqrt(n) 2^-24 of the root of their squares, where the bound has n 2^-25 for
// tensor cores alone; a score by 2^-20, where it has 2^-15 and a rounding to the type.
#include "bench/fusion/all_gradients.hpp"

#include <algorithm>
#include <limits>

#include "bench/fusion/right_gradients.hpp"
#include "bench/fusion/sum_of_block.cuh"
#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/handles.hpp"
#include "kernels/attention/row_statistics.hpp"
#include "kernels/common/convert.hpp"

namespace cupel::bench::fusion {
namespace {

namespace attention = kernels::attention;
using attention::RowStatistics;
using cuda::check;

constexpr int kGradientThreads = 256;
constexpr int kGradientBlocks = 4096;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 25;  // of queries and keys at a time
constexpr std::int64_t kPairArrays = 4, kRowArrays = 13;

std::int64_t queries_at_a_time(const AttentionShape& shape) {
  return std::clamp<std::int64_t>(kMostPairs / shape.sequence, 1, shape.sequence);
}

using Numbers = cuda::DeviceBuffer<float>;

// Row-major and without gaps; transposed: stored with rows and columns exchanged.
struct Operand {
  const float* data;
  bool transposed = false;
};

// result (rows x columns) = left (rows x inner) right (inner x columns) + what of it was there. cuBLAS takes what is
// row-major for the transpose: it is asked for result^T = right^T left^T.
void multiply_in_fp32(std::int64_t rows, std::int64_t columns, std::int64_t inner, const Operand& left,
                      const Operand& right, float was, float* result, cudaStream_t stream) {
  const float one = 1;
  const auto operation = [](const Operand& of) { return of.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  vendor::check(vendor::cublas::gemm_ex(vendor::cublas_on(stream), operation(right), operation(left), columns, rows,
                                        inner, static_cast<const void*>(&one), right.data, CUDA_R_32F,
                                        right.transposed ? inner : columns, left.data, CUDA_R_32F,
                                        left.transposed ? rows : inner, static_cast<const void*>(&was), result,
                                        CUDA_R_32F, columns, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT));
}

template <class T>
__global__ void __launch_bounds__(kGradientThreads)
    convert_kernel(const T* from, std::int64_t count, float* values, float* squares) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kGradientThreads + threadIdx.x; i < count;
       i += std::int64_t{kGradientBlocks} * kGradientThreads) {
    const float x = kernels::to_float(from[i]);
    values[i] = x;
    if (squares != nullptr) squares[i] = x * x;
  }
}

// The pairs of some queries with the keys 0 to keys. Scores and slopes are replaced by shares and gradients.
struct Pairs {
  std::int64_t first, queries, keys;
  float *shares, *gradients, *share_squares, *gradient_squares;
};

// A block for a query. Scores are small: their exponentials need no maximum taken off.
__global__ void __launch_bounds__(kGradientThreads)
    statistics_of_pairs_kernel(RightGradients right, Pairs pairs, RowStatistics* statistics) {
  __shared__ double shared[kGradientThreads];
  const std::int64_t query = pairs.first + blockIdx.x, seen = right.causal ? query + 1 : pairs.keys;
  const float* const scores = pairs.shares + blockIdx.x * pairs.keys;
  const float* const slopes = pairs.gradients + blockIdx.x * pairs.keys;
  double weights = 0, weighted = 0, squares = 0;
  for (std::int64_t key = threadIdx.x; key < seen; key += kGradientThreads) {
    const double weight = exp(right.scale * static_cast<double>(scores[key]));
    const auto slope = static_cast<double>(slopes[key]);
    weights += weight;
    weighted += weight * slope;
    squares += weight * slope * slope;
  }
  weights = sum_of_block(weights, shared);
  weighted = sum_of_block(weighted, shared);
  squares = sum_of_block(squares, shared);
  if (threadIdx.x == 0) {
    statistics[query] = {
        .log_sum = log(weights), .mean_slope = weighted / weights, .rms_slope = sqrt(squares / weights)};
  }
}

__global__ void __launch_bounds__(kGradientThreads)
    weights_kernel(RightGradients right, Pairs pairs, const RowStatistics* statistics) {
  const std::int64_t count = pairs.queries * pairs.keys;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kGradientThreads + threadIdx.x; i < count;
       i += std::int64_t{kGradientBlocks} * kGradientThreads) {
    const std::int64_t query = pairs.first + i / pairs.keys;
    const PairWeights weights = pair_weights(right, query, i % pairs.keys, static_cast<double>(pairs.shares[i]),
                                             static_cast<double>(pairs.gradients[i]), statistics[query]);
    pairs.shares[i] = static_cast<float>(weights.share);
    pairs.gradients[i] = static_cast<float>(weights.gradient);
    pairs.share_squares[i] = static_cast<float>(weights.share_squares);
    pairs.gradient_squares[i] = static_cast<float>(weights.gradient_squares);
  }
}

template <class T>
__global__ void __launch_bounds__(kGradientThreads)
    find_wrong_gradients_kernel(RightGradients right, const T* seen, const float* expected, const float* squares,
                                std::int64_t first, std::int64_t count, unsigned long long* found) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kGradientThreads + threadIdx.x; i < count;
       i += std::int64_t{kGradientBlocks} * kGradientThreads) {
    const auto exact = static_cast<double>(expected[i]);
    const double off = fabs(static_cast<double>(kernels::to_float(seen[first + i])) - exact);
    if (off <= allowed_error(right, exact, static_cast<double>(squares[i]))) continue;  // false for NaN
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(first + i));
  }
}

// An input of a head, and its squares.
struct Input {
  Numbers values, squares;
};

// A gradient of a head that has to be, and its bound.
struct Gradient {
  Numbers values, squares;

  explicit Gradient(std::size_t elements) : values(elements), squares(elements) {}
  void clear(cudaStream_t stream) {
    for (Numbers* const numbers : {&values, &squares}) {
      check(cudaMemsetAsync(numbers->data(), 0, numbers->size_bytes(), stream));
    }
  }
};

template <class T>
class GradientComparison {
 public:
  GradientComparison(const AttentionShape& shape, const AttentionTensors& tensors, const attention::Rounding& rounding)
      : shape_(shape),
        tensors_(tensors),
        right_(right_gradients(rounding, shape.scale(), shape.causal, shape.sequence)),
        statistics_(static_cast<std::size_t>(shape.sequence)) {}

  void add(std::int64_t matrix) {
    const std::int64_t first = matrix * elements_;
    const auto of_matrix = [first](const void* tensor) { return static_cast<const T*>(tensor) + first; };
    read(of_matrix(tensors_.q), q_);
    read(of_matrix(tensors_.k), k_);
    read(of_matrix(tensors_.d_out), d_out_);
    convert(of_matrix(tensors_.v), v_.data(), nullptr);
    d_k_.clear(stream_);
    d_v_.clear(stream_);
    for (std::int64_t query = 0; query < shape_.sequence; query += at_a_time_) add_queries(query);
    compare(tensors_.d_q, d_q_, first, 0);
    compare(tensors_.d_k, d_k_, first, 1);
    compare(tensors_.d_v, d_v_, first, 2);
  }

  WrongGradients found() {
    const std::vector<unsigned long long> all = found_.to_host();
    const auto of = [&all](std::size_t gradient) {
      return Wrong{static_cast<std::int64_t>(all[2 * gradient]), static_cast<std::int64_t>(all[2 * gradient + 1])};
    };
    return {of(0), of(1), of(2)};
  }

 private:
  void convert(const T* from, float* values, float* squares) {
    convert_kernel<<<kGradientBlocks, kGradientThreads, 0, stream_>>>(from, elements_, values, squares);
    check(cudaGetLastError());
  }
  void read(const T* from, Input& to) { convert(from, to.values.data(), to.squares.data()); }

  // Rows of d_q, and what the queries add to d_k and d_v.
  void add_queries(std::int64_t first) {
    const std::int64_t queries = std::min(at_a_time_, shape_.sequence - first), size = shape_.size;
    const std::int64_t keys = shape_.causal ? first + queries : shape_.sequence, at = first * size;
    const Pairs pairs{
        first, queries, keys, shares_.data(), gradients_.data(), share_squares_.data(), gradient_squares_.data()};
    multiply_in_fp32(queries, keys, size, {q_.values.data() + at}, {k_.values.data(), true}, 0, pairs.shares, stream_);
    multiply_in_fp32(queries, keys, size, {d_out_.values.data() + at}, {v_.data(), true}, 0, pairs.gradients, stream_);
    statistics_of_pairs_kernel<<<static_cast<unsigned>(queries), kGradientThreads, 0, stream_>>>(right_, pairs,
                                                                                                 statistics_.data());
    weights_kernel<<<kGradientBlocks, kGradientThreads, 0, stream_>>>(right_, pairs, statistics_.data());
    check(cudaGetLastError());
    const auto of_queries = [&](const float* weights, const Numbers& keys_rows, Numbers& result) {
      multiply_in_fp32(queries, size, keys, {weights}, {keys_rows.data()}, 0, result.data() + at, stream_);
    };
    of_queries(pairs.gradients, k_.values, d_q_.values);
    of_queries(pairs.gradient_squares, k_.squares, d_q_.squares);
    const auto of_keys = [&](const float* weights, const Numbers& queries_rows, Numbers& result) {
      multiply_in_fp32(keys, size, queries, {weights, true}, {queries_rows.data() + at}, 1, result.data(), stream_);
    };
    of_keys(pairs.gradients, q_.values, d_k_.values);
    of_keys(pairs.gradient_squares, q_.squares, d_k_.squares);
    of_keys(pairs.shares, d_out_.values, d_v_.values);
    of_keys(pairs.share_squares, d_out_.squares, d_v_.squares);
  }

  void compare(const void* seen, const Gradient& expected, std::int64_t first, std::int64_t place) {
    find_wrong_gradients_kernel<<<kGradientBlocks, kGradientThreads, 0, stream_>>>(
        right_, static_cast<const T*>(seen), expected.values.data(), expected.squares.data(), first, elements_,
        found_.data() + 2 * place);
    check(cudaGetLastError());
  }

  static std::vector<unsigned long long> nothing_found() {
    constexpr auto kNone = std::numeric_limits<unsigned long long>::max();
    return {0, kNone, 0, kNone, 0, kNone};
  }
  Numbers rows() const { return Numbers(static_cast<std::size_t>(elements_)); }
  Numbers pairs() const { return Numbers(static_cast<std::size_t>(at_a_time_ * shape_.sequence)); }

  AttentionShape shape_;
  AttentionTensors tensors_;
  RightGradients right_;
  std::int64_t elements_ = shape_.sequence * shape_.size, at_a_time_ = queries_at_a_time(shape_);
  cuda::Stream stream_;
  cuda::DeviceBuffer<RowStatistics> statistics_;
  cuda::DeviceBuffer<unsigned long long> found_{std::span<const unsigned long long>(nothing_found())};
  Input q_{rows(), rows()}, k_{rows(), rows()}, d_out_{rows(), rows()};
  Numbers v_ = rows(), shares_ = pairs(), gradients_ = pairs(), share_squares_ = pairs(), gradient_squares_ = pairs();
  Gradient d_q_{v_.size()}, d_k_{v_.size()}, d_v_{v_.size()};
};

}  // namespace

std::string WrongGradients::message(const AttentionShape& shape) const {
  const std::int64_t in_matrix = shape.sequence * shape.size;
  const auto line = [&](const char* name, const Wrong& wrong) {
    return std::to_string(wrong.elements) + " of " + std::to_string(shape.elements()) + " elements of " + name +
           " are wrong; the first in row " + std::to_string(wrong.first % in_matrix / shape.size) + ", column " +
           std::to_string(wrong.first % shape.size) + " of matrix " + std::to_string(wrong.first / in_matrix);
  };
  if (d_q.elements > 0) return line("d_q", d_q);
  if (d_k.elements > 0) return line("d_k", d_k);
  return d_v.elements > 0 ? line("d_v", d_v) : "";
}

std::int64_t gradient_check_bytes(const AttentionShape& shape) {
  const std::int64_t floats =
      kPairArrays * queries_at_a_time(shape) * shape.sequence + kRowArrays * shape.sequence * shape.size;
  return 4 * floats + static_cast<std::int64_t>(sizeof(RowStatistics)) * shape.sequence;
}

WrongGradients find_wrong_gradients(const AttentionShape& shape, const AttentionTensors& tensors,
                                    const attention::Rounding& rounding) {
  return kernels::with_type(shape.type, [&](auto tag) {
    GradientComparison<typename decltype(tag)::type> comparison(shape, tensors, rounding);
    for (std::int64_t matrix = 0; matrix < shape.matrices(); ++matrix) comparison.add(matrix);
    return comparison.found();
  });
}

}  // namespace cupel::bench::fusion
