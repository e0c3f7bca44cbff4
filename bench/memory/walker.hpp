// A walk around a chain in device memory, from launch to launch on one multiprocessor.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/memory/chase.hpp"

namespace cupel::bench::memory {

/// The multiprocessor that a launch of a single block comes to; how long it has to wait for the L2 depends on where it
/// lies (275 to 298 cycles on average, H200), and a lone block waits as long as this one. Asked once a process.
int lone_multiprocessor();

class Walker {
 public:
  /// Chains `nodes` lines of device memory from `memory` on, in the same random order in every run. Blocks.
  Walker(char* memory, std::int64_t nodes);

  /// The same of the lines with these numbers, each once.
  Walker(char* memory, const std::vector<std::int32_t>& lines);

  /// One launch: goes on by `steps`.
  void walk(std::int64_t steps, cudaStream_t stream);

  /// The chain's lines are then in the L2 at home and nowhere else, where `other` is a multiprocessor of another half
  /// than the walker's (kernels::memory::bring_home). For chains of given lines.
  void bring_home(int other, cudaStream_t stream);

  /// Throws CheckFailed unless every launch came to its multiprocessor and the walk is where the chain leads. Blocks.
  void require_arrived() const;

 private:
  Walker(char* memory, std::vector<std::int32_t> lines, std::int64_t nodes);

  char* memory_;
  std::int64_t nodes_;
  std::vector<std::int32_t> lines_;  // empty: all, in order
  cuda::DeviceBuffer<std::int32_t> device_lines_;
  cuda::DeviceBuffer<std::uint64_t> position_{1};
  cuda::DeviceBuffer<kernels::memory::OneBlock> state_{1};
  std::uint32_t launches_ = 0;
  std::int64_t walked_ = 0;
};

}  // namespace cupel::bench::memory
