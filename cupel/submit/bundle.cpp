#include "cupel/submit/bundle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <system_error>

#include "cupel/files/gzip.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/files/sha256.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::submit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".json.gz";
constexpr std::string_view kBetween = "  ";  // hash and name, as sha256sum has them
constexpr std::size_t kHashDigits = 64;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw files::ReadError(units::visible(fmt::format("{}: {}", path.string(), why)));
}

bool is_name(std::string_view name) {
  const auto may_be = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return name.size() > kEnding.size() && name.size() <= 100 && name.ends_with(kEnding) && name.front() != '.' &&
         std::ranges::all_of(name, may_be);
}

// Hashes by name.
using Sums = std::map<std::string, std::string>;

Sums read_sums(const fs::path& path) {
  constexpr std::int64_t kLargestList = 1 << 16;
  Sums sums;
  for (const std::string& line : units::split(files::read_file(path, kLargestList), '\n')) {
    if (line.empty()) continue;  // behind the last line's end
    if (line.size() <= kHashDigits + kBetween.size() || line.substr(kHashDigits, kBetween.size()) != kBetween)
      refuse(path, fmt::format("'{}' is no hash and name", line));
    const std::string name = line.substr(kHashDigits + kBetween.size());
    if (!is_name(name)) refuse(path, fmt::format("'{}' is no name of a packed result", name));
    if (!sums.emplace(name, line.substr(0, kHashDigits)).second) refuse(path, fmt::format("names {} twice", name));
  }
  if (sums.empty()) refuse(path, "names no file");
  if (sums.size() > kMostFiles) refuse(path, fmt::format("names more than {} files", kMostFiles));
  return sums;
}

// Looks at what is there before anything is opened. A link is none of it, wherever it leads.
void require_these_alone(const fs::path& folder, const Sums& sums) {
  std::set<std::string> there;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.symlink_status().type() != fs::file_type::regular) refuse(entry.path(), "is not a plain file");
    const std::string name = entry.path().filename().string();
    if (name != kSums && !sums.contains(name)) refuse(entry.path(), fmt::format("is not in {}", kSums));
    there.insert(name);
  }
  for (const auto& [name, _] : sums) {
    if (!there.contains(name)) refuse(folder / name, "is missing");
  }
}

void require_plain(const fs::path& path, fs::file_type type, const char* what) {
  std::error_code error;
  const fs::file_type found = fs::symlink_status(path, error).type();
  if (found == fs::file_type::not_found) refuse(path, fmt::format("there is no such {} of a bundle", what));
  if (found != type) refuse(path, fmt::format("is not a plain {}", what));
}

}  // namespace

void write_bundle(const fs::path& folder, const std::vector<BundleFile>& files) {
  Sums sums;
  std::map<std::string, std::string> packed;
  for (const BundleFile& file : files) {
    if (!is_name(file.name)) throw std::invalid_argument(fmt::format("'{}' is no name of a packed result", file.name));
    if (!packed.emplace(file.name, files::gzipped(file.text)).second)
      throw std::invalid_argument(fmt::format("two files would have the name {}", file.name));
    sums[file.name] = files::sha256(packed[file.name]);
  }
  std::error_code error;
  if (!fs::create_directories(folder, error)) {
    throw files::WriteError(units::visible(
        fmt::format("{}: cannot be made: {}", folder.string(), error ? error.message() : "it is there already")));
  }
  std::string list;
  for (const auto& [name, text] : packed) files::write_file(folder / name, text);
  for (const auto& [name, sum] : sums) list += fmt::format("{}{}{}\n", sum, kBetween, name);
  files::write_file(folder / kSums, list);
}

std::vector<BundleFile> read_bundle(const fs::path& folder) {
  require_plain(folder, fs::file_type::directory, "folder");
  require_plain(folder / kSums, fs::file_type::regular, "file");
  const Sums sums = read_sums(folder / kSums);
  require_these_alone(folder, sums);
  std::vector<BundleFile> files;
  for (const auto& [name, sum] : sums) {
    const fs::path path = folder / name;
    if (files::sha256(files::read_stored(path, kLargestResult)) != sum)
      refuse(path, fmt::format("is not the file of {}", kSums));
    files.push_back({name, files::read_file(path, kLargestResult)});
  }
  return files;
}

}  // namespace cupel::submit
