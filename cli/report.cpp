// `cupel report`: one page about one or more result files.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/bands_folder.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cli/result_files.hpp"
#include "cupel/figures/join.hpp"
#include "cupel/record/json.hpp"
#include "cupel/report/html/report.hpp"

namespace cupel::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string output = "report.html";
  std::optional<std::string> bands;
  bool force = false;
};

// A file of ours or of any Google Benchmark program.
report::ReportedFile read_reported(const std::string& file) {
  record::AnyResults read = record::read_any(file);
  return {std::filesystem::path(file).filename().string(), std::move(read.results), read.foreign};
}

// Families of one machine that were measured one by one are one machine on the page. Google Benchmark's files do not
// say what they were measured on: with one of them among the others, all stay apart.
std::vector<report::ReportedFile> joined(std::vector<report::ReportedFile> files) {
  if (std::ranges::any_of(files, &report::ReportedFile::foreign)) return files;
  std::vector<figures::NamedResults> named;
  for (report::ReportedFile& file : files) named.push_back({std::move(file.name), std::move(file.results)});
  files.clear();
  for (figures::NamedResults& part : figures::join_parts(std::move(named))) {
    files.push_back({std::move(part.name), std::move(part.results), false});
  }
  return files;
}

int write_report(const ReportFlags& flags) {
  std::vector<report::ReportedFile> files;
  bool any = false;
  for (const std::string& file : files_of(flags.files)) {
    files.push_back(read_reported(file));
    any = any || !files.back().results.rows.empty();
    if (files.back().results.rows.empty()) complain(fmt::format("{} has no results", file));
  }
  if (!any) return kNothing;
  try {
    files = joined(std::move(files));
    for (report::ReportedFile& file : files) {
      file.board = judge_board(file.results, flags.bands);
    }
    report::write_html(files, flags.output, flags.force);
  } catch (const report::ReportError& error) {
    throw UsageError(error.what());
  }
  print(fmt::format("{}\n", flags.output));
  return kDone;
}

}  // namespace

void add_report(Command& app) {
  Command& command = app.add_subcommand("report", "Make one HTML page of result files");
  ReportFlags& flags = command.runs(write_report);
  command
      .add_option("files", flags.files,
                  "Result files, or Google Benchmark's, or folders of them; the others are compared with the first")
      ->required();
  command.add_option("-o,--output", flags.output, "The page (default report.html); a report there is replaced")
      ->type_name("FILE");
  command.add_flag("--force", flags.force, "Replace whatever is there");
  add_bands_flag(command, flags.bands);
  command.footer(kExitCodeTable);
}

}  // namespace cupel::cli
