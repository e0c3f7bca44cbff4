// `cupel show`: the figures of a result file.
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
#include "cupel/figures/names.hpp"
#include "cupel/figures/runs.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/report/show/show.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {
namespace {

struct ShowFlags {
  std::string file, output = "-";
  std::vector<std::string> families, filters;
  std::optional<std::string> bands;
  bool noise = false, items = false;
  report::ShowOptions how;
};

bool is_whole_folder(const ShowFlags& flags) {
  return std::filesystem::is_directory(flags.file) && flags.families.empty() && flags.filters.empty();
}

// A whole folder of which no form was asked for.
bool wants_overview(const ShowFlags& flags) {
  return flags.how.format == report::Format::text && is_whole_folder(flags) && !flags.how.all && !flags.how.flat &&
         !flags.how.legend && flags.how.across.empty() && flags.how.metric == report::Metric::automatic &&
         flags.how.sort == report::Sort::file;
}

// "transfer" and "transfer/h2d" and each whole name of a benchmark are of the family transfer.
bool is_of(const std::string& family, const std::string& name) {
  return name == family || name.starts_with(family + "/");
}

bool is_of_families(const record::Row& row, const ShowFlags& flags) {
  const auto is_asked = [&](const std::string& family) { return is_of(family, row.name); };
  return flags.families.empty() || std::ranges::any_of(flags.families, is_asked);
}

// "it has gemm, conv", of the name of an operation "nearest: gemm/square".
std::string families_there(const record::ResultSet& wanted, const ShowFlags& flags, const std::string& asked) {
  const bool is_folder = std::filesystem::is_directory(flags.file);  // of which some files may have been left out
  std::vector<std::string> families, operations;
  const record::ResultSet all = is_folder ? figures::read_run(flags.file).results : wanted;
  for (const record::Row& row : all.rows) {
    units::add_once(families, figures::family_of(row.name));
    units::add_once(operations, figures::operation_of(row.name));
  }
  return asked.find('/') == asked.npos ? "it has " + units::joined(families) : suggestions({asked}, operations);
}

// The names of the benchmarks that were asked for; nothing, and why, where there are none.
std::optional<std::set<std::string>> chosen(const record::ResultSet& results, const ShowFlags& flags) {
  const runner::Filters filters(flags.filters);
  std::vector<std::string> of_families;
  std::set<std::string> names;
  for (const record::Row& row : results.rows) {
    if (!is_of_families(row, flags)) continue;
    of_families.push_back(row.name);
    if (flags.filters.empty() || filters.choose({row.name, row.printed_name})) names.insert(row.name);
  }
  for (const std::string& family : flags.families) {
    if (std::ranges::any_of(of_families, [&](const std::string& name) { return is_of(family, name); })) continue;
    complain(fmt::format("{} has no {} '{}'; {}{}", files::names_text({flags.file}),
                         family.find('/') == family.npos ? "family" : "benchmark", family,
                         families_there(results, flags, family), several_filters(flags.filters)));
    return std::nullopt;
  }
  if (!names.empty()) return names;
  complain(no_match(flags.filters, of_families, files::names_text({flags.file})));
  return std::nullopt;
}

std::vector<std::string> parameters(const record::ResultSet& results) {
  std::vector<std::string> names;
  for (const record::Row& row : results.rows) {
    for (const auto& [name, value] : units::parameters_of(row.name)) units::add_once(names, name);
  }
  return names;
}

// --noise and --items list no figures, which the other formats are made of.
bool has_noise_and_items(report::Format format) { return report::is_page(format) || format == report::Format::json; }

void require_offered(const ShowFlags& flags) {
  const std::string instead = flags.noise ? "--noise" : flags.items ? "--items" : "";
  if (instead.empty() || has_noise_and_items(flags.how.format)) return;
  std::vector<const char*> offered;
  for (const report::Format format : report::kShowFormats) {
    if (has_noise_and_items(format)) offered.push_back(record::to_string(format));
  }
  throw UsageError(fmt::format("{} has no format {}; it has {}", instead, record::to_string(flags.how.format),
                               units::joined(offered)));
}

// --across, --metric and --flat choose among tables and lists, which only pages have.
void require_tables(const ShowFlags& flags) {
  const std::string asked = !flags.how.across.empty()                       ? "--across"
                            : flags.how.metric != report::Metric::automatic ? "--metric"
                            : flags.how.flat                                ? "--flat"
                                                                            : "";
  if (asked.empty() || report::is_page(flags.how.format)) return;
  throw UsageError(fmt::format("{} is for tables, and --format {} has every figure in a line of its own", asked,
                               record::to_string(flags.how.format)));
}

// Whether a chosen benchmark has what --metric asks for.
bool has_metric(const record::ResultSet& results, const report::ShowOptions& options) {
  if (options.metric == report::Metric::automatic) return true;
  return std::ranges::any_of(figures::figures_of(results), [&](const figures::Figure& figure) {
    if (options.keep && !options.keep(figure.name)) return false;
    if (options.metric == report::Metric::time) return figure.time.has_value();
    return figure.rate && (options.metric == report::Metric::rate || figure.rate->share_of_limit());
  });
}

// A file, or of a folder the files that have what was asked for.
record::ResultSet read_wanted(const ShowFlags& flags) {
  if (flags.families.empty() && flags.filters.empty()) return figures::read_run(flags.file).results;
  const runner::Filters filters(flags.filters);
  const auto is_wanted = [&](const record::Row& row) {
    return is_of_families(row, flags) && filters.choose({row.name, row.printed_name});
  };
  return figures::read_run(flags.file, is_wanted).results;
}

int show_items(const record::ResultSet& results, const report::ShowOptions& options, const ShowFlags& flags) {
  const std::string text = report::show_items(results, options);
  if (text.empty()) {
    complain(fmt::format("no benchmark chosen of {} tried items one by one", files::names_text({flags.file})));
    return kNothing;
  }
  write_text(flags.output, text);
  return kDone;
}

// A second file in the place of a family.
void require_families(const std::vector<std::string>& families) {
  for (const std::string& family : families) {
    const bool is_there = family.find('/') != std::string::npos && std::filesystem::exists(family);
    if (family.find('.') == std::string::npos && !is_there) continue;
    throw UsageError(fmt::format("show takes one file or folder, and families of it: {} is no family", family));
  }
}

int show(const ShowFlags& asked) {
  ShowFlags flags = asked;
  if (flags.file.empty()) flags.file = newest_run();
  require_families(flags.families);
  require_offered(flags);
  require_tables(flags);
  const record::ResultSet results = read_wanted(flags);
  if (results.rows.empty()) {
    complain(fmt::format("{} is a result file without benchmarks: {}nothing was measured",
                         files::names_text({flags.file}),
                         results.context.run.interrupted ? "its run was interrupted before " : ""));
    return kNothing;
  }
  report::ShowOptions options = flags.how;
  options.terminal = terminal_of(flags.output);
  options.typed = files::arguments_text({flags.file});
  options.brief = wants_overview(flags);
  if (is_whole_folder(flags)) options.file = files::arguments_text({flags.file});
  if (!flags.filters.empty() || !flags.families.empty()) {
    const std::optional<std::set<std::string>> names = chosen(results, flags);
    if (!names) return kNothing;
    options.keep = [names = *names](const std::string& name) { return names.contains(name); };
  }
  if (!flags.how.across.empty() && !units::contains(parameters(results), flags.how.across)) {
    complain(fmt::format("no name in {} has a parameter '{}'; there are: {}", files::names_text({flags.file}),
                         flags.how.across, units::joined(parameters(results))));
    return kNothing;
  }
  if (!has_metric(results, options)) {
    throw UsageError(fmt::format("--metric {}: no benchmark chosen of {} has {}", record::to_string(flags.how.metric),
                                 files::names_text({flags.file}),
                                 flags.how.metric == report::Metric::time   ? "a time"
                                 : flags.how.metric == report::Metric::rate ? "a rate"
                                                                            : "a limit that it is held against"));
  }
  if (flags.noise) {
    write_text(flags.output, report::show_noise(results, options));
    return kDone;
  }
  if (flags.items) return show_items(results, options, flags);
  options.board = judge_board(results, flags.bands);
  if (options.keep) bands::keep_benchmarks(options.board, options.keep);
  const std::string text = report::show(results, options);
  if (text.empty()) {
    complain(fmt::format("no benchmark chosen of {} is a training step to which changes were added",
                         files::names_text({flags.file})));
    return kNothing;
  }
  write_text(flags.output, text);
  return kDone;
}

}  // namespace

