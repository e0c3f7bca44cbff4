// Everything that a run says of itself beside its rows: build, run, machine, calibration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/record/calibration.hpp"
#include "cupel/record/machine.hpp"
#include "cupel/record/run_info.hpp"

namespace cupel::record {

/// The version of the format (docs/schema.md) that this build writes. It reads this major and any minor.
inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 4;

/// The facts that a run says of itself beside its rows.
struct Context {
  int schema_major = kSchemaMajor;
  int schema_minor = kSchemaMinor;
  Build build;
  RunInfo run;
  HostInfo host;
  std::optional<DeviceInfo> device;
  std::optional<Calibration> calibration;
  /// The calibrations of the second and further ones of files that were joined. No field of the file.
  std::vector<Calibration> further_calibrations;
  std::vector<Library> libraries;
  std::string unknown;  ///< JSON object of fields this version does not know, or empty
  bool operator==(const Context&) const = default;
};

}  // namespace cupel::record
