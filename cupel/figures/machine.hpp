// A machine in words, the same on every surface. Nothing here is escaped.
#pragma once

#include <string>
#include <vector>

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

/// Names machines by the first words of their labels that tell them apart, behind those that all have: "H100" and
/// "H200"; a single one by nothing. labels: each another.
std::vector<std::string> short_names(const std::vector<std::string>& labels);

/// Returns the cost of measuring on the device as text: "a pair of events adds 2.22 us to a kernel ...", and what the
/// choice of a stream gained. Where the files that were joined differ, from the least to the greatest: "2.09 us to 2.22
/// us". Empty without a calibration.
std::string timing_text(const record::Context& context);

/// Lists the libraries that the run loaded, with the folder of those beside one another: "cuBLAS 13.1.0, cuDNN 9.15.1
/// from /usr/lib". Only the headers' versions are known of the others, and so these are left out.
std::string libraries_text(const record::Context& context);

/// Returns the remark on files that are not of one run, and what to do about it where the GPU is one model.
std::string two_runs_remark(bool of_one_model = true);

}  // namespace cupel::figures
