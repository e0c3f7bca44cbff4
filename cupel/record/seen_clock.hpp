// Which SM clock the processes of a benchmark saw.
#pragma once

#include <optional>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::record {

/// Gathers that of one benchmark's processes. A clock that was read while the work ran tells more than one that was
/// read before and after it: where a process has such a one, the others do not count.
class SeenClock {
 public:
  void add(const Telemetry& telemetry);

  /// Median over the processes; nothing where none could read one.
  std::optional<double> hz() const;

  /// Whether that is of clocks that were read while the work ran; nothing where no file says so.
  std::optional<bool> under_load() const;

 private:
  std::vector<double> under_load_hz_, others_hz_;
  bool told_ = false;
};

}  // namespace cupel::record
