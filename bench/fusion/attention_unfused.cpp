#include "bench/fusion/attention_unfused.hpp"

#include <cstdint>

#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/handles.hpp"
#include "kernels/norm/norm.hpp"

namespace cupel::bench::fusion {
namespace {

namespace norm = kernels::norm;

// Row-major and without gaps; transposed: stored with rows and columns exchanged.
struct Factor {
  const void* data;
  bool transposed = false;
};

// result (rows x columns) = factor left (rows x inner) right (inner x columns) of each matrix of the batch, sums in
// fp32. cuBLAS takes what is row-major for the transpose: it is asked for result^T = right^T left^T.
void multiply(const AttentionShape& shape, std::int64_t rows, std::int64_t columns, std::int64_t inner, double factor,
              const Factor& left, const Factor& right, void* result, cudaStream_t stream) {
  const cudaDataType_t type = shape.type == kernels::DType::bf16 ? CUDA_R_16BF : CUDA_R_16F;
  const auto alpha = static_cast<float>(factor);
  const float beta = 0;
  const auto operation = [](const Factor& of) { return of.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  vendor::check(vendor::cublas::gemm_strided_batched_ex(
      vendor::cublas_on(stream), operation(right), operation(left), columns, rows, inner,
      static_cast<const void*>(&alpha), right.data, type, right.transposed ? inner : columns, inner * columns,
      left.data, type, left.transposed ? rows : inner, rows * inner, static_cast<const void*>(&beta), result, type,
      columns, rows * columns, shape.matrices(), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

norm::Shape scores_of(const AttentionShape& shape) { return {shape.matrices() * shape.sequence, shape.sequence}; }

}  // namespace

void attention_unfused(const AttentionShape& shape, const AttentionTensors& tensors, void* shares,
                       cudaStream_t stream) {
  const std::int64_t sequence = shape.sequence, size = shape.size;
  multiply(shape, sequence, sequence, size, shape.scale(), {tensors.q}, {tensors.k, true}, shares, stream);
  const auto softmax = shape.causal ? norm::causal_softmax : norm::softmax;
  softmax(shape.type, shares, shares, scores_of(shape), stream);
  multiply(shape, sequence, size, sequence, 1, {shares}, {tensors.v}, tensors.out, stream);
}

void attention_backward_unfused(const AttentionShape& shape, const AttentionTensors& tensors, const void* shares,
                                void* slopes, cudaStream_t stream) {
  const std::int64_t sequence = shape.sequence, size = shape.size;
  multiply(shape, sequence, size, sequence, 1, {shares, true}, {tensors.d_out}, tensors.d_v, stream);
  multiply(shape, sequence, sequence, size, 1, {tensors.d_out}, {tensors.v, true}, slopes, stream);
  // The gradient of the scaled scores, in the place of the slopes.
  const auto softmax_backward = shape.causal ? norm::causal_softmax_backward : norm::softmax_backward;
  softmax_backward(shape.type, shares, slopes, slopes, scores_of(shape), stream);
  multiply(shape, sequence, size, sequence, shape.scale(), {slopes}, {tensors.k}, tensors.d_q, stream);
  multiply(shape, sequence, size, sequence, shape.scale(), {slopes, true}, {tensors.q}, tensors.d_k, stream);
}

}  // namespace cupel::bench::fusion
