#include "tests/simulator/recorded.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

namespace cupel::simulator {

std::map<std::string, std::map<std::string, std::vector<double>>> read_recorded(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  return nlohmann::json::parse(file).at("locations_us");
}

}  // namespace cupel::simulator
