// Kernels of known length for the tests of timing.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace cupel::timing::test {

/// Launches one thread that counts `cycles` of its clock. Enqueues; throws CudaError if the launch is refused.
void launch_spin(long long cycles, cudaStream_t stream);

/// The moments between which a kernel ran, by the device's timer.
struct Stamps {
  unsigned long long start_ns = 0, end_ns = 0;
};

/// Launches that thread, which writes its own first and last moment to *stamps, which the device can reach. Enqueues;
/// throws CudaError if the launch is refused.
void launch_stamped_spin(long long cycles, Stamps* stamps, cudaStream_t stream);

/// Computes y[i] += a x[i], i < n; device memory, not aliased. Enqueues; throws CudaError if the launch is refused.
void launch_axpy(float a, const float* x, float* y, std::size_t n, cudaStream_t stream);

/// Launches one thread that reads a word of each of `lines` lines of 128 bytes, each when it has the one before; device
/// memory, all zeros. Enqueues; throws CudaError if the launch is refused.
void launch_walk(const int* memory, int lines, cudaStream_t stream);

/// Launches a kernel that writes to address 0, which leaves a sticky error.
void launch_fault(cudaStream_t stream);

}  // namespace cupel::timing::test
