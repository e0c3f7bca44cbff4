// Softmax of rows that see only the columns up to their own. What they do not see is not read: half of the array.
#include <utility>

#include "kernels/norm/softmax.cuh"

namespace cupel::kernels::norm {
namespace {

// A walk through the columns that a row sees; what a pack holds behind them is replaced by `unseen`.
template <class Walk>
class Causal {
 public:
  using Element = typename Walk::Element;
  static constexpr int N = Walk::N;
  enum : bool { kOnce = Walk::kOnce };

  // r: of the rows of all squares.
  __device__ Causal(const Walk& walk, std::int64_t r, float unseen)
      : seen_(static_cast<int>(static_cast<unsigned>(r) % static_cast<unsigned>(walk.columns())) + 1),
        unseen_(unseen),
        all_(walk),
        walk_(walk.first(seen_)) {}

  template <class T>
  __device__ auto row(const T* data, int place = 0) const {
    return walk_.row(data, place);
  }

  template <class Row, class F>
  __device__ void each(const Row& row, const F& f) const {
    walk_.each(row, [&](int c, const float(&x)[N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = c + e < seen_ ? x[e] : unseen_;
      f(c, y);
    });
  }

  template <class Row, class F>
  __device__ void each(const Row& first, const Row& second, const F& f) const {
    walk_.each(first, second, [&](int c, const float(&x)[N], const float(&y)[N]) {
      float u[N], v[N];
      for (int e = 0; e < N; ++e) {
        u[e] = c + e < seen_ ? x[e] : unseen_;
        v[e] = c + e < seen_ ? y[e] : unseen_;
      }
      f(c, u, v);
    });
  }

  // In the packs that each() does not come to.
  template <class T>
  __device__ void zero_the_rest(T* row) const {
    const float zeros[N] = {};
    all_.from(seen_, [&](int c) { Walk::store(row + c, zeros); });
  }

  template <class Row>
  __device__ float greatest(const Row& row) const {
    float most = -INFINITY;
    each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) most = fmaxf(most, x[e]);
    });
    return most;
  }
  __device__ float sum(float value) const { return walk_.sum(value); }
  __device__ float max(float value) const { return walk_.max(value); }

 private:
  int seen_;  // columns, at least one
  float unseen_;
  Walk all_;
  decltype(std::declval<Walk>().first(0)) walk_;
};

std::int64_t require_squares(const char* function, const Shape& shape) {
  const std::int64_t count = require_shape(function, shape);
  require_argument(shape.rows % shape.columns == 0, function, "shape.rows", "a multiple of shape.columns");
  return count;
}

}  // namespace

void causal_softmax(DType type, const void* in, void* out, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "causal_softmax";
  launch_softmax<Causal>(kName, require_squares(kName, shape), type, in, out, shape, stream);
}

void causal_softmax_backward(DType type, const void* out, const void* d_out, void* d_in, const Shape& shape,
                             cudaStream_t stream) {
  constexpr const char* kName = "causal_softmax_backward";
  launch_softmax_backward<Causal>(kName, require_squares(kName, shape), type, out, d_out, d_in, shape, stream);
}

}  // namespace cupel::kernels::norm
