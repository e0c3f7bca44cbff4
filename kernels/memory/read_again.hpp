// Reading a set of lines again and again, in launches so long that their begin and end are nothing: what a cache gives.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/memory/parts.hpp"

namespace cupel::kernels::memory {

// Both enqueue on `stream` and neither allocate nor synchronise. in: device memory of `count` words, a multiple of
// kRunWords, at a multiple of 16 bytes. Words are loaded past L1. They throw std::invalid_argument that names a bad
// argument, and CudaError if the launch is refused.

/// Reads the array `times` times and adds the sum of all words read to *sum (device memory), modulo 2^32.
///
/// Each run is read by a block of its own, in the order of addresses, on whichever multiprocessor is free. So each
/// multiprocessor comes by all of the array, and all of it is read before any of it is read again. Blocks that stay
/// would be done at different times and come to be at different places (docs/memory.md).
void read_again(const std::uint32_t* in, std::int64_t count, std::int64_t times, std::uint32_t* sum,
                cudaStream_t stream);

/// Into so many parts read_parts() parts an array: one for each block that fits the device at once.
int parts_of_device();

/// Reads as many words as read_again(), each block those of its own part, of which it goes through the tiles again and
/// again. Blocks take the next run of tiles to be read when they have read the last one, so that all are done at the
/// same time; a quicker one then reads its part more often. count: at least a tile for each part.
///
/// turns: device memory, parts_of_device() numbers: tiles that the part's block has read so far, from whose number it
/// goes on. ticket: device memory, one word, 0 before the first call and after each.
void read_parts(const std::uint32_t* in, std::int64_t count, std::int64_t times, std::uint64_t* turns,
                std::uint32_t* ticket, std::uint32_t* sum, cudaStream_t stream);

}  // namespace cupel::kernels::memory
