#include "bench/gemm/workload.hpp"

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

}  // namespace cupel::bench::gemm
