// The list of what an executable would run: printed by `--cupel_list` as JSON on stdout, read by `cupel list` and
// `cupel run`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/advice_tag.hpp"

namespace cupel::record {

/// One benchmark of a listing. Sizes are bytes, times seconds.
struct ListedBenchmark {
  std::string name;
  std::vector<std::pair<std::string, std::string>> params;
  std::vector<AdviceTag> advice;
  bool needs_device = false;
  std::int64_t device_bytes = 0;  ///< memory it wants
  std::int64_t host_bytes = 0;
  double seconds = 0;        ///< expected wall time in one process, all rounds
  double least_seconds = 0;  ///< expected wall time with the fewest samples
  std::string profile;       ///< smallest profile that holds it
};

/// The listing of one executable.
struct Listing {
  std::string family;
  bool needs_device = false;         ///< at least one benchmark does
  std::optional<double> max_wall_s;  ///< most seconds of sampling one benchmark
  std::vector<ListedBenchmark> benchmarks;
};

/// Writes the listing as JSON, one object; ends with a newline.
std::string to_json(const Listing&);

/// Reads a listing and passes over keys that it does not know. `origin` names the text in errors. Throws ReadError.
Listing listing_from_json(std::string_view text, const std::string& origin);

}  // namespace cupel::record
