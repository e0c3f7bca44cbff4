#include "bench/gemm/workload.hpp"

#include "bench/gemm/places.hpp"
#include "cupel/vendor/cublas.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::bench::gemm {

record::Workload workload(Precision precision, const Shape& shape, std::int64_t batch) {
  const Traits& t = traits(precision);
  record::Workload work{.bytes_read = kernels::dot::size_bytes(t.a, batch * shape.m * shape.k) +
                                      kernels::dot::size_bytes(t.b, batch * shape.k * shape.n),
                        .bytes_written = kernels::dot::size_bytes(t.c, batch * shape.m * shape.n)};
  (precision == Precision::int8 ? work.items : work.flops) = 2 * batch * shape.products();
  return work;
}

std::int64_t memory_bytes(Precision precision, const Shape& shape, std::int64_t batch) {
  const int copies = batch == 1 ? most_places(precision, shape) - 1 : 0;
  return workload(precision, shape, batch).bytes() + copies * place_stride_bytes(precision, shape) +
         static_cast<std::int64_t>(vendor::CublasHandle::kWorkspaceBytes);
}

}  // namespace cupel::bench::gemm
