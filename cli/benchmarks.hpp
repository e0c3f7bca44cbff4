// What `run` and `list` share: flags that choose benchmarks, and what to say when they choose none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::cli {

struct Choice {
  std::vector<std::string> families, filters, advice;
  bool quick = false, standard = false, full = false;
  std::optional<std::string> folder;  ///< of the executables

  /// The profile that was asked for; nothing when none was.
  std::optional<std::string> profile() const;
  runner::Selection selection() const { return {families, filters, advice}; }
};

/// --filter, as often as is liked.
void add_filter_flag(Command& command, std::vector<std::string>& filters);

/// --device, of what is measured.
void add_device_flag(Command& command, std::optional<std::string>& device);

/// The flags; `choice` must outlive the parse.
void add_choice(Command& command, Choice& choice);

/// The families of this build.
std::vector<runner::Family> families(const Choice& choice);

/// Families asked for that are not there. One line with what there is, or nothing.
std::string unknown_families(const std::vector<std::string>& asked, const std::vector<runner::Family>& there);

/// Throws UsageError with the nearest ids where one that was asked for is neither in the catalogue nor in a listing.
void require_known_advice(const std::vector<std::string>& asked, const std::vector<runner::Family>& families);

/// What tells of advice that no benchmark belongs to: "shm-size has no benchmark; told by: cupel doctor"; empty of
/// other advice.
std::string told_elsewhere(const std::string& advice);

/// Why the selection of the families, which it lists again, is empty: a larger profile that has it, the families that
/// measure the advice, or the nearest names.
std::string nothing_matches(std::vector<runner::Family>& families, const runner::Settings& settings,
                            const runner::Selection& selection);

}  // namespace cupel::cli
