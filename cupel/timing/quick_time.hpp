// A first look at how long work takes: for searches that compare candidates inside a benchmark's body.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "cupel/timing/sample_device.hpp"

namespace cupel::timing {

/// Median device time in seconds of `samples` cold launches, less what the event pair costs. The work runs once before,
/// so that its modules are loaded. Keeps nothing: a search's winner is measured again, by sample_device(), because the
/// least of many noisy times is flattered. With --cupel_once the work does not run, and the time is 0.
///
/// work: as for sample_device(). samples: 1 or more. Throws as sample_device() does.
double quick_time_s(const std::function<void(cudaStream_t)>& work, int samples = 5, Engine engine = Engine::kernel);

}  // namespace cupel::timing
