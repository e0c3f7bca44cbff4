#include "cupel/figures/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "cupel/figures/join.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/record/json.hpp"

namespace cupel::figures {
namespace {

// Says what may have been meant: "; its folders: nvidia-h100, nvidia-h200".
std::string folders_text(const std::string& folder) {
  const std::vector<std::string> names = files::folders_in(folder);
  return names.empty() ? "" : fmt::format("; its folders: {}", fmt::join(names, ", "));
}

std::filesystem::path folder_of(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().parent_path();
}

// A folder's files; those of a folder that are named singly are together in the place of the first.
std::vector<std::vector<std::string>> groups_of(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> groups;
  std::map<std::filesystem::path, std::size_t> singles;
  for (const std::string& name : names) {
    if (std::filesystem::is_directory(name)) {
      groups.push_back(files_of({name}));
      continue;
    }
    const auto [at, is_first] = singles.try_emplace(folder_of(name), groups.size());
    if (is_first) groups.emplace_back();
    groups[at->second].push_back(name);
  }
  return groups;
}

std::vector<Run> runs_of(const std::vector<std::string>& files, const std::function<void(std::string_view)>& tell) {
  std::vector<Run> apart, joined;
  for (const std::string& file : files) {
    record::AnyResults read = record::read_any(file);
    if (read.results.rows.empty()) tell(files::shown_path(file) + " has no results");
    apart.push_back({{file}, std::move(read.results), read.foreign});
  }
  if (std::ranges::any_of(apart, &Run::foreign)) return apart;
  std::vector<NamedResults> parts;
  for (Run& run : apart) parts.push_back({std::move(run.files), std::move(run.results)});
  for (NamedResults& part : join_parts(std::move(parts))) {
    joined.push_back({std::move(part.files), std::move(part.results)});
  }
  return joined;
}

// Keeps the files that have a wanted row, all where none has.
void keep_wanted(std::vector<NamedResults>& files, const std::function<bool(const record::Row&)>& is_wanted) {
  const auto has_any = [&](const NamedResults& file) { return std::ranges::any_of(file.results.rows, is_wanted); };
  if (is_wanted && std::ranges::any_of(files, has_any)) std::erase_if(files, std::not_fn(has_any));
}

}  // namespace

std::vector<Run> read_runs(const std::vector<std::string>& names, const std::function<void(std::string_view)>& tell) {
  std::vector<Run> runs;
  for (const std::vector<std::string>& group : groups_of(names)) {
    std::ranges::move(runs_of(group, tell), std::back_inserter(runs));
  }
  return runs;
}

std::vector<std::string> files_of(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (std::filesystem::is_directory(name)) {
      std::vector<std::string> all = files::json_files_in(name);
      if (all.empty()) throw std::invalid_argument(name + ": holds no .json file" + folders_text(name));
      std::ranges::move(all, std::back_inserter(files));
    } else {
      files.push_back(name);
    }
  }
  return files;
}

Run read_run(const std::string& file_or_folder, const std::function<bool(const record::Row&)>& is_wanted) {
  std::vector<NamedResults> files;
  std::size_t foreign = 0;
  const bool is_folder = std::filesystem::is_directory(file_or_folder);
  for (const std::string& path : is_folder ? files_of({file_or_folder}) : std::vector{file_or_folder}) {
    record::AnyResults read = record::read_any(path);
    foreign += read.foreign ? 1 : 0;
    files.push_back({{path}, std::move(read.results)});
  }
  if (foreign == 0) keep_wanted(files, is_wanted);
  if (files.size() == 1) return {{files.front().files}, std::move(files.front().results), foreign > 0};
  if (foreign > 0 && foreign < files.size())
    throw std::invalid_argument(file_or_folder + ": holds results of cupel and of other programs; name one of them");
  if (foreign > 0) {
    try {
      return {files_of({file_or_folder}), join_processes(std::move(files)), true};
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument(
          fmt::format("{}: its files are no processes of one program: {}", file_or_folder, problem.what()));
    }
  }
  files = join_parts(std::move(files));
  if (files.size() == 1) return {files.front().files, std::move(files.front().results), false};
  throw std::invalid_argument(fmt::format("{}: holds {} runs, which cannot be shown as one; name one of them: {}",
                                          file_or_folder, files.size(), fmt::join(files.front().files, ", ")));
}

Suite read_suite(const std::string& file_or_folder, const Renames& renames) {
  SuiteBuilder builder(file_or_folder, renames);
  if (std::filesystem::is_directory(file_or_folder)) {
    const Run run = read_run(file_or_folder);
    const bool is_one_process = run.foreign && run.files.size() == 1;
    if (run.foreign) builder.are_foreign_processes();
    for (const record::Row& row : run.results.rows) builder.add(row, is_one_process);
    return builder.finish(run.results.context);
  }
  const record::Streamed streamed =
      record::read_rows(file_or_folder, [&](record::Row&& row, bool foreign) { builder.add(row, foreign); });
  return builder.finish(streamed.context);
}

}  // namespace cupel::figures
