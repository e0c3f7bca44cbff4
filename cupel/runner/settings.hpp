// How a run measures: what every child is told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cupel::runner {

struct Settings {
  std::string profile = "quick";  ///< "quick", "standard" or "full"
  int processes = 3;              ///< starts of every executable
  std::uint64_t seed = 1;
  std::string timer = "events";       ///< or "cupti"
  std::optional<std::string> device;  ///< number, or beginning of the UUID; absent: the first
  std::optional<int> rounds;          ///< absent: the profile's
  std::optional<double> noise_goal;
  std::optional<double> max_wall_s;
  std::optional<int> min_samples, max_samples;
  bool allow_managed = false;
  bool allow_multicast = false;
  bool sustained = false;
  bool zeros = false;
  std::optional<std::string> libraries;     ///< folder of those to measure with, in place of those that are found
  std::optional<std::string> data;          ///< folder of the user's own images; absent: data made from a seed
  std::optional<std::uint64_t> data_bytes;  ///< of the data that are made
  bool clean_data = false;                  ///< each child removes what it made on disk
  /// The flags of the family pytorch. Their paths are the user's own, and so no notes of the run: who continues it says
  /// them again.
  std::optional<std::string> python, model;
  std::optional<double> timeout_s;  ///< of one child; absent: from its expected time
};

/// How often a profile starts each executable. Throws std::invalid_argument on a profile that there is not.
int default_processes(const std::string& profile);

/// Throws std::invalid_argument that names the setting where a run cannot be carried out with it.
void check(const Settings& settings);

/// The flags that tell a child all of this except which process it is, and the libraries: use_libraries().
std::vector<std::string> child_flags(const Settings& settings);

/// Has children that start from here on look for libraries in the folder first, or, where it is a Python environment's
/// site-packages, in each package of NVIDIA's there. Throws std::invalid_argument where neither holds a library.
void use_libraries(const std::filesystem::path& folder);

/// The settings that RunInfo has no field for, by flag ("--max-wall": "0.25"), so that a run can be continued as it
/// was begun; kept in RunInfo::notes.
std::vector<std::pair<std::string, std::string>> notes(const Settings& settings);

/// Reads back one of them. False when `flag` is none of them or its value makes no sense.
bool apply_note(Settings& settings, const std::string& flag, const std::string& value);

}  // namespace cupel::runner
