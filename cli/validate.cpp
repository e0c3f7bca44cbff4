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
bool validate(const std::string& file) {
  const std::string name = record::shown_path(file);
  std::vector<std::string> violations;
  try {
    violations = record::validate(record::read_file(file));
  } catch (const record::ReadError& error) {
    say(error.what());
    return false;
  }
  if (const std::string foreign = violations.empty() ? "" : foreign_text(file); !foreign.empty()) {
    print(fmt::format("{}: {}\n", name, foreign));
    return true;
  }
  for (std::size_t i = 0; i < violations.size() && i < kMostShown; ++i) {
    say(fmt::format("{}: {}", name, violations[i]));
  }
  if (violations.size() > kMostShown) say(fmt::format("{}: and {} more", name, violations.size() - kMostShown));
  if (violations.empty()) print(fmt::format("{}: valid\n", name));
  return violations.empty();
}

int validate_all(const std::vector<std::string>& files) {
  bool all_valid = true;
  for (const std::string& file : files_of(files)) all_valid = validate(file) && all_valid;
  return all_valid ? kDone : kUsage;
}

}  // namespace

void add_validate(Command& app) {
  Command& command = app.add_subcommand("validate", "Check result files against the schema");
  std::vector<std::string>& files = command.runs(validate_all);
  command.add_option("files", files, "Result files, or folders of them")->required();
}

}  // namespace cupel::cli
