// Kernels whose work is known exactly, so that a launch that was lost or ran twice shows in the result.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>

namespace cupel::kernels::sync {

/// Argument sizes that launch_with_arguments() knows. 4096 bytes is the most that every CUDA version takes.
inline constexpr std::array<std::int64_t, 6> kArgumentBytes = {0, 64, 256, 1024, 2048, 4096};

/// data[i] += 1 for i < count; wraps around. data: device memory. Each element is read and written once.
///
/// Enqueues on `stream`; neither allocates nor synchronises. count = 0 launches nothing. Throws CudaError if the launch
/// is refused.
void add_one(std::uint32_t* data, std::int64_t count, cudaStream_t stream);

/// *total += *value; wraps around. Both in device memory. One thread. Enqueues on `stream`; throws CudaError.
void accumulate(const std::uint32_t* value, std::uint32_t* total, cudaStream_t stream);

/// Keeps one thread of the device busy for at least `duration_ns` by the device's global timer, then does *counter
/// += 1. 0 only counts. The timer's step is 32 ns to 1 us by device. Enqueues on `stream`; throws CudaError.
void spin(std::int64_t duration_ns, std::uint32_t* counter, cudaStream_t stream);

/// Launches one thread with a single parameter of `argument_bytes` (none for 0), which counts its arrival on the
/// device. argument_bytes: one of kArgumentBytes, else std::invalid_argument. Enqueues on `stream`; throws CudaError.
void launch_with_arguments(std::int64_t argument_bytes, cudaStream_t stream);

/// How many launches of launch_with_arguments() arrived with their argument whole since the last call, which this one
/// starts anew. Blocks until the device has finished everything. Throws CudaError.
std::uint64_t take_arrivals();

}  // namespace cupel::kernels::sync
