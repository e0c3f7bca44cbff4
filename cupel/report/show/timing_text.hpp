// What measuring cost on the device, in words.
#pragma once

#include <string>

#include "cupel/record/record.hpp"

namespace cupel::report {

/// "event pairs cost 2.22 us around a kernel, ...", and what the choice of a stream gained. Where the files that were
/// joined differ, from the least to the greatest: "2.09 us to 2.22 us". Empty without a calibration.
std::string timing_text(const record::Context& context);

}  // namespace cupel::report
