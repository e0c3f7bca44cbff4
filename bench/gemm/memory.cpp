#include "bench/gemm/memory.hpp"

#include "cupel/vendor/cublas.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::bench::gemm {

std::int64_t memory_bytes(Precision precision, const Shape& shape, std::int64_t batch) {
  const Traits& t = traits(precision);
  return kernels::dot::size_bytes(t.a, batch * shape.m * shape.k) +
         kernels::dot::size_bytes(t.b, batch * shape.k * shape.n) +
         kernels::dot::size_bytes(t.c, batch * shape.m * shape.n) +
         static_cast<std::int64_t>(vendor::CublasHandle::kWorkspaceBytes);
}

}  // namespace cupel::bench::gemm
