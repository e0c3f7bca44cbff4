// `cupel validate`: whether files keep to the schema and give figures, and if not, where.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/record/json.hpp"
#include "cupel/units/colour.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 20;

// All that the schema finds in a file of ours.
std::vector<std::string> violations_in(const std::string& file) {
  try {
    return record::validate(files::read_file(file));
  } catch (const files::ReadError&) {
    return {};  // who reads it says why
  }
}

std::string without_time(const record::Row& row) {
  if (row.status != record::Status::ok || row.below_floor || row.cut_short) return "";
  if (row.series.empty()) return "has no time";
  for (const record::Series& series : row.series) {
    const double time_s = figures::location_s(series);
    if (!(time_s > 0) || !std::isfinite(time_s))
      return fmt::format("its {} time is {} after the correction of {}", record::to_string(series.mode),
                         units::format(time_s, units::Unit::seconds),
                         units::format(series.correction_s, units::Unit::seconds));
  }
  return "";
}

// The measurements that keep to the schema and give no figure. No reader of a file refuses it for them. A run
// with --cupel_once takes no times, and is whole.
std::vector<std::string> without_figures(const record::ResultSet& results) {
  std::vector<std::string> found;
  std::set<std::pair<std::string_view, int>> seen;
  const bool is_timed = std::ranges::any_of(results.rows, [](const record::Row& row) { return !row.series.empty(); });
  for (const record::Row& row : results.rows) {
    const std::string where = fmt::format("{}, process {}: ", units::visible(row.name), row.process);
    if (const std::string why = without_time(row); is_timed && !why.empty()) found.push_back(where + why);
    if (!seen.emplace(row.name, row.process).second) found.push_back(where + "is there twice");
  }
  try {
    (void)figures::figures_of(results);
  } catch (const std::exception& error) {
    found.emplace_back(fmt::format("its figures cannot be computed: {}", error.what()));
  }
  return found;
}

void say_all(const std::string& file, const std::vector<std::string>& violations) {
  const std::string name = files::shown_path(file);
  for (std::size_t i = 0; i < violations.size() && i < kMostShown; ++i) say(fmt::format("{}: {}", name, violations[i]));
  if (violations.size() > kMostShown) say(fmt::format("{}: and {} more", name, violations.size() - kMostShown));
}

// Names the kind of another program's file.
std::string foreign_text(const record::ResultSet& results) {
  return fmt::format("of a Google Benchmark program, not of cupel: {} can be read",
                     units::counted(std::ssize(results.rows), "benchmark"));
}

std::string valid_word() { return output_has_colour() ? units::in_colour("valid", units::Colour::green) : "valid"; }

// True when the file is valid and whole. Says what is wrong on stderr, in the words of the commands that read it.
bool validate(const std::string& file, bool quiet) {
  const std::string name = files::shown_path(file);
  std::vector<std::string> violations = violations_in(file);
  std::optional<record::AnyResults> any;
  std::string fault;
  try {
    any = record::read_any(file);
  } catch (const files::ReadError& error) {
    fault = error.what();
  }
  const auto is_the_fault = [&](const std::string& one) { return fault.ends_with(": " + one); };
  const bool is_ours = any ? !any->foreign : std::ranges::any_of(violations, is_the_fault);
  if (any && is_ours) std::ranges::move(without_figures(any->results), std::back_inserter(violations));
  if (any && any->foreign && any->results.context.run.interrupted) {
    fault = fmt::format("{}: {}; {}", name, any->results.context.run.notes.at("file"), foreign_text(any->results));
  }
  if (is_ours) {
    say_all(file, violations);
  } else if (!fault.empty()) {
    say(fault);
  }
  const bool valid = fault.empty() && (!is_ours || violations.empty());
  if (valid && !quiet) print(fmt::format("{}: {}\n", name, is_ours ? valid_word() : foreign_text(any->results)));
  return valid;
}

struct ValidateFlags {
  std::vector<std::string> files;
  bool quiet = false;
};

int validate_all(const ValidateFlags& flags) {
  bool all_valid = true;
  for (const std::string& file : figures::files_of(flags.files)) all_valid = validate(file, flags.quiet) && all_valid;
  return all_valid ? kDone : kUsage;
}

}  // namespace

void add_validate(Command& app) {
  Command& command = app.add_subcommand("validate", "Check that result files keep to the schema and give figures");
  ValidateFlags& flags = command.runs(validate_all);
  command.add_option("files", flags.files, "Result files, or folders of them")->required();
  command.add_flag("-q,--quiet", flags.quiet, "Name only files that are not valid");
  command.examples({{"cupel validate results", "Checks all files of a folder"},
                    {"cupel validate -q - < host.json", "Says by its exit code whether a result is valid"}});
  command.exits({{kUsage, "wrong usage, or a file that cannot be read or is not valid"}});
}

}  // namespace cupel::cli
