// The common part of gate, calibrate, compare and history.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/benchmarks.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cupel/figures/renames.hpp"
#include "cupel/gate/calibration.hpp"
#include "cupel/gate/policy.hpp"
#include "cupel/record/bounds.hpp"
#include "cupel/runner/gate_run.hpp"
#include "cupel/runner/select.hpp"

namespace cupel::cli {

/// The range of --tolerance and --target: 0.01 was meant as a share, and 90 as anything but a tolerance.
inline constexpr double kLeastPercent = 100 * record::kToleranceBounds.least;
inline constexpr double kMostPercent = 100 * record::kToleranceBounds.most;

/// Shares. Throws UsageError where no row could ever be called SAME: what is not SLOWER by the tolerance may differ by
/// the target. `where`: of which rows, such as " for '^host/'".
void require_room_for_same(double tolerance, double target, const std::string& where = "");

/// How executables are run.
struct GateRunFlags {
  ProfileFlags profile;
  std::vector<std::string> filters, extra;
  std::optional<std::string> timeout, max_wall, device;
  std::optional<std::uint64_t> seed;
};

/// --renames FILE.
void add_renames_flag(Command& command, std::optional<std::string>& file);

/// The renames in that file; none without one. Throws files::ReadError.
figures::Renames read_renames(const std::optional<std::string>& file);

/// Throws UsageError that names the first old name of the file for which there was nothing to rename, and the nearest
/// that there are. renamed, sides: as figures::idle_renames() takes them.
void require_none_idle(const figures::Renames& renames, const std::set<std::string>& renamed,
                       std::span<const std::set<std::string>> sides, const std::optional<std::string>& file);

/// The same of the suites that were renamed.
void require_none_idle(const figures::Renames& renames, std::span<const figures::Suite> suites,
                       const std::optional<std::string>& file);

/// The flags; `flags` must outlive the parse.
void add_gate_run_flags(Command& command, GateRunFlags& flags);

/// renames: of both sides' benchmarks. Throws std::invalid_argument on a time that is none, UsageError
/// on a setting that nobody can measure with.
runner::GateRunSettings run_settings(const GateRunFlags& flags, const figures::Renames& renames = {});

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& names);

/// "a, b", fit to be published.
std::string label_of(const std::vector<std::string>& names);

/// The suite of rows measured here. Foreign executables say little of where they ran: what is missing is filled in.
figures::Suite measured_suite(record::ResultSet results, const std::string& label);

/// Leaves the benchmarks that the filters choose; all of them without filters.
void keep_chosen(figures::Suite& suite, const std::vector<std::string>& filters);

/// The names of all their benchmarks.
std::vector<std::string> names_of(std::span<const figures::Suite> suites);

/// Whether the file is JSON rather than a program.
bool is_json_file(const std::string& path);

/// Whether this user may run it. What is neither this nor JSON is read as a result: the reader says what is wrong.
bool can_be_run(const std::string& path);

/// Throws UsageError unless each is a file that this user may run. of_results: what is to be done with a result file.
void require_programs(const std::vector<std::string>& programs, const std::string& of_results);

/// UTC, "2026-11-20".
std::string today();

}  // namespace cupel::cli
