// What loading costs beside its time.
#pragma once

#include <cstdint>

#include "bench/pipeline/loader.hpp"
#include "cupel/harness/clock.hpp"

namespace cupel::bench::pipeline {

/// Adds up over epochs how long they took, how much of that their consumer waited, and what processors worked.
class EpochCosts {
 public:
  /// epoch: takes all batches of so many samples; its result is the seconds that it waited for them. loader: gives the
  /// loader in use, null where there is none now; asked before and after the epoch.
  template <class LoaderNow, class Epoch>
  void account(std::int64_t samples, const LoaderNow& loader, const Epoch& epoch) {
    const auto start = harness::Clock::now();
    const double before_s = used_cpu_s(loader());
    waited_s_ += epoch();
    cpu_s_ += used_cpu_s(loader()) - before_s;
    elapsed_s_ += harness::seconds_since(start);
    samples_ += samples;
  }

  /// The counters consumer_waits, 0 to 1, and host_cpu, seconds a sample.
  void tell() const;

 private:
  /// Of this process, of workers that have ended, and of those that run.
  static double used_cpu_s(const Loader* loader);

  double elapsed_s_ = 0, waited_s_ = 0, cpu_s_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace cupel::bench::pipeline
