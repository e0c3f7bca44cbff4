// What a launcher has to know of the device to size its grid.
#pragma once

namespace cupel::kernels {

/// Multiprocessors of the current device. Asked once a device. Throws CudaError.
int multiprocessors();

}  // namespace cupel::kernels
