// `cupel submit`: makes a bundle of results that may stand beside those of others, and checks such a bundle.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "cli/bands_folder.hpp"
#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/record/json.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/plan.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/submit/bundle.hpp"
#include "cupel/submit/check.hpp"
#include "cupel/submit/precedents.hpp"
#include "cupel/submit/publish.hpp"
#include "cupel/units/colour.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/wrap.hpp"
#include "cupel/version.hpp"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct SubmitFlags {
  std::vector<std::string> files, known;
  std::optional<std::string> output, revisions, bands;
  bool check = false, quiet = false;
};

std::string own_host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

submit::Known known_beside(const SubmitFlags& flags) {
  submit::Known known;
  known.now = runner::utc_iso();
  if (!flags.revisions) return known;
  known.revisions = units::split(files::read_file(*flags.revisions), '\n');
  std::erase(*known.revisions, "");
  if (known.revisions->empty())
    throw UsageError(fmt::format("--revisions: {} names none", files::shown_path(*flags.revisions)));
  return known;
}

// Uses each result below the folders but for those of the bundles themselves.
template <class Use>
void each_known(const SubmitFlags& flags, const Use& use) {
  for (const std::string& folder : flags.known) {
    if (!fs::is_directory(folder)) throw UsageError(fmt::format("--known: {} is no folder", folder));
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      const std::string path = entry.path().string();
      if (!entry.is_regular_file() || !(path.ends_with(".json") || path.ends_with(".json.gz"))) continue;
      const auto is_own = [&](const std::string& own) {
        std::error_code error;
        return fs::equivalent(own, path, error) || fs::equivalent(own, entry.path().parent_path(), error);
      };
      if (std::ranges::none_of(flags.files, is_own)) use(path, record::read_any(path).results);
    }
  }
}

// The families that this build can list; none of a changed build, whose lists are of no revision.
std::vector<runner::Family> own_families() {
  const BuildInfo& build = build_info();
  if (build.git_dirty || *build.git_revision == '\0') return {};
  try {
    return families({});
  } catch (const std::invalid_argument&) {
    return {};  // a build without benchmarks
  }
}

std::vector<submit::Precedent> own_lists(const std::set<std::string>& of, const std::string& profile) {
  std::vector<runner::Family> there = own_families();
  runner::Settings settings;
  settings.profile = profile;
  std::vector<submit::Precedent> lists;
  for (const auto& family : runner::make_plan(there, settings, {{of.begin(), of.end()}, {}, {}}).families) {
    submit::Precedent& list = lists.emplace_back();
    list.origin = "this cupel's own list";
    list.revision = build_info().git_revision;
    list.profile = profile;
    for (const record::ListedBenchmark& benchmark : family.benchmarks) list.benchmarks[benchmark.name];
  }
  return lists;
}

std::set<std::string> families_of(const record::ResultSet& results) {
  std::set<std::string> families;
  for (const record::Row& row : results.rows) families.insert(row.family);
  return families;
}

void say_refused(const std::string& of, const std::string& why) {
  const std::string word = "refused";
  complain(of, runner::has_colour(stderr) ? units::in_colour(word, units::Colour::red) : word, ": " + why);
}

// Says all of one result, and whether it is taken. A cause or what is unusual is a label: it decides nothing.
class Examination {
 public:
  explicit Examination(const SubmitFlags& flags)
      : flags_(flags), known_(known_beside(flags)), precedents_(known_.revisions.value_or(std::vector<std::string>())) {
    each_known(flags, [&](const std::string& path, const record::ResultSet& results) {
      copies_.add(path, results);
      const record::Build& build = results.context.build;
      if (!build.git_dirty && !build.git_revision.empty()) precedents_.add(submit::precedent_of(path, results));
    });
  }

  bool takes(const std::string& text, const std::string& name, const record::ResultSet& results,
             std::vector<std::string> refused) {
    std::ranges::move(submit::refusals(text, results, known_), std::back_inserter(refused));
    std::ranges::move(copies_.found(results), std::back_inserter(refused));
    const submit::Precedents& precedents = precedents_for(results);
    std::ranges::move(precedents.refusals(results), std::back_inserter(refused));
    copies_.add(name, results);
    for (const std::string& why : refused) say_refused(name + ": ", why);
    if (!flags_.quiet) print(units::wrap_lines(described(name, results, precedents.doubts(results)), output_columns()));
    return refused.empty();
  }

 private:
  // With this build's own lists of the families, if it has any.
  const submit::Precedents& precedents_for(const record::ResultSet& results) {
    std::set<std::string> families = families_of(results);
    const std::string& profile = results.context.run.profile;
    std::erase_if(families, [&](const std::string& family) { return !listed_.insert({family, profile}).second; });
    if (families.empty()) return precedents_;
    for (submit::Precedent& list : own_lists(families, profile)) precedents_.add(std::move(list));
    return precedents_;
  }

  std::string described(const std::string& name, const record::ResultSet& results,
                        const std::vector<std::string>& doubts) {
    const record::Context& context = results.context;
    std::set<std::string> names;
    for (const record::Row& row : results.rows) names.insert(row.name);
    std::string text =
        fmt::format("{}: {}, {} profile of {}, {}, cupel {}\n", name, context.device ? context.device->name : "no GPU",
                    context.run.profile, record::processes_text(context.run),
                    units::counted(std::ssize(names), "benchmark"), figures::shortened(context.build.git_revision, 12));
    const bands::Judgement board = judge_board(results, flags_.bands);
    std::vector<figures::Cause> labels = figures::causes(results);
    std::ranges::move(bands::unusual_causes(board, {}, 1), std::back_inserter(labels));
    for (const figures::Cause& label : labels) text += label_text(label.what);
    for (const std::string& doubt : doubts) text += label_text(doubt);
    if (const std::string usual = bands::usual_text(board); !usual.empty()) text += fmt::format("  {}\n", usual);
    return text;
  }

