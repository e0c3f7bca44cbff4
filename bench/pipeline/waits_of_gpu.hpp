// The share of its steps that a GPU spends without work.
#pragma once

#include "cupel/harness/clock.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {

/// Adds up what steps took and what the device worked in them.
class WaitsOfGpu {
 public:
  template <class Steps>
  void account(double worked_s, const Steps& steps) {
    const auto start = harness::Clock::now();
    steps();
    elapsed_s_ += harness::seconds_since(start);
    worked_s_ += worked_s;
  }

  double share() const { return 1 - worked_s_ / elapsed_s_; }

  /// The counter gpu_waits, 0 to 1.
  void tell() const {
    harness::set_counter("gpu_waits", {.value = share(), .unit = "1", .better = record::Better::lower});
  }

 private:
  double elapsed_s_ = 0, worked_s_ = 0;
};

}  // namespace cupel::bench::pipeline
