// A history as it is kept: a folder with one of each machine in it, and in that a file a point.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/history/history.hpp"

namespace cupel::history {

/// Tells whether a commit's name can be part of a file's name as it is.
bool is_fit_for_a_file_name(const std::string& text);

/// Reads the points of a machine's folder. Throws files::ReadError, std::invalid_argument of a folder that cannot be
/// read.
std::vector<HistoryPoint> read_points(const std::filesystem::path& machine);

/// Returns the folder of the machine in a history, by the machine's name; where there is none yet, the only one whose
/// points may be of the same machine.
std::filesystem::path folder_of(const std::filesystem::path& history, const record::Context& context);

/// Keeps the point in the machine's folder, and returns its file: named by its second and commit, and with a number
/// where other benchmarks of that commit, as those of another family, were begun in that second. A file with one of its
/// benchmarks is the point itself: replaced where `force`, else std::invalid_argument.
std::filesystem::path keep_point(const std::filesystem::path& folder, const HistoryPoint& point, bool force);

/// Returns the folder of the points: the only machine of the history, the one that was chosen, or the folder itself.
/// Throws std::invalid_argument where there is none, or several and no choice.
std::filesystem::path machine_folder(const std::filesystem::path& history, const std::optional<std::string>& machine);

}  // namespace cupel::history
