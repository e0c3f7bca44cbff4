// `cupel advise`: which advice pays on the machine that a result file is from; and, with the profile of a step, what it
// would give to that.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/bands_folder.hpp"
#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cli/user_data.hpp"
#include "cupel/advice/net.hpp"
#include "cupel/advice/own_step.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/record/step_profile.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/foretell/foretell.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::cli {
namespace {

struct AdviseFlags {
  std::vector<std::string> files;
  std::vector<std::string> steps;
  std::optional<std::string> bands, folder;
  std::string output = "-";
  double tolerance_percent = 3;
  report::AdviseOptions how;
};

// The page that cupel run wrote beside its result, else the command that makes one; none of what was read from a pipe.
std::string page_of(const std::vector<std::string>& files) {
  if (std::ranges::find(files, "-") != files.end()) return "";
  std::filesystem::path beside = files.front();
  if (files.size() == 1 && beside.extension() == ".json") {
    if (std::filesystem::exists(beside.replace_extension(".html"))) return beside.string();
  }
  return fmt::format("cupel report {} --output page.html", files::arguments_text(files));
}

report::AdviseOptions options_of(const AdviseFlags& flags) {
  report::AdviseOptions options = flags.how;
  options.files = files::arguments_text(flags.files);
  options.page = page_of(flags.files);
  options.terminal = terminal_of(flags.output);
  options.rules.tolerance = flags.tolerance_percent / 100;
  return options;
}

// Throws UsageError with the nearest ids when there is no such piece.
void require_known(const std::string& id, const std::vector<report::AdvisedFile>& files) {
  std::vector<std::string> ids;
  for (const advice::AdviceResult& result : files.front().advice) ids.push_back(result.id);
  for (const report::AdvisedFile& file : files) {
    if (std::ranges::find(file.advice, id, &advice::AdviceResult::id) != file.advice.end()) return;
  }
  throw UsageError(fmt::format("there is no advice '{}'; {}", id, suggestions({id}, ids)));
}

// Throws UsageError with the nearest nets when no step of this one was measured.
void require_measured(const std::string& net, const std::vector<report::AdvisedFile>& files) {
  std::vector<std::string> nets;
  for (const report::AdvisedFile& file : files) {
    for (const std::string& one : advice::measured_nets(file.advice)) units::add_once(nets, one);
  }
  if (!units::contains(nets, net))
    throw UsageError(fmt::format("no training step of '{}' was measured; {}", net, suggestions({net}, nets)));
}

// Reads what one machine measured: a step is foretold for it. Throws UsageError, files::ReadError.
record::ResultSet read_machine(const std::vector<std::string>& names) {
  std::vector<figures::Run> runs = figures::read_runs(names, kComplain);
  if (runs.size() == 1) return std::move(runs.front().results);
  throw UsageError(fmt::format("a step is foretold for one machine, and there are {} runs: {}", runs.size(),
                               files::names_text(names)));
}

// Rows of another GPU foretell what the step would gain there, from times that it took here.
void warn_of_another_gpu(const std::string& path, const record::StepProfile& profile, const record::Context& context) {
  if (!context.device || profile.device.empty() || profile.device == context.device->name) return;
  complain(fmt::format("{}: the step was recorded on {}, the results are of {}", path, profile.device,
                       context.device->name));
}

int foretell(const AdviseFlags& flags) {
  const std::vector<std::string> paths = figures::files_of(flags.steps);
  std::vector<record::StepProfile> profiles;
  for (const std::string& path : paths) profiles.push_back(record::read_step_profile(path));
  const record::ResultSet results = read_machine(flags.files);
  const record::RunInfo& run = results.context.run;
  if (run.whole_processes || run.interrupted) {
    complain(fmt::format("{}: {}; cupel run --resume FILE goes on with it", files::names_text(flags.files),
                         run.whole_processes ? record::processes_text(run) : "interrupted"));
  }
  const foretell::Micro micro(figures::figures_of(results));
  for (std::size_t i = 0; i < profiles.size(); ++i) warn_of_another_gpu(paths[i], profiles[i], results.context);
  std::vector<foretell::ProfiledStep> steps;
  for (std::size_t i = 0; i < profiles.size(); ++i) steps.push_back({paths[i], {profiles[i], micro}});
  const report::ForetellOptions how{flags.how.format, {output_columns()}, flags.how.all};
  write_text(flags.output, report::foretell(steps, figures::machine_name(results.context), how));
  return kDone;
}

// Keeps what is unusual among the benchmarks of one piece of advice.
void keep_rows_of(const std::string& piece, const record::ResultSet& results, bands::Judgement& board) {
  std::set<std::string> names;
  for (const record::Row& row : results.rows) {
    const auto is_its = [&](const record::AdviceTag& tag) { return tag.id == piece; };
    if (std::ranges::any_of(row.advice, is_its)) names.insert(row.name);
  }
  bands::keep_benchmarks(board, [&](const std::string& name) { return names.contains(name); });
}

// A change of a step, as tables of steps name it, is asked for by its piece: pinned_copies is pin-memory.
std::string piece_of(const std::string& id) {
  const catalogue::Catalogue& catalogue = catalogue::built_in();
  const std::string made = catalogue.find(id) == nullptr ? catalogue.made_by(id) : "";
  return made.empty() ? id : made;
}

int advise(const AdviseFlags& asked) {
  AdviseFlags flags = asked;
  if (flags.files.empty()) flags.files = {newest_run()};
  add_family_advice(flags.folder);
  flags.how.only = piece_of(flags.how.only);
  if (!flags.steps.empty()) return foretell(flags);
  if (!units::contains(report::kAdviseFormats, flags.how.format)) {
    throw UsageError(fmt::format("{} is for steps: --step FILE", record::to_string(flags.how.format)));
  }
  const report::AdviseOptions options = options_of(flags);
  std::vector<report::AdvisedFile> files;
  bool any_tagged = false;
  for (const figures::Run& run : figures::read_runs(flags.files, kComplain)) {
    any_tagged = any_tagged || advice::has_advice(run.results);
    bands::Judgement board = judge_board(run.results, flags.bands);
    if (!options.only.empty()) keep_rows_of(options.only, run.results, board);
    const std::string names = files::names_text(run.files);
    files.push_back(report::advised_file(names, run.results, options.rules, board));
  }
  if (!options.only.empty()) require_known(options.only, files);
  if (!options.rules.net.empty()) require_measured(options.rules.net, files);
  if (!any_tagged) {
    complain(
        fmt::format("nothing in {} belongs to a piece of advice; cupel run --quick measures what does, and "
                    "cupel show {} has the figures",
                    files::names_text(flags.files), files::arguments_text(flags.files)));
    return kNothing;
  }
  write_text(flags.output, report::advise(files, options));
  return kDone;
}

}  // namespace

