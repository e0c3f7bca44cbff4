// The costs of loading beside its time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/pipeline/bound.hpp"
#include "bench/pipeline/loader.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {

/// CPU seconds of this process and of children that have ended, a sample.
class HostCpu {
 public:
  /// From here until stop() it counts; both are calls of the kernel, and belong outside of what is timed.
  void start();
  void stop();
  /// So many samples were dealt with meanwhile.
  void took(std::int64_t samples) { samples_ += samples; }

  /// The same sampling, of which each sample counts, from behind its `before` until ahead of its `after`. This must
  /// outlive it.
  harness::HostSampling counting(const harness::HostSampling& how);

  /// The counter host_cpu.
  void tell() const;

 private:
  double started_s_ = 0, used_s_ = 0;
  std::int64_t samples_ = 0;
};

/// The counter pinned_bytes: of host memory that is page-locked for it.
void tell_pinned(std::size_t bytes);

/// Adds up over epochs how long they took, how much of that their consumer waited, and what processors worked.
class EpochCosts {
 public:
  /// epoch: takes all batches of so many samples; its result is what it waited for them. loader: gives the loader in
  /// use, null where there is none now; asked before and after the epoch.
  template <class LoaderNow, class Epoch>
  void account(std::int64_t samples, const LoaderNow& loader, const Epoch& epoch) {
    const auto start = harness::Clock::now();
    const double before_s = used_cpu_s(loader());
    waited_ += epoch();
    cpu_s_ += used_cpu_s(loader()) - before_s;
    elapsed_s_ += harness::seconds_since(start);
    samples_ += samples;
  }

  /// Shares of the time; what a GPU waited is left 0.
  Waits waits() const { return {.consumer = waited_.all_s / elapsed_s_, .first = waited_.first_s / elapsed_s_}; }

  /// The counters consumer_waits and first_batch_waits, 0 to 1, and host_cpu, seconds a sample.
  void tell() const;

 private:
  /// CPU seconds of this process, of workers that have ended, and of those that run.
  static double used_cpu_s(const Loader* loader);

  double elapsed_s_ = 0, cpu_s_ = 0;
  Waited waited_;
  std::int64_t samples_ = 0;
};

}  // namespace cupel::bench::pipeline
