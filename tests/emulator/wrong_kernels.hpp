// Kernels with a fault each, which the emulated device must see.
#pragma once

#include <cuda_runtime.h>

namespace cupel::emulator::test {

/// out[i] = i for i < count, by `threads` threads of one block, without asking whether i < count.
void launch_without_bound(int* out, int threads, cudaStream_t stream);

/// Turns the 64 elements of a block round through shared memory, without the barrier in between or with it.
void launch_turn_round(int* data, bool with_barrier, cudaStream_t stream);

/// Half of the block waits at a barrier, the other half exchanges values.
void launch_hangs(int* out, cudaStream_t stream);

/// Lanes beyond the tenth leave before the warp exchanges values.
void launch_leaves_its_warp(int* out, cudaStream_t stream);

/// *out = the sum of 0 ... threads - 1, by shuffles and a barrier; as it should be. threads: a multiple of 32.
void launch_sum(int* out, int threads, int blocks, cudaStream_t stream);

/// out[i] = in[i] for i < threads, copied to dynamic shared memory of so many bytes and read there, without waiting for
/// the copies or after it.
void launch_through_shared(const uint4* in, uint4* out, int threads, bool wait, int shared_bytes, cudaStream_t stream);
/// Lets it ask for so much.
void allow_through_shared(int shared_bytes);

/// out[i] += 1 for i < count; as it should be.
void launch_add_one(int* out, int count, cudaStream_t stream);

/// With a block of more threads than a device has.
void launch_too_large(cudaStream_t stream);

/// Writes to address 0.
void launch_to_nowhere(cudaStream_t stream);

/// Writes `value` when the host has set *flag, which lies in mapped memory.
void launch_waits_for_host(const volatile int* flag, int* out, int value, cudaStream_t stream);

}  // namespace cupel::emulator::test
