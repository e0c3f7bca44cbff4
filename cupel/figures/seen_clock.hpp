// The SM clock that the processes of a benchmark saw.
#pragma once

#include <optional>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// The meaning of a share of the limit, the same words on every surface.
inline constexpr const char* kShareOfPeakMeans =
    "of limit: share of the physical limit; for arithmetic, of the peak at the SM clock that was read while the work "
    "ran, or at the greatest clock where the work took under 0.2 ms.";

/// Collects the SM clocks of one benchmark's processes. A clock that was read while the work ran tells more than one
/// that was read before and after it: where a process has such a one, the others do not count.
class SeenClock {
 public:
  /// Adds a process.
  void add(const record::Telemetry& telemetry);

  /// Returns the median over the processes, in Hz; nothing where none could read one.
  std::optional<double> hz() const;

  /// Tells whether hz() is of clocks that were read while the work ran; nothing where no file says so.
  std::optional<bool> under_load() const;

  /// Returns hz() over the clock that the limit's peak goes with, since a share is of the peak at the clock of the
  /// work. 1 where the limit goes with no clock, and where only a clock beside the work was read. An older file, which
  /// does not say, is assumed to have read it under load.
  double share_of(const std::optional<record::Limit>& limit) const;

 private:
  std::vector<double> under_load_hz_, others_hz_;
  bool told_ = false;
};

}  // namespace cupel::figures
