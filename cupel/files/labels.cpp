#include "cupel/files/labels.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cupel/files/input_file.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::files {
namespace {

// The files' paths without .json or .json.gz; with them where two would be the same, as n1.json and n1.json.gz.
std::vector<std::filesystem::path> named_paths_of(const std::vector<std::string>& files) {
  std::map<std::filesystem::path, std::set<std::string>> same;
  for (const std::string& file : files) same[without_ending(file)].insert(file);
  std::vector<std::filesystem::path> paths;
  for (const std::string& file : files) {
    const std::filesystem::path path = without_ending(file);
    paths.push_back(same[path].size() == 1 ? path : std::filesystem::path(shown_path(file)));
  }
  return paths;
}

std::string argument_of(const std::string& file) {
  constexpr std::string_view kPlain = "+,-./0123456789:=@_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::string name = file.starts_with('-') && file != "-" ? "./" + file : file;
  if (!name.empty() && name.find_first_not_of(kPlain) == std::string::npos) return name;
  std::string quoted = "'";
  for (const char letter : name) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::filesystem::path without_ending(const std::string& file) {
  std::filesystem::path path = shown_path(file);
  if (path.extension() == ".gz") path.replace_extension();
  return path.replace_extension();
}

std::string names_text(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) units::append(text, shown_path(file));
  return text;
}

std::string arguments_text(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) units::append(text, argument_of(file), " ");
  return text;
}

std::vector<std::string> folders_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  std::vector<std::vector<std::string>> paths;
  for (const std::filesystem::path& named : named_paths_of(files)) {
    const auto path = std::filesystem::absolute(named).lexically_normal();
    labels.push_back(path.filename().string());
    const std::filesystem::path below_root = path.relative_path();
    paths.emplace_back(below_root.begin(), below_root.end());
  }
  if (std::set<std::string>(labels.begin(), labels.end()).size() == labels.size()) return labels;
  const auto all_have = [&](const auto& part_of) {
    return std::ranges::all_of(
        paths, [&](const auto& path) { return path.size() > 1 && part_of(path) == part_of(paths.front()); });
  };
  while (all_have([](const auto& path) { return path.front(); })) {
    for (std::vector<std::string>& path : paths) path.erase(path.begin());
  }
  while (all_have([](const auto& path) { return path.back(); })) {
    for (std::vector<std::string>& path : paths) path.pop_back();
  }
  for (std::size_t i = 0; i < paths.size(); ++i) labels[i] = units::joined(paths[i], "/");
  return labels;
}

}  // namespace cupel::files
