// Sampling of device time: kernels and copies, from the device's own clock.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "cupel/harness/run.hpp"

namespace cupel::timing {

using record::Engine;

/// The way in which sample_device() samples. As it stands: kernels, cold launches and hot batches.
struct DeviceSampling {
  Engine engine = Engine::kernel;
  /// One launch with L2 flushed before it.
  bool cold = true;
  /// Batches back to back. The figure is hot where cold is off or too short to be told from the cost of measuring.
  bool hot = true;
  /// Called before each cold sample or hot batch, outside the time, on the stream: restores what the work overwrites.
  std::function<void(cudaStream_t)> before = {};
  /// Called right before the time starts: enqueues a short operation of the same kind, which puts the stream on the
  /// engine that does the work. A copy between host and device needs it, a copy of at most 64 KiB in the same
  /// direction: without it the switch of engines is in the time (7 to 9 us on an H200), with it the pair costs what it
  /// costs around nothing.
  std::function<void(cudaStream_t)> prime = {};
  /// Wall time of call and completion by the host clock too, as a second series of Mode::host.
  bool host_too = false;
  /// L2 is cold in that series, too: for work that must not find there what it is to fetch from elsewhere.
  bool host_cold = false;
  /// True if work and prime also enqueue on Rig::beside(). Neither stream may wait for the other to begin: both are
  /// held, and released at once. The time is from the first start to the last end on either.
  bool beside = false;
  /// Operations that one call of the work enqueues, at least. A held stream takes about 1000, so batches are kept short
  /// enough by it.
  int launches = 1;
};

/// Times `work`, which enqueues on the stream and neither synchronises nor allocates, and keeps cold samples, hot
/// samples or both; with --cupel_sustained samples of work back to back once power and clock are steady, instead.
/// Throws CudaError; std::runtime_error if the work waits for its stream.
///
/// workload: of one call. Times are kept in seconds of one call, in the row of the benchmark whose body calls this (a
/// whole program: tests/consumer/project/memset.cpp):
///
///     cupel::timing::sample_device(state, {.bytes_written = bytes}, [&](cudaStream_t stream) {
///       cupel::cuda::check(cudaMemsetAsync(buffer.data(), 7, buffer.size(), stream));
///     });
void sample_device(benchmark::State& state, const record::Workload& workload,
                   const std::function<void(cudaStream_t)>& work, const DeviceSampling& how = {});

/// Takes a first look at how long work takes, for searches that compare candidates inside a benchmark's body.
///
/// Returns the median device time in seconds of `samples` cold launches, less what the event pair costs. The work runs
/// once before, so that its modules are loaded. Keeps nothing: a search's winner is measured again, by sample_device(),
/// because the least of many noisy times is flattered. With --cupel_once the work does not run, and the time is 0.
///
/// work: as for sample_device(). samples: 1 or more. Throws as sample_device() does.
double quick_time_s(const std::function<void(cudaStream_t)>& work, int samples = 5, Engine engine = Engine::kernel);

}  // namespace cupel::timing
