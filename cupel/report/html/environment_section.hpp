// All that the files know of the machines and the runs, one column a device.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// Lines that are not the same everywhere are marked.
std::string environment_section(const std::vector<Device>& devices);

}  // namespace cupel::report::html
