// The questions that the harness asks of the machine around a benchmark. The host side has none; cupel/timing provides
// the GPU's.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "cupel/harness/run.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::harness {

/// Answers what only the machine under measurement knows; the harness calls it around benchmarks that need a device.
class Instrument {
 public:
  virtual ~Instrument() = default;

  /// Takes the device that Options::device asks for. Empty when it can be used; else why not, one line. Asked once,
  /// before the first benchmark that needs one. Throws UsageError where there are devices, but not this one.
  virtual std::string unavailable() = 0;

  /// Fills device, libraries and calibration. Called once, after unavailable() returned nothing.
  virtual void describe(record::Context& context) = 0;

  /// Reads anew, ahead of a round (from 0), what measuring costs, and puts it into the context's calibration. Called
  /// after describe().
  virtual void begin_round(int /*round*/, record::Context& /*context*/) {}

  /// Measures the time of the shortest work by the device's own account (CUPTI); called instead of describe(). Throws
  /// std::exception where nobody can tell.
  virtual record::ShortestWork measure_shortest_work() { throw std::runtime_error("only a device has that"); }

  /// Fills in what can only be known at the end: libraries that benchmarks have loaded. Called once after the last
  /// benchmark, if describe() was called.
  virtual void complete(record::Context& /*context*/) {}

  /// Opens the profiler's range, ahead of each round of a benchmark that needs the device.
  virtual void before(const std::string& name) = 0;

  /// Settles the clock and reads telemetry, when the body has made its inputs and its first series begins. The time
  /// that inputs take is time in which the clock recovers.
  virtual void begin_sampling() {}

  /// Closes the profiler's range and fills telemetry from all rounds. Returns true if heat or another process disturbed
  /// them, so that the times are not the device's own.
  virtual bool after(record::Telemetry& telemetry) noexcept = 0;

  /// Tells whether the device is beyond use in this process, after this exception out of a benchmark: then the
  /// benchmark has failed. Else the exception itself says whether it has, or is skipped (host::CannotRun). Not asked
  /// about Skip.
  virtual bool lost(const std::exception& error) noexcept = 0;
};

/// Runs the whole program: parses flags (--benchmark_* and --cupel_*), registers, lists or measures, writes. Returns
/// the exit code. The family is the first part of the names that register_all() adds. instrument may be null: then no
/// benchmark needs a device.
int bench_main(int argc, char** argv, void (*register_all)(), Instrument* instrument);

}  // namespace cupel::harness
