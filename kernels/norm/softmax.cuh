// How a softmax is launched, whatever of a row it sees.
#pragma once

#include "kernels/norm/exponentials.cuh"
#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm {

/// Operation<T>{in, out} on the rows of `shape`, which is checked and has `count` elements; the arrays are refused in
/// the name of `function`.
template <template <class> class Operation>
void launch_softmax(const char* function, std::int64_t count, DType type, const void* in, void* out, const Shape& shape,
                    cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), function);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Operation<T> operation{static_cast<const T*>(in), static_cast<T*>(out)};
    launch_rows<1>(operation, shape, all_aligned(in, out), stream);
  });
}

/// Operation<T>{out, d_out, d_in}, likewise.
template <template <class> class Operation>
void launch_softmax_backward(const char* function, std::int64_t count, DType type, const void* out, const void* d_out,
                             void* d_in, const Shape& shape, cudaStream_t stream) {
  require_arrays({{out, "out"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), function);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Operation<T> operation{static_cast<const T*>(out), static_cast<const T*>(d_out), static_cast<T*>(d_in)};
    launch_rows<2>(operation, shape, all_aligned(out, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
