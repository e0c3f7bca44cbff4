// One operation a kernel.
#include "kernels/common/argument.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/pointwise/operations.cuh"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::kernels::pointwise {
namespace {

struct Same {
  __device__ float operator()(const float (&x)[1]) const { return x[0]; }
};

template <class Function>
void unary(const char* name, DType type, const Function& function, const void* in, void* out, std::int64_t count,
           cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), name);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_elementwise(Everywhere<Unary<Function>>{{function}}, {static_cast<const T*>(in)}, static_cast<T*>(out),
                       count, stream);
  });
}

template <class Function>
void binary(const char* name, DType type, const Function& function, const void* a, const void* b, void* out,
            std::int64_t count, cudaStream_t stream) {
  require_arrays({{a, "a"}, {b, "b"}, {out, "out"}}, count, size_of(type), name);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_elementwise(Everywhere<Binary<Function>>{{function}}, {static_cast<const T*>(a), static_cast<const T*>(b)},
                       static_cast<T*>(out), count, stream);
  });
}

}  // namespace

void add(DType type, const void* a, const void* b, void* out, std::int64_t count, cudaStream_t stream) {
  binary("add", type, Add(), a, b, out, count, stream);
}

void multiply(DType type, const void* a, const void* b, void* out, std::int64_t count, cudaStream_t stream) {
  binary("multiply", type, Multiply(), a, b, out, count, stream);
}

void scale(DType type, const void* in, float factor, void* out, std::int64_t count, cudaStream_t stream) {
  unary("scale", type, Scale{factor}, in, out, count, stream);
}

void activate(DType type, Activation activation, const void* in, void* out, std::int64_t count, cudaStream_t stream) {
  with_activation(activation, [&](auto function) { unary("activate", type, function, in, out, count, stream); });
}

void cast(DType from, const void* in, DType to, void* out, std::int64_t count, cudaStream_t stream) {
  require_array(in, count, size_of(from), "cast", "in");
  require_array(out, count, size_of(to), "cast", "out");
  with_type(from, [&](auto source) {
    with_type(to, [&](auto destination) {
      using In = typename decltype(source)::type;
      using Out = typename decltype(destination)::type;
      launch_elementwise(Everywhere<Same>{}, {static_cast<const In*>(in)}, static_cast<Out*>(out), count, stream);
    });
  });
}

void add_bias(DType type, const void* in, const void* bias, void* out, std::int64_t rows, std::int64_t columns,
              cudaStream_t stream) {
  const std::int64_t count = require_rows("add_bias", rows, columns);
  require_array(in, count, size_of(type), "add_bias", "in");
  require_array(bias, count == 0 ? 0 : columns, size_of(type), "add_bias", "bias");
  require_array(out, count, size_of(type), "add_bias", "out");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_elementwise(WithBias<T, AddBias>(static_cast<const T*>(bias), columns, {}), {static_cast<const T*>(in)},
                       static_cast<T*>(out), count, stream);
  });
}

void dropout(DType type, const void* in, float probability, std::uint64_t seed, void* out, std::int64_t count,
             cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "dropout");
  require_probability("dropout", probability);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_elementwise(DropoutAt{Dropout(probability, seed)}, {static_cast<const T*>(in)}, static_cast<T*>(out), count,
                       stream);
  });
}

}  // namespace cupel::kernels::pointwise
