#include "cli/user_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/print.hpp"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOfACheckout = "results/runs";

using Written = std::pair<fs::file_time_type, std::string>;

std::vector<Written> runs_in(const fs::path& folder) {
  std::vector<Written> all;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    const bool is_result = path.ends_with(".json") || path.ends_with(".json.gz");
    if (is_result && entry.is_regular_file(error)) all.emplace_back(entry.last_write_time(error), path);
  }
  return all;
}

}  // namespace

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value == '/' ? value : "";
}

std::string data_folder(const std::string& name) {
  if (const std::string data = absolute_variable("XDG_DATA_HOME"); !data.empty()) return data + "/cupel/" + name;
  const std::string home = absolute_variable("HOME");
  return home.empty() ? "" : home + "/.local/share/cupel/" + name;
}

fs::path runs_folder() {
  std::error_code error;
  const std::string own = data_folder("runs");
  return own.empty() || fs::is_directory("results", error) ? fs::path(kOfACheckout) : fs::path(own);
}

std::string newest_run() {
  const fs::path folder = runs_folder();
  const std::vector<Written> runs = runs_in(folder);
  if (runs.empty()) {
    throw UsageError(fmt::format(
        "no file was named, and there is no run in {} yet; name a result file, or measure with: cupel run --quick",
        folder.string()));
  }
  const std::string& newest = std::ranges::max(runs).second;
  say(fmt::format("newest run: {}", newest));
  return newest;
}

}  // namespace cupel::cli
