// Sampling of host time: launches, synchronisation, allocation, copies that block, work on the CPU.
#pragma once

#include <cstdint>
#include <functional>

#include "cupel/harness/run.hpp"

namespace cupel::harness {

/// The way in which sample_host() samples. As it stands: as many calls a sample as the clock's cost asks for.
struct HostSampling {
  /// Called before each sample, outside the time: restores inputs, drains a stream.
  std::function<void()> before = {};
  /// Called after each sample, outside the time: frees, drains a stream.
  std::function<void()> after = {};
  /// Calls in one sample. 0: as many as make a sample last 1000 times the clock's own cost (at least 20 us), at most
  /// max_calls. Set it to 1 where each call needs `before`.
  std::int64_t calls = 0;
  std::int64_t max_calls = 1 << 20;
  /// Calls that are not measured, before the first sample of a round.
  int warm_up = 2;
  /// Takes only the profile's fewest samples: for work whose processes differ by more than one's error, so that more
  /// samples would narrow the interval and tell no more.
  bool few = false;
};

/// Times `call` on a monotonic clock and keeps the samples as Mode::host, one call's time each.
void sample_host(benchmark::State& state, const record::Workload& work, const std::function<void()>& call,
                 const HostSampling& how = {});

}  // namespace cupel::harness
