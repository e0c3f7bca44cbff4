#include "cupel/runner/families.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "cupel/files/input_file.hpp"
#include "cupel/host/child.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "cupel_bench_";

bool is_executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

bool is_family(const fs::path& path) {
  const std::string file = path.filename().string();
  return file.starts_with(kPrefix) && file.size() > kPrefix.size() && is_executable(path);
}

bool holds_families(const fs::path& folder) {
  std::error_code none;
  const auto is_one = [](const fs::directory_entry& entry) { return is_family(entry.path()); };
  return std::any_of(fs::directory_iterator(folder, none), fs::directory_iterator(), is_one);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

}  // namespace

std::string listing_problem(const host::ChildResult& child) {
  if (host::exited_with(child, 0)) {
    return child.output_cut ? fmt::format("its listing is longer than {} MiB", host::kLargestListing >> 20) : "";
  }
  const std::string how = host::ending_text(child), words = host::last_line(child.error_text);
  if (child.ending == host::Ending::not_started) return how;
  return how + " while listing" + (words.empty() ? "" : ": " + words);
}

fs::path bench_folder(const fs::path& program, const std::optional<fs::path>& asked) {
  if (asked) {
    if (is_folder(*asked)) return *asked;
    throw std::invalid_argument(fmt::format("--bench-dir: there is no folder {}", asked->string()));
  }
  if (const char* variable = std::getenv("CUPEL_BENCH_DIR"); variable != nullptr && *variable != '\0') {
    if (is_folder(variable)) return variable;
    throw std::invalid_argument(fmt::format("there is no folder {} (from CUPEL_BENCH_DIR)", variable));
  }
  // Installed, the program lies in bin/ beside libexec/, or, in a wheel, among them; built, in bin/ beside bench/.
  if (holds_families(program.parent_path())) return program.parent_path();
  const fs::path prefix = program.parent_path().parent_path();
  const fs::path installed = prefix / "libexec" / "cupel", built = prefix / "bench";
  if (is_folder(installed)) return installed;
  if (is_folder(built)) return built;
  throw std::invalid_argument(
      fmt::format("no benchmarks: there is neither {} nor {}; say where they are with --bench-dir", installed.string(),
                  built.string()));
}

std::vector<Family> find_families(const fs::path& folder) {
  std::vector<Family> families;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!is_family(entry.path())) continue;
    const std::string name = entry.path().filename().string().substr(kPrefix.size());
    families.push_back({name, fs::absolute(entry.path()), {}, {}});
  }
  if (families.empty()) {
    throw std::invalid_argument(fmt::format("no benchmarks: {} holds no {}* executable", folder.string(), kPrefix));
  }
  std::ranges::sort(families, [](const Family& a, const Family& b) { return a.name < b.name; });
  return families;
}

std::string executable_mark(const fs::path& executable, const std::string& family) {
  std::error_code none;
  std::vector<fs::path> files;
  const fs::path package = fs::canonical(executable, none).parent_path() / ("cupel_" + family);
  for (const fs::directory_entry& entry : fs::directory_iterator(package, none)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  files.insert(files.begin(), executable);
  try {
    return files::content_mark(files);
  } catch (const files::ReadError&) {
    return "";
  }
}

void fill_listing(Family& family, const Settings& settings) {
  std::vector<std::string> arguments = child_flags(settings);
  arguments.insert(arguments.begin(), "--cupel_list");
  const host::ChildResult child = host::run_listing(family.executable, std::move(arguments), settings.timeout_s);

  family.listing = {};
  family.problem = listing_problem(child);
  if (!family.problem.empty()) return;
  try {
    family.listing = record::listing_from_json(child.output_text, "its listing");
  } catch (const files::ReadError& error) {
    family.problem = host::last_line(error.what());
  }
}

}  // namespace cupel::runner
