// The work of one call, counted from the algorithm, and the physical limit of its rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cupel::record {

/// The work done by one call, counted from the algorithm. Bytes: each input once, each output once.
struct Workload {
  std::int64_t bytes_read = 0;     ///< from the memory the work runs in
  std::int64_t bytes_written = 0;  ///< to the memory the work runs in
  std::int64_t bytes_moved = 0;    ///< across a link between two memories, counted once
  std::int64_t flops = 0;
  std::int64_t items = 0;

  /// Returns the sum of the three.
  std::int64_t bytes() const { return bytes_read + bytes_written + bytes_moved; }

  /// Returns the amount of one `quantity`: "bytes", "flops" or "items"; 0 for any other.
  std::int64_t amount(std::string_view quantity) const;
  bool operator==(const Workload&) const = default;
};

/// The physical limit of a result's rate.
struct Limit {
  std::string name;      ///< e.g. "PCIe 5.0 x16"
  std::string quantity;  ///< "bytes", "flops" or "items" of the workload
  double per_second = 0;
  std::string source;                             ///< where the figure comes from
  std::optional<double> clock_hz = std::nullopt;  ///< the SM clock that per_second goes with, if it does with one
  bool operator==(const Limit&) const = default;
};

}  // namespace cupel::record
