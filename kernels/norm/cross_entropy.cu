#include "kernels/norm/exponentials.cuh"
#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm {
namespace {

template <class T>
struct CrossEntropy {
  using Element = T;
  const T* in;
  const std::int32_t* label;
  float *loss, *log_sum;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    const std::int32_t c = label[r];  // on its way beside the row
    const auto row = walk.row(in + r * walk.columns());
    const auto found = exponentials(walk, row);
    if (!walk.speaks()) return;
    const float log_of_sum = logf(found.sum) - found.below.log_factor();
    const bool is_column = c >= 0 && c < walk.columns();
    // The maximum goes first: it may be large, and what is left is the loss.
    loss[r] = is_column ? log_of_sum + (found.max - to_float(in[r * walk.columns() + c])) : NAN;
    log_sum[r] = found.max + log_of_sum;
  }
};

template <class T>
struct CrossEntropyBackward {
  using Element = T;
  const T* in;
  const std::int32_t* label;
  const float* log_sum;
  float scale;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const float of_row = log_sum[r];
    const std::int32_t at = label[r];
    walk.each(row, [&](int c, const float(&x)[N]) {
      float d[N];
      for (int e = 0; e < N; ++e) d[e] = scale * (exponential(x[e] - of_row) - (c + e == at ? 1.0f : 0.0f));
      Walk::store(d_in + r * walk.columns() + c, d);
    });
  }
};

}  // namespace

void cross_entropy(DType type, const void* in, const std::int32_t* label, float* loss, float* log_sum,
                   const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("cross_entropy", shape);
  require_array(in, count, size_of(type), "cross_entropy", "in");
  require_arrays({{label, "label"}, {loss, "loss"}, {log_sum, "log_sum"}}, shape.rows, 4, "cross_entropy");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const CrossEntropy<T> operation{static_cast<const T*>(in), label, loss, log_sum};
    launch_rows<0>(operation, shape, all_aligned(in), stream);
  });
}

void cross_entropy_backward(DType type, const void* in, const std::int32_t* label, const float* log_sum, float scale,
                            void* d_in, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "cross_entropy_backward";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_arrays({{label, "label"}, {log_sum, "log_sum"}}, shape.rows, 4, kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const CrossEntropyBackward<T> operation{static_cast<const T*>(in), label, log_sum, scale, static_cast<T*>(d_in)};
    launch_rows<1>(operation, shape, all_aligned(in, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
