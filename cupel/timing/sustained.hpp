// Device time of work that goes on: back to back until power and clock are steady, and then as it comes.
#pragma once

#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::timing {

/// Samples work that goes on and keeps the samples as Mode::sustained. Ten seconds after its begin a work that never
/// came to rest is sampled all the same, and its row is not settled. Throws Skip where the host takes longer to launch
/// the work than the device to run it. Counts the energy of a call where the driver does. Throws CudaError.
void sample_sustained(const record::Workload& workload, const Work& work, const DeviceSampling& how);

}  // namespace cupel::timing
