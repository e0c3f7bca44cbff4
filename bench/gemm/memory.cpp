#include "bench/gemm/memory.hpp"

#include "bench/gemm/places.hpp"
#include "bench/gemm/workload.hpp"
#include "cupel/vendor/cublas.hpp"

namespace cupel::bench::gemm {

std::int64_t memory_bytes(Precision precision, const Shape& shape, std::int64_t batch) {
  const int copies = batch == 1 ? most_places(precision, shape) - 1 : 0;
  return workload(precision, shape, batch).bytes() + copies * place_stride_bytes(precision, shape) +
         static_cast<std::int64_t>(vendor::CublasHandle::kWorkspaceBytes);
}

}  // namespace cupel::bench::gemm