void add_advise(Command& app) {
  Command& command = app.add_subcommand("advise", "Say which advice pays, by how much and from which size on");
  AdviseFlags& flags = command.runs(advise);
  command.add_option(
      "files", flags.files,
      "Result files, or folders of them (default: the newest run); of several machines the same advice is "
      "shown side by side");
  command.group("Which advice");
  const Option* only =
      command.add_option("--advice ID", flags.how.only, "One piece of advice with all its points, e.g. pin-memory");
  const Option* by =
      command.add_option("--by NET", flags.how.rules.net, "Rank by the training step of this net, e.g. resnet18_224")
          ->offers(advice::net_names());
  command.add_flag("--verdicts", flags.how.verdicts, "A table for each verdict, and how to apply the first changes");
  command.add_flag("--all", flags.how.all,
                   "Every piece with all its points; with --step, also those without a forecast");
  command.add_flag("--notes", flags.how.notes, "What may have changed these numbers, and what to do about it");
  command.add_flag("--legend", flags.how.legend, "What the columns mean, and how the figures were made");
  command
      .add_option("--tolerance", flags.tolerance_percent,
                  "Call a gain or loss of up to so many percent no difference (default 3 %)")
      ->percent(kLeastPercent, kMostPercent);
  command.group("Of a training step");
  command
      .add_option(
          "--step FILE", flags.steps,
          "Profile of a training step, or a folder of them: what each piece would give to it, in ms, foretold from the "
          "result files")
      ->repeatable()
      ->excludes(only)
      ->excludes(by);
  command.group("Output");
  command.add_word("--format", flags.how.format, report::kForetellFormats,
                   "text (default), markdown, json, or csv of steps");
  add_bands_flag(command, flags.bands);
  add_bench_dir_flag(command, flags.folder);
  add_output_flag(command, flags.output);
  command.examples(
      {{"cupel advise host.json", "Says what pays on the machine that was measured"},
       {"cupel advise results/nvidia-h200 --step step.json", "Foretells what each piece gives to a step"}});
  command.exits({{kNothing, "nothing in the files belongs to a piece of advice"}});
}

}  // namespace cupel::cli
