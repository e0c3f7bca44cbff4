// `cupel bands`: of which boards bands are made. `add` takes a site's own boards.
#include <fmt/core.h>

#include <stdexcept>

#include "cli/bands_folder.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cli/user_data.hpp"
#include "cupel/bands/store.hpp"
#include "cupel/figures/facts.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/report/bands/bands.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {
namespace {

struct BandsFlags {
  std::vector<std::string> files;
  std::optional<std::string> folder;
  std::string output = "-";
  report::Format format = report::Format::text;
  bool quiet = false;
};

// That folder, else $CUPEL_BANDS, else cupel/bands in $XDG_DATA_HOME or ~/.local/share; empty where there is no home.
std::string bands_folder(const std::optional<std::string>& named) {
  if (named) return *named;
  if (const std::string folder = absolute_variable("CUPEL_BANDS"); !folder.empty()) return folder;
  return data_folder("bands");
}

std::string kept(const std::string& folder, const figures::Suite& suite, const std::string& origin) {
  try {
    return bands::keep_board(folder, suite).string();
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("{} {}", origin, problem.what()));
  }
}

// Says how many boards count now; a board that was known counts as before.
std::string count_text(const bands::Bands& before, const bands::Bands& after) {
  const std::string boards = units::counted(std::ssize(after.boards), "board");
  if (after.boards.size() > before.boards.size()) return boards + " of the model now";
  return fmt::format("known already, so its new times take the place of the old ones: {} of the model, as before",
                     boards);
}

int add_boards(const BandsFlags& flags) {
  const std::string folder = bands_folder(flags.folder);
  if (folder.empty()) throw UsageError("there is no home to keep bands in; say --bands DIR");
  runner::check_folder(folder, 1 << 20);
  for (const std::string& path : figures::files_of(flags.files)) {
    const figures::Suite suite = figures::read_suite(path);
    const std::string model = figures::model_of(suite.context);
    const bands::Bands before = bands::bands_of_model(folder, model);
    const std::string file = kept(folder, suite, files::shown_path(path));
    if (flags.quiet) continue;
    print(units::visible_lines(fmt::format("{}: {} of {}; {}", file, figures::board_of(suite.context),
                                           files::shown_path(path),
                                           count_text(before, bands::bands_of_model(folder, model)))) +
          "\n");
  }
  return kDone;
}

int list_boards(const BandsFlags& flags) {
  const std::vector<bands::Bands> all = bands::read_bands(bands_folder(flags.folder));
  write_text(flags.output, report::bands_list(all, flags.format, terminal_of(flags.output)));
  return kDone;
}

}  // namespace

void add_bands_flag(Command& command, std::optional<std::string>& folder) {
  command.add_option("--bands DIR", folder, "Folder of your own boards' bands (default ~/.local/share/cupel/bands)");
}

bands::Bands bands_of_model(const std::string& model, const std::optional<std::string>& folder) {
  return bands::bands_of_model(bands_folder(folder), model);
}

bands::Judgement judge_board(const record::ResultSet& results, const std::optional<std::string>& folder) {
  return bands::judge(bands_folder(folder), results);
}

void add_bands(Command& app) {
  Command& command = app.add_subcommand("bands", "List the GPU models whose usual times are known");
  BandsFlags& flags = command.runs(list_boards);
  add_bands_flag(command, flags.folder);
  command.add_word("--format", flags.format, report::kBandsFormats, "text (default), markdown or html");
  add_output_flag(command, flags.output);
  command.examples({{"cupel bands", "Lists the boards that others are held against"},
                    {"cupel bands add host.json", "Takes a board of your own"}});
  command.exits({});

  Command& adding = command.add_subcommand("add", "Add boards of your own, so that results are compared with them");
  BandsFlags& add_flags = adding.runs(add_boards);
  adding.add_option("files", add_flags.files, "Result files, or folders of them, of boards that are as they should be")
      ->required();
  add_bands_flag(adding, add_flags.folder);
  adding.add_flag("-q,--quiet", add_flags.quiet, "Do not print what was added");
  adding.examples({{"cupel bands add results/nvidia-h200", "Takes the boards of all files of a folder"},
                   {"cupel bands add host.json --bands bands", "Takes a board into a folder of its own"}});
  adding.exits({});
}

}  // namespace cupel::cli
