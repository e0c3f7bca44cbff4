// The common part of commands that measure: flags that choose benchmarks, and what to say when they choose none.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cupel/runner/plan.hpp"
#include "cupel/runner/settings.hpp"

namespace cupel::cli {

/// --quick, --standard and --full.
struct ProfileFlags {
  bool quick = false, standard = false, full = false;

  /// The profile that was asked for; nothing when none was.
  std::optional<std::string> asked() const;
};

/// `flags` must outlive the parse; texts: what the help says of each.
void add_profile_flags(Command& command, ProfileFlags& flags, const std::array<const char*, 3>& texts);

struct Choice {
  std::vector<std::string> families, filters, advice;
  ProfileFlags profile;
  std::optional<std::string> folder;  ///< of the executables

  runner::Selection selection() const { return {families, filters, advice}; }
};

/// --filter, as often as is liked.
void add_filter_flag(Command& command, std::vector<std::string>& filters);

/// --device, of what is measured.
void add_device_flag(Command& command, std::optional<std::string>& device);

/// --bench-dir, of executables, or of what they say of themselves.
void add_bench_dir_flag(Command& command, std::optional<std::string>& folder);

/// The flags; `choice` must outlive the parse.
void add_choice(Command& command, Choice& choice);

/// Throws UsageError, which begins with `where`, on settings that no run can be carried out with.
void check_settings(const runner::Settings& settings, const std::string& where = "");

/// The families of this build.
std::vector<runner::Family> families(const Choice& choice);

/// Families asked for that are not there. One line with what there is, or nothing.
std::string unknown_families(const std::vector<std::string>& asked, const std::vector<runner::Family>& there);

/// Throws UsageError with the nearest ids where one that was asked for is neither in the catalogue nor in a listing.
void require_known_advice(const std::vector<std::string>& asked, const std::vector<runner::Family>& families);

/// The pointer to whatever tells of advice that no benchmark belongs to: "shm-size has no benchmark; told by: cupel
/// doctor"; empty of other advice.
std::string told_elsewhere(const std::string& advice);

/// Why the selection of the families, which it lists again, is empty: a larger profile that has it, the families that
/// measure the advice, or the nearest names.
std::string nothing_matches(std::vector<runner::Family>& families, const runner::Settings& settings,
                            const runner::Selection& selection);

/// "nearest: gemm/square": the nearest of what is there to each that was asked for.
std::string suggestions(const std::vector<std::string>& asked, const std::vector<std::string>& there);

/// "no benchmark of FILE matches 'gemm/sqare'; nearest: gemm/square". names: of the benchmarks that are there.
std::string no_match(const std::vector<std::string>& filters, const std::vector<std::string>& names,
                     const std::string& where = "");

/// Goes behind "there is no family 'B'": B may have been meant as a second filter. Empty where none was given.
std::string several_filters(const std::vector<std::string>& filters);

}  // namespace cupel::cli
