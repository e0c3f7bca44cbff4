// The formulas, an operation a kernel: what a framework runs that does not fuse.
#include <cstddef>

#include "kernels/common/argument.hpp"
#include "kernels/norm/columns.cuh"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {
namespace {

// One number of each row.
template <class T, bool kMax>
struct ReduceRow {
  using Element = T;
  const T* in;
  float factor;  // times the sum
  float* out;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    float mine = kMax ? -INFINITY : 0.0f;
    walk.each(walk.row(in + r * walk.columns()), [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) mine = kMax ? fmaxf(mine, x[e]) : mine + x[e];
    });
    const float total = kMax ? walk.max(mine) : walk.sum(mine) * factor;
    if (walk.speaks()) out[r] = total;
  }
};

struct Subtract {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] - v; }
};
struct Times {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] * v; }
};
struct Over {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] / v; }
};
struct TimesColumn {
  __device__ float operator()(const float (&x)[1], const float (&v)[1]) const { return x[0] * v[0]; }
};
struct PlusColumn {
  __device__ float operator()(const float (&x)[1], const float (&v)[1]) const { return x[0] + v[0]; }
};
struct Square {
  __device__ float operator()(const float (&x)[1]) const { return x[0] * x[0]; }
};
struct Exponential {
  __device__ float operator()(const float (&x)[1]) const { return expf(x[0]); }
};
struct Logarithm {
  __device__ float operator()(const float (&x)[1]) const { return logf(x[0]); }
};
struct InverseRoot {
  float epsilon;
  __device__ float operator()(const float (&x)[1]) const { return 1.0f / sqrtf(x[0] + epsilon); }
};
struct Product {
  __device__ float operator()(const float (&x)[2]) const { return x[0] * x[1]; }
};

template <class T>
__global__ void pick_kernel(const T* log_share, const std::int32_t* label, float* loss, Shape shape) {
  const std::int64_t r = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= shape.rows) return;
  const std::int32_t c = label[r];
  loss[r] = c >= 0 && c < shape.columns ? -to_float(log_share[r * shape.columns + c]) : NAN;
}

// The operations with their shape and stream, so that a formula reads as one.
template <class T>
class Eager {
 public:
  Eager(const Shape& shape, cudaStream_t stream) : shape_(shape), stream_(stream) {}

  void row_sum(const T* in, float* out) const { reduce(ReduceRow<T, false>{in, 1, out}); }
  void row_mean(const T* in, float* out) const {
    reduce(ReduceRow<T, false>{in, 1.0f / static_cast<float>(shape_.columns), out});
  }
  void row_max(const T* in, float* out) const { reduce(ReduceRow<T, true>{in, 1, out}); }

  template <class Function>
  void with_row(Function function, const T* in, const float* row, T* out) const {
    launch_elementwise(ByRow<Function>(row, shape_.columns, function), {in}, out, count(), stream_);
  }
  template <class Function>
  void with_column(Function function, const T* in, const void* column, T* out) const {
    const T* const values[1] = {static_cast<const T*>(column)};
    launch_elementwise(ByColumn<T, 1, Function>(values, shape_.columns, function), {in}, out, count(), stream_);
  }
  template <class Function>
  void all(Function function, const T* in, T* out) const {
    launch_elementwise(Everywhere<Function>{function}, {in}, out, count(), stream_);
  }
  void product(const T* a, const T* b, T* out) const {
    launch_elementwise(Everywhere<Product>{}, {a, b}, out, count(), stream_);
  }
  template <class Function>
  void rows(Function function, const float* in, float* out) const {
    launch_elementwise(Everywhere<Function>{function}, {in}, out, shape_.rows, stream_);
  }
  void pick(const T* log_share, const std::int32_t* label, float* loss) const {
    if (shape_.rows == 0) return;
    pick_kernel<<<static_cast<unsigned>((shape_.rows + 255) / 256), 256, 0, stream_>>>(log_share, label, loss, shape_);
    cuda::check(cudaGetLastError());
  }

 private:
  std::int64_t count() const { return shape_.rows * shape_.columns; }
  template <class Operation>
  void reduce(const Operation& operation) const {
    launch_rows<4>(operation, shape_, is_vector_aligned(operation.in), stream_);
  }

  Shape shape_;
  cudaStream_t stream_;
};

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
  require_array(in, count, size_of(type), kName, "in");
  require_columns(gamma, shape, size_of(type), kName, "gamma");
  require_columns(beta, shape, size_of(type), kName, "beta");
  require_array(out, count, size_of(type), kName, "out");
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
    eager.with_column(TimesColumn{}, centered, gamma, centered);
    eager.with_column(PlusColumn{}, centered, beta, static_cast<T*>(out));
  });
}

void rms_norm_textbook(DType type, const void* in, const void* gamma, float epsilon, void* out,
                       TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "rms_norm_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_array(in, count, size_of(type), kName, "in");
  require_columns(gamma, shape, size_of(type), kName, "gamma");
  require_array(out, count, size_of(type), kName, "out");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto* first = static_cast<T*>(workspace.first());
    eager.all(Square{}, static_cast<const T*>(in), first);
    eager.row_mean(first, workspace.row());
    eager.rows(InverseRoot{epsilon}, workspace.row(), workspace.row());
    eager.with_row(Times{}, static_cast<const T*>(in), workspace.row(), first);
    eager.with_column(TimesColumn{}, first, gamma, static_cast<T*>(out));
  });
}

void softmax_textbook(DType type, const void* in, void* out, TextbookWorkspace& workspace, const Shape& shape,
                      cudaStream_t stream) {
  const std::int64_t count = require_shape("softmax_textbook", shape);
  require_array(in, count, size_of(type), "softmax_textbook", "in");
  require_array(out, count, size_of(type), "softmax_textbook", "out");
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
  require_array(out, count, size_of(type), kName, "out");
  require_array(d_out, count, size_of(type), kName, "d_out");
  require_array(d_in, count, size_of(type), kName, "d_in");
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
  require_array(label, shape.rows, 4, kName, "label");
  require_array(loss, shape.rows, 4, kName, "loss");
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
    eager.pick(first, label, loss);
  });
}

}  // namespace cupel::kernels::norm