  std::string label_text(const std::string& what) {
    return fmt::format("  {}: {}\n", std::exchange(label_, "label"), what);
  }

  const SubmitFlags& flags_;
  submit::Known known_;
  submit::Copies copies_;
  submit::Precedents precedents_;
  std::set<std::pair<std::string, std::string>> listed_;  // families and profiles
  const char* label_ = "label (decides nothing)";         // the first says what it is
};

// Names what nobody could look at, since it was not given.
void say_what_was_not_checked(const SubmitFlags& flags) {
  if (!flags.revisions) say("not checked without --revisions: whether cupel's revision is one of the main branch");
  if (flags.known.empty())
    say("not checked without --known: whether the results are there already, and whole, and within known limits");
}

// "nvidia-h200-1a2b3c4d": the model, and the board as it is published.
std::string default_folder(const record::Context& published) {
  const std::string board = figures::board_of(published);
  return units::slug(published.device->name + " " + board.substr(board.find('-') + 1));
}

int make_bundle(const SubmitFlags& flags) {
  Examination examination(flags);
  std::vector<submit::BundleFile> bundle;
  std::set<std::string> models;
  std::string folder;
  bool all_taken = true;
  for (const std::string& file : figures::files_of(flags.files)) {
    const std::string text = files::read_file(file, submit::kLargestResult);
    const record::ResultSet results = record::from_json(text, files::shown_path(file));
    if (!examination.takes(text, files::shown_path(file), results, {})) {
      all_taken = false;
      continue;
    }
    const record::ResultSet published = submit::published(results, {own_host_name()});
    models.insert(figures::model_of(published.context));
    if (folder.empty()) folder = flags.output.value_or(default_folder(published.context));
    bundle.push_back({submit::file_name(results), record::to_json(published)});
  }
  say_what_was_not_checked(flags);
  if (!all_taken) return kUsage;
  if (models.size() > 1) {
    throw UsageError(fmt::format("a bundle holds results of one model; these are of {} models: {}", models.size(),
                                 fmt::join(models, "; ")));
  }
  submit::write_bundle(folder, bundle);
  print(fmt::format("{}: {}. Nothing was sent.\n", folder, units::counted(std::ssize(bundle), "file")));
  if (!flags.quiet) {
    print(
        units::wrap_lines(fmt::format("next: look at what it holds (zcat {}/*.json.gz | less), then send it in a pull "
                                      "request as results/{}; results/CONTRIBUTING.md says how\n",
                                      folder, fs::path(folder).filename().string()),
                          output_columns()));
  }
  return kDone;
}

bool is_taken(Examination& examination, const std::string& folder) {
  bool all_taken = true;
  for (const submit::BundleFile& file : submit::read_bundle(folder)) {
    const std::string name = (fs::path(folder) / file.name).string();
    const record::ResultSet results = record::from_json(file.text, name);
    std::vector<std::string> refused = submit::left_in(results);
    if (const std::string own = submit::file_name(results); own != file.name)
      refused.push_back(fmt::format("holds other families than its name says; it would be {}", own));
    all_taken = examination.takes(file.text, name, results, std::move(refused)) && all_taken;
  }
  return all_taken;
}

int check_bundles(const SubmitFlags& flags) {
  if (flags.output) throw UsageError("--output names the bundle to make, and --check makes none");
  Examination examination(flags);
  bool all_taken = true;
  for (const std::string& folder : flags.files) {
    try {
      all_taken = is_taken(examination, folder) && all_taken;
    } catch (const files::ReadError& error) {
      say_refused("", error.what());
      all_taken = false;
    }
  }
  say_what_was_not_checked(flags);
  return all_taken ? kDone : kUsage;
}

int submit_results(const SubmitFlags& flags) { return flags.check ? check_bundles(flags) : make_bundle(flags); }

}  // namespace

void add_submit(Command& app) {
  Command& command = app.add_subcommand("submit", "Make a bundle of results for others, or check one");
  SubmitFlags& flags = command.runs(submit_results);
  command.add_option("files", flags.files, "Result files, or folders of them; with --check bundles")->required();
  command.add_flag("--check", flags.check, "Check bundles, as those who receive them do");
  command.add_option("-o,--output DIR", flags.output, "The bundle, a new folder (default MODEL-BOARD)");
  command
      .add_option("--known DIR", flags.known,
                  "Folder with the results that are there already, in folders too: none may be sent twice, nor lack "
                  "what those of its revision have")
      ->repeatable();
  command.add_option(
      "--revisions FILE", flags.revisions,
      "Revisions of cupel that are known, a line each, newest first, as git rev-list prints them; - is standard input");
  add_bands_flag(command, flags.bands);
  command.add_flag("-q,--quiet", flags.quiet, "Print only why something is refused, and the bundle's name");
  command.examples(
      {{"cupel submit gemm.json conv.json", "Makes a bundle without the names of host, node and board"},
       {"cupel submit --check bundle --revisions revisions.txt --known results", "Says whether it is taken"}});
  command.exits({{kUsage, "wrong usage, or a result that is refused: each reason is said"}});
}

}  // namespace cupel::cli
