// RowStatistics of all queries of a head, on the device: they cost as much as attention itself, in double.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/attention/row_statistics.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::kernels::attention {

inline constexpr std::int64_t kMostSize = 256;

/// One head: arrays of `sequence` rows of `size` elements, row-major, in device memory.
struct HeadShape {
  std::int64_t sequence = 0;  ///< 0 or more
  std::int64_t size = 1;      ///< 1 to kMostSize
  bool causal = false;        ///< query i sees the keys 0 to i
  double scale = 1;
};

/// found: device memory, one element a query. Computed in double from what `type` holds. Enqueues on `stream`; throws
/// std::invalid_argument that names a bad argument, and CudaError if the launch is refused.
void row_statistics(DType type, const void* q, const void* k, const void* v, const void* d_out, const HeadShape& shape,
                    RowStatistics* found, cudaStream_t stream);

}  // namespace cupel::kernels::attention
