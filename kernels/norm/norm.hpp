// Normalisations of rows: layer norm, RMS norm, softmax, log-softmax with cross entropy, and batch norm over columns.
// Each in two ways:
//   textbook     an operation a kernel, as a framework's eager mode runs the formula: temporaries go through memory
//   single_pass  one kernel: a row is read once if registers and shared memory of a block hold it, else in part again
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::kernels::norm {

inline constexpr std::int64_t kMostColumns = 65536;

/// The arrays are rows x columns, row-major, in device memory, at any multiple of an element's size.
struct Shape {
  std::int64_t rows = 0;     ///< 0 or more
  std::int64_t columns = 1;  ///< 1 to kMostColumns
};

// All enqueue on `stream` and neither allocate nor synchronise. Computed in fp32, stored with one rounding to `type`.
// out may be in. They throw std::invalid_argument that names a bad argument, and CudaError if a launch is refused.

/// Strips of rows in which what is summed over the rows of each column is summed first: 1 to 1024, by the shape alone,
/// so that results are the same on every GPU.
int row_strips(const Shape& shape);

/// Floats of device memory that such a sum wants for its strips.
std::int64_t partial_floats(const Shape& shape);

/// out = (in - mean) / sqrt(variance + epsilon) * gamma + beta; mean and variance (divided by columns) of each row;
/// gamma, beta: columns elements of `type`. mean, inverse_deviation: rows floats for the backward pass, or null.
/// Source: Ba, Kiros and Hinton (2016), "Layer Normalization".
void layer_norm(DType type, const void* in, const void* gamma, const void* beta, float epsilon, void* out, float* mean,
                float* inverse_deviation, const Shape& shape, cudaStream_t stream);

/// d_in of layer_norm() from d_out, and what the forward pass left.
void layer_norm_backward(DType type, const void* in, const void* gamma, const void* d_out, const float* mean,
                         const float* inverse_deviation, void* d_in, const Shape& shape, cudaStream_t stream);

/// out = in / sqrt(mean of squares + epsilon) * gamma. Source: Zhang and Sennrich (2019).
void rms_norm(DType type, const void* in, const void* gamma, float epsilon, void* out, float* inverse_deviation,
              const Shape& shape, cudaStream_t stream);

void rms_norm_backward(DType type, const void* in, const void* gamma, const void* d_out, const float* inverse_deviation,
                       void* d_in, const Shape& shape, cudaStream_t stream);

/// d_gamma and d_beta (columns floats) of layer_norm(), or of rms_norm() where mean and d_beta are null. Deterministic.
/// partial: partial_floats(shape) floats.
void parameter_gradients(DType type, const void* in, const void* d_out, const float* mean,
                         const float* inverse_deviation, float* d_gamma, float* d_beta, float* partial,
                         const Shape& shape, cudaStream_t stream);

/// out = exp(in - max) / sum of exp(in - max) of each row. A row of -inf gives NaN.
/// Source: Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.
void softmax(DType type, const void* in, void* out, const Shape& shape, cudaStream_t stream);

/// d_in = (d_out - sum of d_out * out) * out.
void softmax_backward(DType type, const void* out, const void* d_out, void* d_in, const Shape& shape,
                      cudaStream_t stream);

/// softmax() of squares one below the other (shape.rows is a multiple of shape.columns), of which row r of each sees
/// the columns 0 to r: what lies behind them in `in` is not read, whatever it is, and is 0 in `out`.
void causal_softmax(DType type, const void* in, void* out, const Shape& shape, cudaStream_t stream);

/// softmax_backward() of causal_softmax(): what a row does not see is not read, and is 0 in d_in.
void causal_softmax_backward(DType type, const void* out, const void* d_out, void* d_in, const Shape& shape,
                             cudaStream_t stream);

/// loss[r] = -log softmax(in[r])[label[r]]; log_sum[r] = log of the sum of exp(in[r]), for the backward pass. Labels
/// are in device memory, 0 to columns - 1; a label beyond gives NaN.
void cross_entropy(DType type, const void* in, const std::int32_t* label, float* loss, float* log_sum,
                   const Shape& shape, cudaStream_t stream);

/// d_in = scale * (softmax(in) - one at the label).
void cross_entropy_backward(DType type, const void* in, const std::int32_t* label, const float* log_sum, float scale,
                            void* d_in, const Shape& shape, cudaStream_t stream);

/// Batch norm over the rows of each column (channel): rows are batch x height x width of a channels-last array.
/// mean, inverse_deviation: columns floats, written by training. partial: partial_floats(shape) floats.
/// Source: Ioffe and Szegedy (2015), algorithm 1; partial results joined as in Chan, Golub and LeVeque (1979).
void batch_norm_training(DType type, const void* in, const float* gamma, const float* beta, float epsilon, bool relu,
                         void* out, float* mean, float* inverse_deviation, float* partial, const Shape& shape,
                         cudaStream_t stream);

/// out = in * factor + shift of each column, then ReLU if asked: batch norm in inference, folded. In one kernel.
void scale_shift(DType type, const void* in, const float* factor, const float* shift, bool relu, void* out,
                 const Shape& shape, cudaStream_t stream);

/// factor = gamma / sqrt(variance + epsilon), shift = beta - mean * factor; columns floats each.
void fold_batch_norm(const float* gamma, const float* beta, const float* mean, const float* variance, float epsilon,
                     float* factor, float* shift, std::int64_t columns, cudaStream_t stream);

/// d_in, d_gamma and d_beta of batch_norm_training() without ReLU. partial as there.
void batch_norm_backward(DType type, const void* in, const void* d_out, const float* gamma, const float* mean,
                         const float* inverse_deviation, void* d_in, float* d_gamma, float* d_beta, float* partial,
                         const Shape& shape, cudaStream_t stream);

/// The same of batch_norm_training() with ReLU. out: what that wrote; where it is not positive the gradient is 0.
void batch_norm_relu_backward(DType type, const void* in, const void* out, const void* d_out, const float* gamma,
                              const float* mean, const float* inverse_deviation, void* d_in, float* d_gamma,
                              float* d_beta, float* partial, const Shape& shape, cudaStream_t stream);

/// Temporaries of the textbook versions, made once: two arrays of `type` and two numbers for each row.
class TextbookWorkspace {
 public:
  TextbookWorkspace(DType type, const Shape& shape);
  void* first() { return first_.data(); }
  void* second() { return second_.data(); }
  float* row() { return row_.data(); }
  float* other_row() { return other_row_.data(); }

 private:
  cuda::DeviceBuffer<unsigned char> first_, second_;
  cuda::DeviceBuffer<float> row_, other_row_;
};

// The formulas above, an operation a kernel. Temporaries are rounded to `type`, so results are a few roundings off; out
// and d_in must not be an input.
void layer_norm_textbook(DType type, const void* in, const void* gamma, const void* beta, float epsilon, void* out,
                         TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
void rms_norm_textbook(DType type, const void* in, const void* gamma, float epsilon, void* out,
                       TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
void layer_norm_backward_textbook(DType type, const void* in, const void* gamma, const void* d_out, const float* mean,
                                  const float* inverse_deviation, void* d_in, TextbookWorkspace& workspace,
                                  const Shape& shape, cudaStream_t stream);
void rms_norm_backward_textbook(DType type, const void* in, const void* gamma, const void* d_out,
                                const float* inverse_deviation, void* d_in, TextbookWorkspace& workspace,
                                const Shape& shape, cudaStream_t stream);
/// With mean and d_beta, as of layer_norm(). partial: as parameter_gradients().
void parameter_gradients_textbook(DType type, const void* in, const void* d_out, const float* mean,
                                  const float* inverse_deviation, float* d_gamma, float* d_beta, float* partial,
                                  TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
void softmax_textbook(DType type, const void* in, void* out, TextbookWorkspace& workspace, const Shape& shape,
                      cudaStream_t stream);
void softmax_backward_textbook(DType type, const void* out, const void* d_out, void* d_in, TextbookWorkspace& workspace,
                               const Shape& shape, cudaStream_t stream);
/// loss[r] by log-softmax of the whole row, then the label's element of it.
void cross_entropy_textbook(DType type, const void* in, const std::int32_t* label, float* loss,
                            TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
/// Needs no temporaries.
void cross_entropy_backward_textbook(DType type, const void* in, const std::int32_t* label, const float* log_sum,
                                     float scale, void* d_in, const Shape& shape, cudaStream_t stream);
/// mean, inverse_deviation, partial: as batch_norm_training().
void batch_norm_training_textbook(DType type, const void* in, const float* gamma, const float* beta, float epsilon,
                                  bool relu, void* out, float* mean, float* inverse_deviation, float* partial,
                                  TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
/// With statistics that are known: what scale_shift() does after fold_batch_norm(). inverse_deviation: columns floats,
/// written.
void batch_norm_inference_textbook(DType type, const void* in, const float* gamma, const float* beta, const float* mean,
                                   const float* variance, float epsilon, bool relu, void* out, float* inverse_deviation,
                                   TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream);
void batch_norm_backward_textbook(DType type, const void* in, const void* d_out, const float* gamma, const float* mean,
                                  const float* inverse_deviation, void* d_in, float* d_gamma, float* d_beta,
                                  float* partial, TextbookWorkspace& workspace, const Shape& shape,
                                  cudaStream_t stream);

}  // namespace cupel::kernels::norm
