// The device this process measures: CUDA device 0, as CUDA_VISIBLE_DEVICES leaves it.
#pragma once

#include "cupel/record/record.hpp"

namespace cupel::timing {

/// Read once a process. Throws CudaError when there is none.
const record::DeviceInfo& this_device();

}  // namespace cupel::timing
