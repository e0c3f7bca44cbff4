// The formulas of rows, an operation a kernel: what a framework runs that does not fuse.
#include <cstddef>

#include "kernels/norm/eager.cuh"

namespace cupel::kernels::norm {
namespace {

using eager::Eager;
using eager::Exponential;
using eager::InverseRoot;
using eager::Logarithm;
using eager::Over;
using eager::Plus;
using eager::Scaled;
using eager::Square;
using eager::Subtract;
using eager::Times;

constexpr int kRowBlock = 256;

unsigned blocks_of_rows(std::int64_t rows) { return static_cast<unsigned>((rows + kRowBlock - 1) / kRowBlock); }

// The loss is an element of the row.
template <class T>
__global__ void pick_kernel(const T* log_share, const std::int32_t* label, float* loss, Shape shape) {
  const std::int64_t r = std::int64_t{blockIdx.x} * kRowBlock + threadIdx.x;
  if (r >= shape.rows) return;
  const std::int32_t c = label[r];
  loss[r] = c >= 0 && c < shape.columns ? -to_float(log_share[r * shape.columns + c]) : NAN;
}

// Takes one off the label's share.
template <class T>
__global__ void subtract_label_kernel(T* share, const std::int32_t* label, Shape shape) {
  const std::int64_t r = std::int64_t{blockIdx.x} * kRowBlock + threadIdx.x;
  if (r >= shape.rows || label[r] < 0 || label[r] >= shape.columns) return;
  T& at = share[r * shape.columns + label[r]];
  at = from_float<T>(to_float(at) - 1.0f);
}

}  // namespace

TextbookWorkspace::TextbookWorkspace(DType type, const Shape& shape)
    : first_(static_cast<std::size_t>(require_shape("TextbookWorkspace", shape) * size_of(type))),
      second_(first_.size()),
      row_(static_cast<std::size_t>(shape.rows)),
      other_row_(static_cast<std::size_t>(shape.rows)) {}

void layer_norm_textbook(DType type, const void* in, const void* gamma, const void* beta, float epsilon, void* out,
                         TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "layer_norm_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}, {beta, "beta"}}, shape, size_of(type), kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *centered = static_cast<T*>(workspace.first()), *squares = static_cast<T*>(workspace.second());
    eager.row_mean(static_cast<const T*>(in), workspace.row());
    eager.with_row(Subtract{}, static_cast<const T*>(in), workspace.row(), centered);
    eager.all(Square{}, centered, squares);
    eager.row_mean(squares, workspace.other_row());
    eager.rows(InverseRoot{epsilon}, workspace.other_row(), workspace.other_row());
    eager.with_row(Times{}, centered, workspace.other_row(), centered);
    eager.with_column(Times{}, centered, static_cast<const T*>(gamma), centered);
    eager.with_column(Plus{}, centered, static_cast<const T*>(beta), static_cast<T*>(out));
  });
}

void rms_norm_textbook(DType type, const void* in, const void* gamma, float epsilon, void* out,
                       TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "rms_norm_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}}, shape, size_of(type), kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto* first = static_cast<T*>(workspace.first());
    eager.all(Square{}, static_cast<const T*>(in), first);
    eager.row_mean(first, workspace.row());
    eager.rows(InverseRoot{epsilon}, workspace.row(), workspace.row());
    eager.with_row(Times{}, static_cast<const T*>(in), workspace.row(), first);
    eager.with_column(Times{}, first, static_cast<const T*>(gamma), static_cast<T*>(out));
  });
}

void softmax_textbook(DType type, const void* in, void* out, TextbookWorkspace& workspace, const Shape& shape,
                      cudaStream_t stream) {
  const std::int64_t count = require_shape("softmax_textbook", shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "softmax_textbook");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto* first = static_cast<T*>(workspace.first());
    eager.row_max(static_cast<const T*>(in), workspace.row());
    eager.with_row(Subtract{}, static_cast<const T*>(in), workspace.row(), first);
    eager.all(Exponential{}, first, first);
    eager.row_sum(first, workspace.row());
    eager.with_row(Over{}, first, workspace.row(), static_cast<T*>(out));
  });
}

