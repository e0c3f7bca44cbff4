// One start of one executable: told which benchmarks to run, watched through its journal, and read to the last good
// line.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/host/child.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::runner {

struct Attempt {
  host::ChildResult child;
  record::Journal journal;

  /// How a child ended badly that gave all that it was asked for; see bad_ending() of child.hpp.
  std::string bad_ending() const;

  bool out_of_time = false;  ///< the time that it was given came to its end first

  /// The child said that it was done, and was believed.
  bool complete() const;

  /// Why it did not finish, one line: "killed by SIGSEGV (Segmentation fault); last words: ...".
  std::string reason() const;
};

/// The time that a child is given. It sees to it that it ends in `seconds`; when slack_s more have passed it is asked
/// to, and after as much again it is ended.
struct TimeShare {
  double seconds = 0;
  double slack_s = 0;
};

struct AttemptRequest {
  const PlannedFamily& family;
  int process = 0;
  std::vector<std::string> names;  ///< what is to run
  const Settings& settings;
  std::filesystem::path scratch;  ///< a folder for its files
  std::optional<TimeShare> share = std::nullopt;
  /// Takes what the child says meanwhile about work that lasts, one line, fit for a terminal.
  std::function<void(const std::string&)> said = [](const std::string&) {};
};

/// The flag that has a child run these alone, whose list is a file in scratch. Throws files::WriteError.
std::string only_these(const std::vector<std::string>& names, const std::filesystem::path& scratch);

/// A child that takes ten times what is expected and half a minute, or Settings::timeout_s, or more than its share, is
/// ended; the time counts from the last that it said meanwhile. watch: about ten times a second, with the path of the
/// journal so far and the benchmark that runs; false ends it, too. Throws files::WriteError when the list of names
/// cannot be written, std::invalid_argument with the child's own words when it was asked for what there is not (a
/// device).
Attempt attempt(const AttemptRequest& request,
                const std::function<bool(const std::filesystem::path&, const std::string&)>& watch);

}  // namespace cupel::runner