void add_show(Command& app) {
  Command& command = app.add_subcommand("show", "Show the figures of a result file");
  ShowFlags& flags = command.runs(show);
  command.add_option("file", flags.file,
                     "Result file of cupel or of any Google Benchmark program, or a folder of the files of one run "
                     "(default: the newest run)");
  command.add_option("families", flags.families,
                     "Families, beginnings of names, or one whole name, whose processes are shown too (default: all)");
  command.group("Which benchmarks");
  add_filter_flag(command, flags.filters);
  command.add_flag("--all", flags.how.all, "Skipped benchmarks and second series (hot beside cold) too");
  command.group("How they are shown");
  using report::Metric, report::Sort;
  command.add_word("--sort", flags.how.sort, {Sort::file, Sort::name, Sort::time},
                   "file (default: as measured), name, or time (slowest first)");
  command.add_word("--format", flags.how.format, report::kShowFormats,
                   "text (default), markdown, csv, json, openmetrics, or svg: a picture of the first training step");
  Option* flat = command.add_flag("--flat", flags.how.flat, "A line for each benchmark, however many there are");
  command
      .add_option("--across PARAMETER", flags.how.across,
                  "Tables with the values of this parameter as columns, e.g. precision")
      ->excludes(flat);
  command
      .add_word("--metric", flags.how.metric, {Metric::rate, Metric::time, Metric::limit},
                "Tables of rate, time, or share of the limit in percent (limit)")
      ->excludes(flat);
  const Option* noise =
      command.add_flag("--noise", flags.noise,
                       "Instead: how well figures repeat, why sampling stopped, the clock, and the harness's overhead");
  command
      .add_flag("--items", flags.items,
                "Instead: what benchmarks tried one by one, the fastest first, e.g. every engine of conv/engines")
      ->excludes(noise);
  command.add_flag("--legend", flags.how.legend, "What the columns mean, below the tables");
  command.group("Output");
  add_bands_flag(command, flags.bands);
  add_output_flag(command, flags.output);
  command.examples(
      {{"cupel show results/nvidia-h200 gemm", "Shows the figures of one family of a folder"},
       {"cupel show results/nvidia-h200/gemm.json.gz --across precision", "Shows a column for each precision"}});
  command.exits({{kNothing, "the file has nothing to show, or nothing matches"}});
}

}  // namespace cupel::cli
