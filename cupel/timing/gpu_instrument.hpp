// The instrument of GPU families: settles the clock before a benchmark, reads telemetry around it, and makes it a range
// for profilers.
#pragma once

#include <memory>
#include <string>

#include "cupel/harness/instrument.hpp"

namespace cupel::timing {

/// The harness's instrument of a GPU: finds the device, describes it, calibrates, and reads telemetry around a
/// benchmark.
class GpuInstrument : public harness::Instrument {
 public:
  /// Makes the instrument; unavailable() finds the device.
  GpuInstrument();
  ~GpuInstrument() override;

  std::string unavailable() override;
  void describe(record::Context& context) override;
  void begin_round(int round, record::Context& context) override;
  record::ShortestWork measure_shortest_work() override;
  void complete(record::Context& context) override;
  void before(const std::string& name) override;
  void begin_sampling() override;
  bool after(record::Telemetry& telemetry) noexcept override;
  bool lost(const std::exception& error) noexcept override;

 private:
  int choose();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cupel::timing
