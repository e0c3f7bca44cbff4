// The output of cupel-probe: a result file without rows, whose context also holds the doctor's facts, so that
// everything that reads result files reads it too.
#pragma once

#include <string>
#include <string_view>

#include "cupel/doctor/facts.hpp"
#include "cupel/record/context.hpp"

namespace cupel::doctor {

struct ProbeOutput {
  record::Context context;
  GpuFacts gpu;
};

/// Strict JSON, ends with a newline.
std::string to_json(const ProbeOutput& output);

/// Throws files::ReadError when the text is no result file, or has no facts in it. Facts of a type that is not
/// expected are left at their defaults.
ProbeOutput probe_output_from_json(std::string_view text);

}  // namespace cupel::doctor
