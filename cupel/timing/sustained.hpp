// Device time of work that goes on: back to back until power and clock are steady, and then as it comes.
#pragma once

#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::timing {

/// Samples work that goes on and keeps the samples as Mode::sustained. Ten seconds after its begin a work that never
/// came to rest is sampled all the same, and its row is not settled. Ends the benchmark as skipped where launching
/// takes the host longer than the work takes the device: then the device waits, whoever asks it to go on. Counts the
/// energy of a call where the driver does. Throws CudaError.
void sample_sustained(const record::Workload& workload, const Work& work, const DeviceSampling& how);

}  // namespace cupel::timing
