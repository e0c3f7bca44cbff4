// A block of a kernel on one thread of the CPU. Its threads run one after another on one stack as long as none waits;
// one that waits at a barrier or for its warp keeps the stack, and the next starts on another.
//
// Blocks of a grid run one after another. Every second block starts its threads from the last to the first, so that a
// missing barrier shows in one of the two orders.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cupel::emulator {

extern constinit thread_local uint3 thread_index;
extern constinit thread_local uint3 block_index;
extern constinit thread_local dim3 block_size;
extern constinit thread_local dim3 grid_size;

struct Grid {
  const char* kernel;  ///< as the source has it, for messages
  dim3 blocks;
  dim3 threads;
  std::size_t shared_bytes = 0;     ///< that each block has beside its variables
  std::function<void()> body = {};  ///< one thread's work
};

/// Runs a whole grid on the calling thread. False if it faulted: it touched memory that is not there. Ends the process,
/// with a message, where the grid would hang: threads that wait for threads that have left.
bool run_grid(const Grid& grid);

/// What the calling thread is running, nullptr outside a grid.
const char* running_kernel();

// Called by kernels.

/// Waits for all threads of the block that have not left. Returns how many of them said so.
int barrier_count(bool said);

/// Gives every lane's value to the warp. Returns what `lane` gave. All lanes take part.
std::uint64_t from_lane(std::uint64_t value, int lane);
int lane_of_this_thread();
int lanes_of_this_warp();

/// What the launch asked for, ones in every bit when a block begins.
void* dynamic_shared_memory();

/// A copy that is done when the thread waits for its copies, and not before.
void copy_when_waited_for(void* to, const void* from, std::size_t bytes);
void wait_for_copies();

/// Lets the block's other threads go on: a thread that watches a clock must not keep them.
void let_others_run();

/// The device's two clocks. Cycles are of 1.5 GHz; those that are read right after the time belong to that time, so
/// that what the CPU does in between does not look like a clock that changes.
std::int64_t now_ns();
long long clock_cycles();

}  // namespace cupel::emulator
