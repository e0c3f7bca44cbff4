// The state of the device while a benchmark ran, from readings before and after it.
//
// Nothing is polled in the background: a thread that calls NVML takes driver locks that host-time benchmarks would then
// measure. What happens between two readings is seen by differences of the driver's counters (energy, time throttled
// per reason), which miss nothing but advance in steps of about 0.1 s: over short benchmarks a difference of 0 says
// little and a single step may belong to the benchmark before.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "cupel/device/nvml.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::nvml {

/// The device at one moment. Absent: not readable here.
struct Reading {
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> power_w;
  std::optional<double> energy_j;  ///< since the driver was loaded
  std::optional<double> temperature_c;
  std::optional<unsigned long long> reasons;
  std::optional<ThrottleCounters> throttle_s;  ///< since the driver was loaded
  std::optional<std::vector<unsigned>> process_ids;
};

/// Reads everything; never throws. About eight NVML calls; device_gpu_test prints what each costs.
Reading read(const Device& device);

/// Reads again and again. Who else is on the device is asked at most every 100 ms, and taken to be so until then: the
/// list costs more than all else together, and benchmarks are begun and ended hundreds of times a second. The energy
/// counter is the next dearest (1 to 3 ms), and within a benchmark shorter than its step it says nothing: it is read
/// where benchmarks are long.
class Reader {
 public:
  /// `device` outlives this. reads_energy: benchmarks last for many steps of the energy counter.
  explicit Reader(const Device& device, bool reads_energy) : device_(&device), reads_energy_(reads_energy) {}
  Reading read(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

 private:
  const Device* device_;
  bool reads_energy_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
  std::optional<std::vector<unsigned>> process_ids_;
};

/// How many compute processes other than this one are on the device.
///
/// NVML may list processes by ids of another namespace than ours (containers), or hide those of other containers. So:
/// own_id among the ids: all others are foreign. own_context set (this process holds a CUDA context on the device) and
/// ids that do not contain own_id: one of them is this process under another number, the rest are foreign; none at all:
/// the list is blind, nullopt. A count in a container is thus a lower bound.
std::optional<int> foreign_processes(const std::optional<std::vector<unsigned>>& ids, unsigned own_id,
                                     bool own_context);

/// Gathers the readings of one benchmark, all its rounds together.
class TelemetryLog {
 public:
  /// own_id: of this process. own_context: it holds a CUDA context on the device.
  explicit TelemetryLog(unsigned own_id, bool own_context = true) : own_id_(own_id), own_context_(own_context) {}

  /// One round: the readings before and after it. A counter that went backwards (driver reloaded) is left out.
  void add(const Reading& before, const Reading& after);

  /// An SM clock measured otherwise, by a kernel beside the work.
  void add_sm_clock(double hz);

  /// One that was measured while the work ran. Where there is one, the clock that was seen is the median of these.
  void add_sm_clock_under_load(double hz);

  /// Sets all that was seen, except `settled`. What was never readable stays absent.
  void fill(record::Telemetry& telemetry) const;

 private:
  void see(const Reading& reading);

  unsigned own_id_;
  bool own_context_;
  std::vector<double> sm_clocks_hz_;
  std::vector<double> sm_clocks_under_load_hz_;
  std::vector<double> memory_clocks_hz_;
  std::optional<double> power_w_, temperature_c_, energy_j_;
  unsigned long long reasons_ = 0;
  ThrottleCounters throttle_s_;
  std::optional<int> foreign_;
};

/// Whether what was seen makes the result unfit for comparison: clocks held down by heat or a power brake (by their bit
/// or their counter), or another process on the device. The board's power limit does not: that is how a kernel that
/// draws it runs.
bool disturbed(const record::Telemetry& telemetry);

}  // namespace cupel::nvml
