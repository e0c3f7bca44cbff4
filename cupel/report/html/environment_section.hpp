// All that the files know of the machines and the runs, one column a device.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/record/record.hpp"
#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// A part of the environment, as (key, value) in words. What is not known is left out.
struct Facts {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
};

/// Run, GPU, host, build, libraries, calibration, and what the device did meanwhile.
std::vector<Facts> facts_of(const record::ResultSet& results);

/// Lines that are not the same everywhere are marked.
std::string environment_section(const std::vector<Device>& devices);

}  // namespace cupel::report::html
