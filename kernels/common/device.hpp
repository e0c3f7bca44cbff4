// Properties of the device by which a launcher sizes its grid.
#pragma once

namespace cupel::kernels {

/// Multiprocessors of the current device. Asked once a device. Throws CudaError.
int multiprocessors();

/// Bytes of shared memory that each block may have where so many are on a multiprocessor. Likewise.
int shared_memory(int blocks);

/// Whether the blocks of a launch can wait for one another. Likewise.
bool can_wait_for_all_blocks();

}  // namespace cupel::kernels
