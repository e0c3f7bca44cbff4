// `cupel report`: one page about one or more result files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/bands_folder.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cli/result_files.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/report/html/report.hpp"

namespace cupel::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string output = "report.html";
  std::optional<std::string> bands;
  bool force = false, quiet = false;
};

// Without folders: a page is sent to others.
std::string names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files)
    names.push_back(std::filesystem::path(files::shown_path(file)).filename().string());
  return fmt::format("{}", fmt::join(names, ", "));
}

int write_report(const ReportFlags& flags) {
  add_family_advice(std::nullopt);
  std::vector<report::ReportedFile> files;
  for (Run& run : read_runs(flags.files)) files.push_back({names_of(run.files), std::move(run.results), run.foreign});
  const auto is_empty = [](const report::ReportedFile& file) { return file.results.rows.empty(); };
  if (std::ranges::all_of(files, is_empty)) return kNothing;
  for (report::ReportedFile& file : files) file.board = judge_board(file.results, flags.bands);
  if (flags.output == "-") {
    print(report::html_report(files));
    return kDone;
  }
  report::write_html(files, flags.output, flags.force);
  if (!flags.quiet) print(fmt::format("{}\n", flags.output));
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
  command.add_option("-o,--output FILE", flags.output,
                     "The page (default report.html); a report there is replaced; - prints it");
  command.add_flag("-f,--force", flags.force, "Replace whatever is there");
  command.add_flag("-q,--quiet", flags.quiet, "Do not print the page's name");
  add_bands_flag(command, flags.bands);
  command.examples(
      {{"cupel report host.json", "Makes report.html"},
       {"cupel report results/nvidia-h200 new.json -o page.html", "Compares another machine with that one"}});
  command.exits({{kNothing, "no file has results"}});
}

}  // namespace cupel::cli
