// Whether a result may stand beside those of others: nothing that it says may be false by its own samples, and nothing
// that makes it worthless may have happened. How fast the board is decides nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/copies.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::submit {

/// With fewer processes no interval over them is worth showing.
inline constexpr int kFewestProcesses = 5;

/// Facts that are known beside the file.
struct Known {
  std::string now;                                    ///< UTC, ISO 8601: no run is of later
  std::optional<std::vector<std::string>> revisions;  ///< of cupel, whole, newest first; nothing: any is taken
};

/// Why it is refused, one line each; empty where it is taken. text: the file, unpacked. results: what
/// record::from_json() read of it, which throws where it is not of the schema.
///
/// Refused: what has fields that the schema does not know; what the samples do not give
/// (record::contradictions()); a rate above its physical limit; a row that failed, lacks a process, lacks telemetry or
/// is of another family than its name; another process on the GPU; a changed or unknown revision; a run that is not
/// whole: a filter, few processes, the quick profile, an end before its end; dates that cannot be.
std::vector<std::string> refusals(std::string_view text, const record::ResultSet& results, const Known& known);

/// Returns a line for each of the first benchmarks whose rate is above its limit, and how many more there are.
std::vector<std::string> impossible_rates(const record::ResultSet& results);

/// Finds results that are there already, and processes of one result that are one. By the samples: two measurements
/// have the same ones in a row by chance, but not in half of their rows.
class Copies {
 public:
  /// Why the result is a copy: "most of its rows have the samples of old.json"; empty where it is none. Of the same
  /// run, it may be the file that a bundle was made of, and the reason says so.
  std::vector<std::string> found(const record::ResultSet& results) const;

  void add(const std::string& origin, const record::ResultSet& results);

 private:
  static std::vector<std::string> processes_twice(const figures::Prints& samples);

  struct Result {
    std::string origin, started;
    figures::Prints samples;
  };

  std::vector<Result> known_;
};

}  // namespace cupel::submit
