// The recorded processes in h200_process_locations.json and suite_process_locations.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cupel::simulator {

/// Mode of measuring, benchmark, one location in microseconds for each process. Throws std::runtime_error.
std::map<std::string, std::map<std::string, std::vector<double>>> read_recorded(const std::filesystem::path& path);

}  // namespace cupel::simulator
