// A chain of operations in one pass, and a kernel a step.
#include "kernels/common/argument.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/pointwise/operations.cuh"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::kernels::pointwise {
namespace {

void require_chain(const char* name, DType type, const void* in, const void* other, int operations, const void* out,
                   std::int64_t count) {
  require_argument(operations >= 2 && operations <= kLongestChain, name, "operations", "2 to 8");
  require_arrays({{in, "in"}, {other, "other"}, {out, "out"}}, count, size_of(type), name);
}

template <int kOperations, class T>
void launch_fused(int operations, const T* in, const T* other, T* out, std::int64_t count, cudaStream_t stream) {
  if constexpr (kOperations > 2) {
    if (operations < kOperations) return launch_fused<kOperations - 1>(operations, in, other, out, count, stream);
  }
  launch_elementwise(Everywhere<Binary<Chain<kOperations>>>{}, {in, other}, out, count, stream);
}

}  // namespace

void chain_fused(DType type, const void* in, const void* other, int operations, void* out, std::int64_t count,
                 cudaStream_t stream) {
  require_chain("chain_fused", type, in, other, operations, out, count);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_fused<kLongestChain>(operations, static_cast<const T*>(in), static_cast<const T*>(other),
                                static_cast<T*>(out), count, stream);
  });
}

void chain_unfused(DType type, const void* in, const void* other, int operations, void* out, std::int64_t count,
                   cudaStream_t stream) {
  require_chain("chain_unfused", type, in, other, operations, out, count);
  require_argument(count == 0 || out != other, "chain_unfused", "out", "another array than `other`");
  scale(type, in, kChainScale, out, count, stream);
  if (operations > 1) add(type, out, other, out, count, stream);
  if (operations > 2) activate(type, Activation::gelu_tanh, out, out, count, stream);
  if (operations > 3) multiply(type, out, other, out, count, stream);
  if (operations > 4) scale(type, out, kChainScale, out, count, stream);
  if (operations > 5) activate(type, Activation::silu, out, out, count, stream);
  if (operations > 6) add(type, out, other, out, count, stream);
  if (operations > 7) activate(type, Activation::tanh, out, out, count, stream);
}

}  // namespace cupel::kernels::pointwise
