#include "kernels/common/argument.hpp"
#include "kernels/norm/column_sums.cuh"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

void parameter_gradients(DType type, const void* in, const void* d_out, const float* mean,
                         const float* inverse_deviation, float* d_gamma, float* d_beta, float* partial,
                         const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "parameter_gradients";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}}, count, size_of(type), kName);
  require_array(inverse_deviation, shape.rows, 4, kName, "inverse_deviation");
  require_arrays({{d_gamma, "d_gamma"}, {partial, "partial"}}, shape.columns, 4, kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto *x = static_cast<const T*>(in), *d = static_cast<const T*>(d_out);
    const auto terms = [&](auto pack) {
      return GradientTerms<false, false, decltype(pack)::value, T>(x, nullptr, d, mean, inverse_deviation,
                                                                   shape.columns);
    };
    const bool vectors = shape.columns % kVector<T> == 0 && is_vector_aligned(x) && is_vector_aligned(d);
    launch_over_rows<Sums, kVector<T>>(terms, vectors, WriteGradients{d_gamma, d_beta}, partial, shape, stream);
  });
}

}  // namespace cupel::kernels::norm
