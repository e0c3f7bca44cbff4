// `cupel export`: results as a table for other programs.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/export/export_table.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/record/json.hpp"

namespace cupel::cli {
namespace {

using exports::ExportFormat, exports::ExportLevel;

struct ExportFlags {
  std::vector<std::string> files, filters;
  ExportLevel level = ExportLevel::samples;
  ExportFormat format = ExportFormat::csv;
  std::string output = "-";
};

// names: takes those of all benchmarks.
exports::ExportedFile read_chosen(const std::string& path, const std::vector<std::string>& filters,
                                  std::vector<std::string>& names) {
  exports::ExportedFile file{files::shown_path(path), record::read_any(path).results};
  for (const record::Row& row : file.results.rows) names.push_back(row.name);
  const runner::Filters chosen(filters);
  std::erase_if(file.results.rows, [&](const record::Row& row) {
    return !chosen.choose({row.name, row.printed_name});
  });
  return file;
}

// The first lines of a table that is longer than a reader scrolls through, and how many it has.
struct Beginning {
  std::string_view text;
  std::ptrdiff_t lines;
};

std::optional<Beginning> beginning_of(std::string_view table) {
  constexpr std::ptrdiff_t kScreen = 40, kFirst = 5;
  const std::ptrdiff_t lines = std::ranges::count(table, '\n');
  if (lines <= kScreen) return std::nullopt;
  std::size_t end = 0;
  for (std::ptrdiff_t line = 0; line < kFirst; ++line) end = table.find('\n', end) + 1;
  return Beginning{table.substr(0, end), lines};
}

// A terminal gets the beginning, a pipe and a file get all.
void write_table(const std::string& output, const std::string& table) {
  const auto beginning = output == "-" && is_terminal() ? beginning_of(table) : std::nullopt;
  if (!beginning) return write_text(output, table);
  print(beginning->text);
  complain(fmt::format("{} more lines; --output FILE writes all to a file, and a pipe takes all",
                       beginning->lines - std::ranges::count(beginning->text, '\n')));
}

int export_files(const ExportFlags& flags) {
  std::vector<exports::ExportedFile> files;
  std::vector<std::string> names;
  for (const std::string& path : figures::files_of(flags.files))
    files.push_back(read_chosen(path, flags.filters, names));
  const std::string table = exports::export_table(files, flags.level, flags.format);
  if (table.empty()) {
    const bool is_chosen = std::ranges::any_of(files, [](const auto& file) { return !file.results.rows.empty(); });
    complain("nothing to export: " +
             (flags.filters.empty() || is_chosen ? "nothing was measured" : no_match(flags.filters, names)));
    return kNothing;
  }
  write_table(flags.output, table);
  return kDone;
}

}  // namespace

void add_export(Command& app) {
  Command& command = app.add_subcommand("export", "Make one table of result files, for pandas and spreadsheets");
  ExportFlags& flags = command.runs(export_files);
  command
      .add_option("files", flags.files, "Result files of cupel or of any Google Benchmark program, or folders of them")
      ->required();
  add_filter_flag(command, flags.filters);
  command.add_word("--level", flags.level, {ExportLevel::samples, ExportLevel::processes, ExportLevel::benchmarks},
                   "One line for each sample (samples, default), process (processes) or benchmark (benchmarks)");
  command.add_word("--format", flags.format, {ExportFormat::csv, ExportFormat::jsonl},
                   "csv (default), or jsonl: a JSON object a line");
  add_output_flag(command, flags.output);
  command.examples({{"cupel export results/nvidia-h200 --level processes -o h200.csv",
                     "Makes a line for each process of each benchmark"},
                    {"cupel export old.json new.json --format jsonl", "Makes an object for each sample of both"}});
  command.exits({{kNothing, "nothing was measured, or nothing matches"}});
}

}  // namespace cupel::cli
