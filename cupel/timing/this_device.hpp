// The device this process measures: the one that --cupel_device chose, else CUDA device 0.
#pragma once

#include "cupel/record/record.hpp"

namespace cupel::timing {

/// Read once a process. Throws CudaError when there is none.
const record::DeviceInfo& this_device();

}  // namespace cupel::timing
