#include "bench/fusion/cudnn_norm_softmax.hpp"

#include <limits>
#include <stdexcept>

#include "cupel/vendor/handles.hpp"

namespace cupel::bench::fusion {
namespace {

using vendor::check;
using vendor::cudnn_library;
using vendor::Entry;

const Entry<decltype(cudnnSoftmaxForward)> softmax_forward(cudnn_library, "cudnnSoftmaxForward");
const Entry<decltype(cudnnSoftmaxBackward)> softmax_backward(cudnn_library, "cudnnSoftmaxBackward");

// The scaling factors of fp16 tensors are float.
constexpr float kOne = 1, kZero = 0;
const void* one() { return &kOne; }
const void* zero() { return &kZero; }

vendor::CudnnTensor tensor(std::int64_t rows, std::int64_t columns) {
  if (rows < 1 || columns < 1 || rows > std::numeric_limits<int>::max() / columns) {
    throw std::invalid_argument("CudnnSoftmax: rows x columns must be 1 or more and fit an int");
  }
  return {CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, static_cast<int>(rows), static_cast<int>(columns), 1, 1};
}

}  // namespace

CudnnSoftmax::CudnnSoftmax(std::int64_t rows, std::int64_t columns) : rows_(tensor(rows, columns)) {}

void CudnnSoftmax::forward(const void* in, void* out, cudaStream_t stream) const {
  check(softmax_forward(vendor::cudnn_on(stream), CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, one(),
                        rows_.get(), in, zero(), rows_.get(), out));
}

void CudnnSoftmax::backward(const void* out, const void* d_out, void* d_in, cudaStream_t stream) const {
  check(softmax_backward(vendor::cudnn_on(stream), CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, one(),
                         rows_.get(), out, rows_.get(), d_out, zero(), rows_.get(), d_in));
}

}  // namespace cupel::bench::fusion
