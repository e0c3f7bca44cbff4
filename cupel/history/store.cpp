#include "cupel/history/store.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>
#include <system_error>

#include "cupel/files/errors.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::history {
namespace {

namespace fs = std::filesystem;

// "2026-11-20T06:35:00Z" as a file's name has it: "20261120T063500Z".
std::string compact(const std::string& date) {
  std::string text;
  for (const char c : date) {
    if ((c >= '0' && c <= '9') || c == 'T' || c == 'Z') text += c;
  }
  return text;
}

std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (folders ? entry.is_directory() : entry.path().extension() == ".json") found.push_back(entry.path());
  }
  if (error) throw std::invalid_argument(folder.string() + ": cannot be read: " + error.message());
  std::ranges::sort(found);
  return found;
}

HistoryPoint read_point(const fs::path& file) {
  return history_point_from_json(files::read_file(file.string()), file.string());
}

// A file that cannot be read is in the point's place, whatever it was.
bool has_one_of(const HistoryPoint& point, const fs::path& file) {
  try {
    const HistoryPoint there = read_point(file);
    return std::ranges::any_of(point.benchmarks, [&](const auto& one) { return there.benchmarks.contains(one.first); });
  } catch (const files::ReadError&) {
    return true;
  }
}

// Tells whether the folders are histories themselves: their points are in folders of machines below them.
bool hold_machines(const std::vector<fs::path>& folders) {
  return !folders.empty() && std::ranges::all_of(folders, [](const fs::path& folder) {
    const std::vector<fs::path> below = sorted_entries(folder, true);
    return sorted_entries(folder, false).empty() &&
           std::ranges::any_of(below, [](const fs::path& machine) { return !sorted_entries(machine, false).empty(); });
  });
}

}  // namespace

bool is_fit_for_a_file_name(const std::string& text) {
  return !text.empty() && text.size() <= 100 && text.front() != '.' && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == '.';
  });
}

std::vector<HistoryPoint> read_points(const fs::path& machine) {
  std::vector<HistoryPoint> points;
  for (const fs::path& file : sorted_entries(machine, false)) points.push_back(read_point(file));
  return points;
}

fs::path folder_of(const fs::path& history, const record::Context& context) {
  const fs::path own = history / machine_id(context);
  if (!fs::is_directory(history) || fs::is_directory(own)) return own;
  std::vector<fs::path> same = sorted_entries(history, true);
  std::erase_if(same, [&](const fs::path& machine) { return !may_be_of(read_points(machine), context); });
  return same.size() == 1 ? same.front() : own;
}

fs::path keep_point(const fs::path& folder, const HistoryPoint& point, bool force) {
  const std::string name = compact(point.date) + "-" + point.commit;
  for (int number = 1;; ++number) {
    const fs::path path = folder / (name + (number == 1 ? "" : "." + std::to_string(number)) + ".json");
    if (files::write_new_file(path, to_json(point))) return path;
    if (!has_one_of(point, path)) continue;
    if (!force) throw std::invalid_argument(path.string() + ": the history has this point; replace it with --force");
    files::write_file(path, to_json(point));
    return path;
  }
}

fs::path machine_folder(const fs::path& history, const std::optional<std::string>& machine) {
  const std::vector<fs::path> machines = sorted_entries(history, true);
  if (machines.empty() && !machine && !sorted_entries(history, false).empty()) return history;
  if (hold_machines(machines)) {
    throw std::invalid_argument(
        history.string() + " holds histories; name one of them: " +
        units::joined(machines | std::views::transform([](const fs::path& path) { return path.string(); })));
  }
  std::string names;
  for (const fs::path& each : machines) {
    if (machine && each.filename() == *machine) return each;
    units::append(names, each.filename().string());
  }
  if (machines.empty())
    throw std::invalid_argument(history.string() + " holds no history; begin with cupel history add");
  if (machine) throw std::invalid_argument("--machine " + *machine + ": there are " + names);
  if (machines.size() > 1)
    throw std::invalid_argument(history.string() + " is of several machines; choose --machine: " + names);
  return machines.front();
}

}  // namespace cupel::history
