#include "cli/result_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"

namespace cupel::cli {
std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json" && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (error) throw UsageError(folder + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> files_of(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (std::filesystem::is_directory(name)) {
      std::vector<std::string> all = files_in(name);
      if (all.empty()) throw UsageError(name + ": holds no .json file");
      std::ranges::move(all, std::back_inserter(files));
    } else {
      files.push_back(name);
    }
  }
  return files;
}

}  // namespace cupel::cli
