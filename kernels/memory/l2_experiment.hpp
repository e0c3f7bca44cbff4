// Ways of reading the L2 cache that differ in one thing each: what l2_experiment_gpu_test.cpp compares.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace cupel::kernels::memory {

/// How a load is asked for. `weak` is the plain load and `constant` goes by the read-only path, both by L1; `not_kept`
/// is a plain load that L1 does not keep; `cg` goes past L1, in Hopper's machine code as a load that is coherent over
/// the device (LDG.STRONG.GPU). `atomic` is done where the line is at home (timed_loads() alone).
enum class Load { weak, constant, not_kept, cg, atomic };

/// Blocks go through chunks of threads * bytes each. Block b begins at chunk first(b); each turn reads `unroll` chunks
/// that lie `apart` chunks apart, and goes on by `step`. Past the end it goes on at the front, or back where it began.
struct Walk {
  enum class First { block, block_modulo, spread, zero };
  First first = First::block_modulo;
  std::int64_t modulus = 1;  // block_modulo: first is (b % modulus) * unroll_of_first
  std::int64_t scale = 1;
  std::int64_t chunks = 1;
  std::int64_t apart = 1;
  std::int64_t step = 1;
  std::int64_t turns = 1;
  bool back = false;
};

/// Where and when a block ran.
struct BlockTime {
  std::uint32_t sm;
  std::uint32_t cycles;
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

struct ReadKind {
  Load load;
  int bytes;   // a thread and load
  int unroll;  // loads of a thread in flight
};

/// Blocks that fit a multiprocessor; 0 if there is no such kernel. Registers in *registers.
int read_blocks_per_sm(ReadKind kind, int threads, int* registers);

/// `times` has an element for each block, or is null.
void read_walk(ReadKind kind, const void* array, Walk walk, int blocks, int threads, BlockTime* times,
               std::uint32_t* sum, cudaStream_t stream);

/// Nothing but time: holds the stream until what follows is enqueued.
void pause(std::int64_t nanoseconds, cudaStream_t stream);

/// A chain like make_chain()'s, in the order of addresses.
void make_sequential_chain(void* memory, std::int64_t nodes, std::int64_t stride_bytes, std::uint64_t* position,
                           cudaStream_t stream);

/// One warp on multiprocessor `sm` (any if -1): walks on from *position. *cycles is what that took, by its own clock.
void chase_on(int sm, Load load, std::uint64_t* position, std::int64_t steps, std::uint64_t* cycles, int threads,
              int* taken, cudaStream_t stream);

constexpr int kMostTimed = 16384;

/// One thread on multiprocessor `sm` walks `lines` (kMostTimed at most) nodes of a chain from *position, leaving it
/// where it is: first `before` times untimed, then once, each load by itself: cycles[i] of the i-th load.
void timed_loads(int sm, Load load, const std::uint64_t* position, int lines, int before, std::uint16_t* cycles,
                 int* taken, cudaStream_t stream);

/// All threads of one block on `sm` read the lines that the array has at each `stride_bytes`.
void touch_on(int sm, const void* array, std::int64_t lines, std::int64_t stride_bytes, std::uint32_t* sum, int* taken,
              cudaStream_t stream);

}  // namespace cupel::kernels::memory
