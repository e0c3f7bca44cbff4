// The files of a page against each other: what differs around them, families, and every benchmark.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// The first device is what the others are compared with. Empty with a single device.
std::string devices_section(const std::vector<Device>& devices);

}  // namespace cupel::report::html
