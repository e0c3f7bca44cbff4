// The operations behind the linear layers of a transformer, in one pass.
#include "kernels/common/argument.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/pointwise/operations.cuh"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::kernels::pointwise {
namespace {

// Without dropout no random number is made: the branch is the same for all threads.
template <class Function>
struct ActivateAndAdd {
  Function activation;
  Dropout dropout;
  __device__ float operator()(std::int64_t i, float biased, const float (&x)[2]) const {
    float y = activation(biased);
    if (dropout.probability > 0) y = dropout(i, y);
    return y + x[1];
  }
};

}  // namespace

void bias_activation_residual(DType type, Activation activation, const void* in, const void* bias, const void* residual,
                              float probability, std::uint64_t seed, void* out, std::int64_t rows, std::int64_t columns,
                              cudaStream_t stream) {
  constexpr const char* kName = "bias_activation_residual";
  const std::int64_t count = require_rows(kName, rows, columns);
  require_array(bias, count == 0 ? 0 : columns, size_of(type), kName, "bias");
  require_arrays({{in, "in"}, {residual, "residual"}, {out, "out"}}, count, size_of(type), kName);
  require_probability(kName, probability);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    with_activation(activation, [&](auto function) {
      using Function = ActivateAndAdd<decltype(function)>;
      launch_elementwise(
          WithBias<T, Function>(static_cast<const T*>(bias), columns, {function, Dropout(probability, seed)}),
          {static_cast<const T*>(in), static_cast<const T*>(residual)}, static_cast<T*>(out), count, stream);
    });
  });
}

}  // namespace cupel::kernels::pointwise