void softmax_backward_textbook(DType type, const void* out, const void* d_out, void* d_in, TextbookWorkspace& workspace,
                               const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "softmax_backward_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{out, "out"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *first = static_cast<T*>(workspace.first()), *second = static_cast<T*>(workspace.second());
    eager.product(static_cast<const T*>(out), static_cast<const T*>(d_out), first);
    eager.row_sum(first, workspace.row());
    eager.with_row(Subtract{}, static_cast<const T*>(d_out), workspace.row(), second);
    eager.product(static_cast<const T*>(out), second, static_cast<T*>(d_in));
  });
}

void cross_entropy_textbook(DType type, const void* in, const std::int32_t* label, float* loss,
                            TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "cross_entropy_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_array(in, count, size_of(type), kName, "in");
  require_arrays({{label, "label"}, {loss, "loss"}}, shape.rows, 4, kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *first = static_cast<T*>(workspace.first()), *second = static_cast<T*>(workspace.second());
    eager.row_max(static_cast<const T*>(in), workspace.row());
    eager.with_row(Subtract{}, static_cast<const T*>(in), workspace.row(), first);
    eager.all(Exponential{}, first, second);
    eager.row_sum(second, workspace.row());
    eager.rows(Logarithm{}, workspace.row(), workspace.row());
    eager.with_row(Subtract{}, first, workspace.row(), first);
    if (shape.rows == 0) return;
    pick_kernel<<<blocks_of_rows(shape.rows), kRowBlock, 0, stream>>>(first, label, loss, shape);
    cuda::check(cudaGetLastError());
  });
}

void layer_norm_backward_textbook(DType type, const void* in, const void* gamma, const void* d_out, const float* mean,
                                  const float* inverse_deviation, void* d_in, TextbookWorkspace& workspace,
                                  const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "layer_norm_backward_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}}, shape, size_of(type), kName);
  require_arrays({{mean, "mean"}, {inverse_deviation, "inverse_deviation"}}, shape.rows, 4, kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *normal = static_cast<T*>(workspace.first()), *d = static_cast<T*>(workspace.second());
    auto* out = static_cast<T*>(d_in);
    eager.with_row(Subtract{}, static_cast<const T*>(in), mean, normal);
    eager.with_row(Times{}, normal, inverse_deviation, normal);
    eager.with_column(Times{}, static_cast<const T*>(d_out), static_cast<const T*>(gamma), d);
    eager.row_mean(d, workspace.row());
    eager.product(normal, d, out);
    eager.row_mean(out, workspace.other_row());
    eager.with_row(Times{}, normal, workspace.other_row(), normal);
    eager.with_row(Subtract{}, d, workspace.row(), d);
    eager.difference(d, normal, d);
    eager.with_row(Times{}, d, inverse_deviation, out);
  });
}

void rms_norm_backward_textbook(DType type, const void* in, const void* gamma, const void* d_out,
                                const float* inverse_deviation, void* d_in, TextbookWorkspace& workspace,
                                const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "rms_norm_backward_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}}, shape, size_of(type), kName);
  require_array(inverse_deviation, shape.rows, 4, kName, "inverse_deviation");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *normal = static_cast<T*>(workspace.first()), *d = static_cast<T*>(workspace.second());
    auto* out = static_cast<T*>(d_in);
    eager.with_row(Times{}, static_cast<const T*>(in), inverse_deviation, normal);
    eager.with_column(Times{}, static_cast<const T*>(d_out), static_cast<const T*>(gamma), d);
    eager.product(normal, d, out);
    eager.row_mean(out, workspace.row());
    eager.with_row(Times{}, normal, workspace.row(), normal);
    eager.difference(d, normal, d);
    eager.with_row(Times{}, d, inverse_deviation, out);
  });
}

void cross_entropy_backward_textbook(DType type, const void* in, const std::int32_t* label, const float* log_sum,
                                     float scale, void* d_in, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "cross_entropy_backward_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_arrays({{label, "label"}, {log_sum, "log_sum"}}, shape.rows, 4, kName);
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto* out = static_cast<T*>(d_in);
    eager.with_row(Subtract{}, static_cast<const T*>(in), log_sum, out);
    eager.all(Exponential{}, out, out);
    subtract_label_kernel<<<blocks_of_rows(shape.rows), kRowBlock, 0, stream>>>(out, label, shape);
    cuda::check(cudaGetLastError());
    eager.all(Scaled{scale}, out, out);
  });
}

}  // namespace cupel::kernels::norm
