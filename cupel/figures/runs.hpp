// Result files as they are named: singly, or by the folder of a run.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// Returns the names with each folder among them replaced by the .json and .json.gz files in it, by name. Throws
/// std::invalid_argument of a folder that holds none, files::ReadError of one that cannot be read.
std::vector<std::string> files_of(const std::vector<std::string>& names);

/// A run, measured in one go: a result file, or several that are parts of one.
struct Run {
  std::vector<std::string> files;
  record::ResultSet results;
  bool foreign = false;  ///< read from files of a Google Benchmark program
};

/// Reads the runs among files and folders. The files of a folder are joined with each other where they are parts of one
/// (join_parts()), and files that are named singly where they lie in one folder: two folders are two runs, whatever is
/// in them.
/// Google Benchmark's files do not say what they were measured on: where one is among them, they stay apart. tell:
/// takes a line on each file without results. Throws as files_of() does, and files::ReadError.
std::vector<Run> read_runs(const std::vector<std::string>& names, const std::function<void(std::string_view)>& tell);

/// Reads one run: a result file, or a folder of files that are parts of one run, joined (join_parts()), or of Google
/// Benchmark files that are each of one process of a program (join_processes()). Throws std::invalid_argument of a
/// folder whose files are of several runs, files::ReadError.
/// is_wanted: of a row. Files of a folder of cupel's results without such a row are left out, unless all are: the
/// context is that of the others then, with their libraries alone.
Run read_run(const std::string& file_or_folder, const std::function<bool(const record::Row&)>& is_wanted = {});

}  // namespace cupel::figures
