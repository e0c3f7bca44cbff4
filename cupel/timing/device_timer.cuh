// The device's timer, by the name that gate.cu has for it.
#pragma once

#include "cupel/cuda/device_timer.cuh"

namespace cupel::timing {

using cuda::global_ns;

}  // namespace cupel::timing
