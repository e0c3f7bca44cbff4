// The context of a result file: the program and the machine it ran on, as far as the host side knows.
#pragma once

#include <string>

#include "cupel/harness/run.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::harness {

/// Describes build, host and run, started now. The device is the instrument's to add.
record::Context host_context(const std::string& family, const Options& options);

/// Sets the time of the end.
void close_context(record::Context& context);

}  // namespace cupel::harness
