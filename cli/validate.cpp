// `cupel validate`: whether files keep to the schema, and if not, where.
#include <fmt/core.h>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cli/result_files.hpp"
#include "cupel/record/file.hpp"
#include "cupel/record/json.hpp"
#include "cupel/units/format.hpp"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 20;

// What a file is that is not ours; empty where it is no Google Benchmark program's either.
std::string foreign_text(const std::string& file) {
  try {
    const record::AnyResults any = record::read_any(file);
    if (!any.foreign) return "";
    return fmt::format("of a Google Benchmark program, not of cupel: {} can be read",
                       units::counted(std::ssize(any.results.rows), "benchmark"));
  } catch (const record::ReadError&) {
    return "";
  }
}

// True when the file is valid. Says what is wrong on stderr.
bool validate(const std::string& file, bool quiet) {
  const std::string name = record::shown_path(file);
  std::vector<std::string> violations;
  try {
    violations = record::validate(record::read_file(file));
  } catch (const record::ReadError& error) {
    say(error.what());
    return false;
  }
  if (const std::string foreign = violations.empty() ? "" : foreign_text(file); !foreign.empty()) {
    if (!quiet) print(fmt::format("{}: {}\n", name, foreign));
    return true;
  }
  for (std::size_t i = 0; i < violations.size() && i < kMostShown; ++i) {
    say(fmt::format("{}: {}", name, violations[i]));
  }
  if (violations.size() > kMostShown) say(fmt::format("{}: and {} more", name, violations.size() - kMostShown));
  if (violations.empty() && !quiet) print(fmt::format("{}: valid\n", name));
  return violations.empty();
}

struct ValidateFlags {
  std::vector<std::string> files;
  bool quiet = false;
};

int validate_all(const ValidateFlags& flags) {
  bool all_valid = true;
  for (const std::string& file : files_of(flags.files)) all_valid = validate(file, flags.quiet) && all_valid;
  return all_valid ? kDone : kUsage;
}

}  // namespace

void add_validate(Command& app) {
  Command& command = app.add_subcommand("validate", "Check result files against the schema");
  ValidateFlags& flags = command.runs(validate_all);
  command.add_option("files", flags.files, "Result files, or folders of them")->required();
  command.add_flag("-q,--quiet", flags.quiet, "Name only files that are not valid");
  command.examples({{"cupel validate results", "Checks all files of a folder"},
                    {"cupel validate -q - < host.json", "Says by its exit code whether a result is valid"}});
  command.exits({{kUsage, "wrong usage, or a file that cannot be read or is not valid"}});
}

}  // namespace cupel::cli
