// A machine in words, the same on every surface. Nothing here is escaped.
#pragma once

#include <string>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// Describes a GPU: "NVIDIA H200, 132 SMs, 141 GiB, driver 570.86", of files of several boards that were joined ", 5
/// boards" behind it.
std::string device_text(const record::DeviceInfo& device);

/// Describes a host: "AMD EPYC 9654, 384 CPUs".
std::string host_text(const record::HostInfo& host);

/// Returns the machine as a column's title: its GPU, with how many boards of it where they are several, else its CPU,
/// else `unknown`.
std::string machine_name(const record::Context& context, const std::string& unknown = "unknown CPU");

/// Says what measuring cost on the device: "event pairs cost 2.22 us around a kernel, ...", and what the choice of a
/// stream gained. Where the files that were joined differ, from the least to the greatest: "2.09 us to 2.22 us". Empty
/// without a calibration.
std::string timing_text(const record::Context& context);

/// The remark on files that are not of one run.
inline constexpr const char* kTwoRuns =
    "These are runs of their own: between two, the same work differs by up to 1.1 % (median) or 6 % (ninth decile) in "
    "device time on H200s, by up to 40 % in host time. To judge a change use cupel gate, which runs both sides in "
    "turn.";

}  // namespace cupel::figures
