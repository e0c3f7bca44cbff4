// The stream that everything is timed on: how fast short kernels follow each other depends on it, so the quickest of
// several is taken.
#pragma once

#include <cuda_runtime.h>

#include <span>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/hold.hpp"

namespace cupel::timing {

/// Times short kernels back to back.
class LaunchSpacing {
 public:
  /// Goes through `hold`, which must be loaded and outlive it. Throws CudaError.
  explicit LaunchSpacing(Hold& hold);

  /// Returns the seconds from one kernel to the next on `stream`, of kernels that fill the device once: the median of
  /// three batches of 100, each behind the hold and with its event pair in it. Takes 1.5 ms and waits for the stream.
  /// Throws CudaError.
  double read_s(cudaStream_t stream);

 private:
  double batch_s(cudaStream_t stream);

  Hold& hold_;
  int blocks_;
  cuda::DeviceBuffer<float> data_;
  cuda::Event start_, stop_;
};

/// A pair of streams made one after the other, and what was seen when they were chosen.
struct QuickStreams {
  cuda::Stream stream;                  ///< the quickest of those that were read; of streams that are alike the first
  cuda::Stream beside;                  ///< made right after it
  double launch_spacing_s = 0;          ///< of `stream`, as LaunchSpacing reads it
  double slowest_launch_spacing_s = 0;  ///< of the slowest stream that was read
};

/// Makes streams and reads every seventh of them, until two levels are seen, at 189 streams, or after 50 ms. Keeps the
/// quickest one, or the first where none is quicker than the others, and its neighbour, and destroys the rest.
///
/// On an H200 streams come in groups by the order in which they are made (15, then 21 each), and all of a group are on
/// one of two levels, by luck and for as long as the process lives: 2.49 or 2.62 us from kernel to kernel. In 13 of 24
/// groups it was the slow one (docs/method.md). Throws CudaError.
QuickStreams quick_streams(LaunchSpacing& spacing);

/// Tells whether there are two readings at least on either side of a gap of 3 %: a single one may be off. The levels
/// above are 5 % apart, and readings of one level within 1.2 %.
bool shows_two_levels(std::span<const double> readings_s);

/// Returns the index of the reading of the stream to take: the least where they show two levels, else the first.
std::size_t stream_to_take(std::span<const double> readings_s);

}  // namespace cupel::timing
