#include "cupel/report/show/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/figures/causes.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/figures/standing.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/bands/bands.hpp"
#include "cupel/report/show/formats.hpp"
#include "cupel/report/show/figure_list.hpp"
#include "cupel/report/show/items.hpp"
#include "cupel/report/show/pivot.hpp"
#include "cupel/report/show/pivot_table.hpp"
#include "cupel/report/show/waterfall.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/machine.hpp"
#include "cupel/report/text/table.hpp"
#include "cupel/report/text/wrap.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

std::vector<figures::Figure> chosen(const record::ResultSet& results, const ShowOptions& options) {
  std::vector<figures::Figure> all = figures::figures_of(results);
  if (options.keep) std::erase_if(all, [&](const figures::Figure& figure) { return !options.keep(figure.name); });
  for (const bands::Unusual& unusual : options.board.benchmarks) {
    const auto marked = std::ranges::find_if(
        all, [&](const figures::Figure& figure) { return figure.is_main && figure.name == unusual.name; });
    if (marked != all.end()) marked->caveats.push_back(unusual_mark(unusual));
  }
  if (options.sort == Sort::name) {
    std::ranges::stable_sort(
        all, [](const figures::Figure& a, const figures::Figure& b) { return figures::natural_less(a.name, b.name); });
  } else if (options.sort == Sort::time) {
    std::ranges::stable_sort(all, [](const figures::Figure& a, const figures::Figure& b) {
      return (a.time ? a.time->location_s : -1) > (b.time ? b.time->location_s : -1);
    });
  }
  return all;
}

bool only_skipped(const figures::Figure& figure) { return figure.ok == 0 && figure.failed == 0; }

// The versions of libraries that the run loaded: of the others only the headers' are known.
std::string library_versions(const record::Context& context) {
  std::vector<std::string> versions;
  for (const record::Library& library : context.libraries) {
    if (!library.loaded.empty()) versions.push_back(library.name + " " + library.loaded);
  }
  return fmt::format("{}", fmt::join(versions, ", "));
}

// What measuring cost on the device, and what the choice of a stream gained.
std::string timing_text(const record::Calibration& calibration) {
  std::string text = fmt::format("event pairs cost {} around a kernel, {} around a copy",
                                 units::format_duration(calibration.event_floor_kernel_s),
                                 units::format_duration(calibration.event_floor_copy_s));
  if (calibration.shortest_kernel_s && calibration.shortest_copy_s) {
    text += fmt::format(", beside the {} and {} that the shortest takes ({})",
                        units::format_duration(*calibration.shortest_kernel_s),
                        units::format_duration(*calibration.shortest_copy_s), calibration.shortest_source);
  }
  const double slowest_s = calibration.slowest_launch_spacing_s.value_or(0);
  if (slowest_s <= 0 || !calibration.launch_spacing_s) return text;
  return text + fmt::format("; on the stream chosen short kernels follow {} sooner than on the slowest tried",
                            units::format_percent(1 - *calibration.launch_spacing_s / slowest_s));
}

constexpr std::size_t kFactIndent = 9;

std::vector<std::string> escaped(std::vector<std::string> lines) {
  for (std::string& line : lines) line = escape_text(line);
  return lines;
}

// What was measured on and how, one fact a line.
std::vector<std::string> header(const record::Context& context) {
  const record::RunInfo& run = context.run;
  const std::string& revision = context.build.git_revision;
  std::vector<std::string> lines;
  if (context.device) {
    lines.push_back("device   " + device_text(*context.device));
    if (const std::string versions = library_versions(context); !versions.empty()) {
      lines.push_back("with     " + versions);
    }
    if (context.calibration) lines.push_back("timing   " + timing_text(*context.calibration));
  }
  lines.push_back("host     " + host_text(context.host) + (context.host.container ? ", in a container" : ""));
  if (context.build.version.empty()) {
    lines.push_back(fmt::format("run      {}, repetitions of one process of a Google Benchmark program", run.started));
    return escaped(lines);
  }
  lines.push_back(fmt::format("run      {}, {} profile, {}, seed {}, timer {}", run.started, run.profile,
                              record::processes_text(run), run.seed, run.timer));
  lines.push_back("cupel    " + context.build.version);
  if (!revision.empty()) {
    lines.back() += " (" + figures::shortened(revision, 12) + (context.build.git_dirty ? ", changed)" : ")");
  }
  return escaped(lines);
}

// What takes from the worth of the whole file; what bears on single figures stands beside them.
std::vector<std::string> warnings(const record::ResultSet& results) {
  static const std::set<std::string> kOfTheFile{"debug-library", "debug-build", "interrupted",
                                                "not-ended",     "ended-badly", "busy-host"};
  std::vector<std::string> lines;
  for (const figures::Cause& cause : figures::causes(results)) {
    if (kOfTheFile.contains(cause.id)) lines.push_back(cause.what + " " + cause.remedy);
  }
  return escaped(lines);
}

bool is_listed(const figures::Figure& figure, const ShowOptions& options) {
  return options.all || (!only_skipped(figure) && figure.is_main);
}

// A list of this many lines is still taken in at a glance, with its intervals and limits.
constexpr std::size_t kShortList = 8;

// The table of a group that is better read as one: of many lines, or of lines that are too long.
std::optional<PivotTable> table_of(const Alike& group, const ShowOptions& options) {
  const bool asked = !options.across.empty() || options.metric != Metric::automatic;
  const auto listed = static_cast<std::size_t>(
      std::ranges::count_if(group.members, [&](const figures::Figure* member) { return is_listed(*member, options); }));
  const bool wide = std::ranges::any_of(group.members, [&](const figures::Figure* member) {
    return is_listed(*member, options) && too_wide(*member, options.columns);
  });
  if (!asked && !wide && listed <= kShortList) return std::nullopt;
  std::vector<std::string> candidates = across_candidates(group);
  if (!options.across.empty()) candidates = {options.across};
  for (const std::string& across : candidates) {
    const std::optional<Pivot> turned = pivot(group, across);
    std::optional<PivotTable> table = turned ? PivotTable::of(*turned, options.metric) : std::nullopt;
    const std::size_t lines = table ? table->lines(options.columns) : 0;
    if (lines > 0 && (asked || lines < listed)) return table;
  }
  return std::nullopt;
}

// The figures in their order: lists, and tables between them.
struct Section {
  std::optional<PivotTable> table;  ///< else a list
  std::string remark;
  Table list;
};

class Sections {
 public:
  Sections(const std::vector<figures::Figure>& all, const ShowOptions& options)
      : figures_(all), options_(options), grouped_(options.sort != Sort::time) {
    if (!options.flat && !options.all && grouped_) find_tables();
    for (const figures::Figure* figure : in_order()) add(*figure);
    end_lines();
  }

  const std::vector<Section>& all() const { return sections_; }
  bool has_table() const { return !table_of_.empty(); }
  bool mix_modes() const { return mix_modes_; }

  // Skips that a footnote tells of.
  bool tells_of(const figures::Figure& figure) const {
    const auto found = table_of_.find(&figure);
    if (found == table_of_.end()) return false;
    const auto& members = tables_[found->second].members();
    return std::ranges::find(members, &figure) != members.end();
  }

 private:
  // As they are, but that operations stay together.
  std::vector<const figures::Figure*> in_order() const {
    std::map<std::string, std::size_t> first;
    std::vector<const figures::Figure*> ordered;
    for (const figures::Figure& figure : figures_) {
      first.try_emplace(figure.operation, first.size());
      ordered.push_back(&figure);
    }
    if (!grouped_) return ordered;
    std::ranges::stable_sort(ordered, [&](const figures::Figure* a, const figures::Figure* b) {
      return first.at(a->operation) < first.at(b->operation);
    });
    return ordered;
  }

  void find_tables() {
    for (const Alike& group : alike(figures_)) {
      Alike of_figures{group.operation, group.parameters, {}};
      std::ranges::copy_if(group.members, std::back_inserter(of_figures.members),
                           [](const figures::Figure* member) { return member->is_main; });
      std::optional<PivotTable> table = table_of(of_figures, options_);
      if (!table) continue;
      for (const figures::Figure* member : group.members) table_of_[member] = tables_.size();
      tables_.push_back(std::move(*table));
    }
    placed_.resize(tables_.size());
  }

  void add(const figures::Figure& figure) {
    if (const auto found = table_of_.find(&figure); found != table_of_.end()) {
      if (placed_[found->second]) return;
      placed_[found->second] = true;
      end_lines();
      const PivotTable& table = tables_[found->second];
      mix_modes_ = mix_modes_ || table.mixes_modes();
      sections_.push_back({table, shared_remark(table.members()), empty_list(grouped_)});
      return;
    }
    if (!is_listed(figure, options_)) return;
    if (grouped_ && !lines_.empty() && lines_.front()->operation != figure.operation) end_lines();
    lines_.push_back(&figure);
  }

  void end_lines() {
    if (lines_.empty()) return;
    if (sections_.empty() || sections_.back().table) sections_.push_back({std::nullopt, "", empty_list(grouped_)});
    Table& list = sections_.back().list;
    if (grouped_) {
      mix_modes_ = mix_modes_ || report::mix_modes(lines_);
      add_group(list, lines_, options_.columns, options_.all);
    } else {
      add_lines(list, lines_, options_.all);
    }
    lines_.clear();
  }

  const std::vector<figures::Figure>& figures_;
  const ShowOptions& options_;
  bool grouped_;
  std::vector<PivotTable> tables_;
  std::vector<bool> placed_;
  std::map<const figures::Figure*, std::size_t> table_of_;
  std::vector<const figures::Figure*>
      lines_;  ///< that follow one another in a list: of one operation where they are grouped
  std::vector<Section> sections_;
  bool mix_modes_ = false;
};

// One line for all benchmarks that were left out for one reason.
std::vector<std::string> skipped_lines(const std::vector<figures::Figure>& all, const Sections& sections) {
  struct Skipped {
    std::string reason;
    int count = 0;
    std::vector<std::string> families;
  };
  std::vector<Skipped> groups;
  for (const figures::Figure& figure : all) {
    if (!only_skipped(figure) || !figure.is_main || sections.tells_of(figure)) continue;
    auto group = std::ranges::find(groups, figure.reason, &Skipped::reason);
    if (group == groups.end()) group = groups.insert(groups.end(), {figure.reason, 0, {}});
    ++group->count;
    if (std::ranges::find(group->families, figure.family) == group->families.end()) {
      group->families.push_back(figure.family);
    }
  }
  std::vector<std::string> lines;
  for (const Skipped& group : groups) {
    lines.push_back(fmt::format("skipped ({}) {}: {}", group.count, fmt::join(group.families, ", "), group.reason));
  }
  return lines;
}

std::vector<std::string> failed_lines(const std::vector<figures::Figure>& all) {
  std::vector<std::string> lines;
  for (const figures::Figure& figure : all) {
    if (figure.failed > 0 && figure.is_main) lines.push_back(fmt::format("failed  {}: {}", figure.name, figure.reason));
  }
  return lines;
}

// Arithmetic on a rested clock: heat and the power limit take such a figure down where work goes on.
bool is_burst(const figures::Figure& figure) {
  const bool arithmetic = figure.is_main && !figure.shown_as_time && figure.rate && figure.rate->quantity == "flops";
  return arithmetic && (figure.mode == record::Mode::cold || figure.mode == record::Mode::hot);
}

// What the columns mean, as far as this table has need of it.
std::vector<std::string> legend(const std::vector<figures::Figure>& all, const Sections& sections) {
  bool inside = false, below = false, above = false, disturbed = false, at_clock = false, burst = false;
  bool intervals = false, ranges = false;
  for (const figures::Figure& figure : all) {
    ranges = ranges || (figure.time && figure.time->is_range());
    intervals = intervals || (figure.time && figure.time->across_processes && !figure.time->is_range());
    inside = inside || (figure.time && !figure.time->across_processes);
    burst = burst || is_burst(figure);
    at_clock = at_clock || (figure.is_main && figure.rate && figure.rate->clock_share != 1);
    for (const std::string& flag : figure.caveats) {
      above = above || (flag == figures::kAboveTheLimit && figure.is_main);
      below = below || flag.ends_with("below floor");
      disturbed = disturbed || flag.ends_with("disturbed");
    }
  }
  std::vector<std::string> lines;
  if (intervals) lines.push_back("time: median over processes; +/-: half its 95 % interval over processes.");
  if (ranges) {
    lines.push_back(
        "time: median over processes; range: half of what lies between the least and the greatest of fewer than six "
        "processes, which have no 95 % interval.");
  }
  if (sections.has_table()) {
    lines.push_back(fmt::format(
        "tables: spreads are {:.0f} % or less where nothing is marked; --flat lists each benchmark.", 100 * kWide));
  }
  if (inside) lines.push_back("inside: half its 95 % interval inside one process; processes differ by more than that.");
  if (intervals || ranges || inside) lines.push_back(figures::kModesMean);
  if (sections.mix_modes()) {
    lines.push_back(
        "Figures of two modes are no gain: cupel advise and cupel compare take the same mode of both sides.");
  }
  if (below) lines.push_back("below floor: too short to be told from the cost of measuring it.");
  if (at_clock) lines.push_back(figures::kShareOfPeakMeans);
  if (burst) {
    lines.push_back("TFLOP/s: of bursts on a clock that had recovered; cupel run --sustained shows what lasts.");
  }
  if (above) lines.push_back(fmt::format("{}: {}.", figures::kAboveTheLimit, figures::kAboveLimitMeans));
  if (disturbed) lines.push_back("disturbed: the GPU was throttled by heat, or shared, while measuring.");
  return lines;
}

// Where to see what benchmarks tried one by one.
std::vector<std::string> items_lines(const std::vector<figures::Figure>& all) {
  std::vector<std::string> operations;
  for (const figures::Figure& figure : all) {
    if (items_of(figure) == 0 || std::ranges::find(operations, figure.operation) != operations.end()) continue;
    operations.push_back(figure.operation);
  }
  if (operations.empty()) return {};
  return {fmt::format("items: --items lists what {} tried one by one.", fmt::join(operations, " and "))};
}

// Whether the board does what such boards do.
std::vector<std::string> board_lines(const bands::Judgement& board) {
  std::vector<std::string> lines;
  for (const figures::Cause& cause : unusual_causes(board)) lines.push_back(cause.what + " " + cause.remedy);
  if (const std::string usual = usual_text(board); !usual.empty()) lines.push_back(usual);
  return lines;
}

// Not a mark of single benchmarks: where many meet the limit, it is how the board is run.
std::vector<std::string> power_lines(const record::ResultSet& results, const ShowOptions& options) {
  const std::string text = figures::power_limited_text(figures::power_limited(results, options.keep));
  if (text.empty()) return {};
  return {"power: " + text + ", which is no fault; --noise names them."};
}

// What stands below the figures, a sentence each.
// others: what the sections are of.
std::vector<std::string> closing(const record::ResultSet& results, const std::vector<figures::Figure>& all,
                                 const std::vector<figures::Figure>& others, const Sections& sections,
                                 const ShowOptions& options) {
  std::vector<std::string> lines = failed_lines(all);
  const auto add = [&](const std::vector<std::string>& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  if (!options.all) add(skipped_lines(others, sections));
  add(legend(all, sections));
  add(items_lines(all));
  add(power_lines(results, options));
  add(board_lines(options.board));
  return lines;
}

std::string table_text(const PivotTable& table, const std::string& remark, const ShowOptions& options) {
  std::string text;
  if (options.format == Format::markdown) {
    text = "**" + escape_markdown(table.heading()) + "** " + escape_markdown(remark) + "\n\n" + table.markdown();
    if (!table.footnotes().empty()) text += "\n";
    for (const std::string& note : table.footnotes()) text += "- " + note + "\n";
    return text;
  }
  text = wrap(escape_text(table.heading() + (remark.empty() ? "" : "  " + remark)), options.columns) + "\n" +
         table.text(options.columns);
  for (const std::string& note : table.footnotes()) text += "  " + wrap(note, options.columns - 2) + "\n";
  return text;
}

// Waterfalls have tables of their own, unless a line for each benchmark was asked for.
std::vector<figures::Waterfall> waterfalls(const std::vector<figures::Figure>& all, const ShowOptions& options) {
  if (options.flat || options.all || options.sort == Sort::time) return {};
  return figures::waterfalls_of(all);
}

std::vector<figures::Figure> without(const std::vector<figures::Waterfall>& shown, std::vector<figures::Figure> all) {
  std::set<std::string> names;
  for (const figures::Waterfall& waterfall : shown) {
    for (const figures::Rung& rung : waterfall.rungs) {
      for (const figures::Figure* figure : {rung.with, rung.without}) {
        if (figure != nullptr) names.insert(figure->name);
      }
    }
  }
  std::erase_if(all, [&](const figures::Figure& figure) { return names.contains(figure.name); });
  return all;
}

std::string as_text(const record::ResultSet& results, const std::vector<figures::Figure>& all,
                    const ShowOptions& options) {
  const bool markdown = options.format == Format::markdown;
  const std::string fence = markdown ? "```\n" : "";
  std::string text = fence;
  std::vector<std::string> facts = header(results.context);
  for (const std::string& line : warnings(results)) facts.push_back("warning  " + line);
  for (const std::string& line : facts) text += wrap(line, options.columns, kFactIndent) + "\n";
  text += fence;
  const std::vector<figures::Waterfall> falls = waterfalls(all, options);
  const std::vector<figures::Figure> others = without(falls, all);
  const Sections sections(others, options);
  for (const Section& section : sections.all()) {
    text += "\n" + (section.table ? table_text(*section.table, section.remark, options)
                    : markdown    ? section.list.markdown()
                                  : section.list.text(options.columns));
  }
  for (const figures::Waterfall& fall : falls) {
    const Table table = waterfall_table(fall);
    text += "\n" + (markdown ? table.markdown() : table.text(options.columns));
  }
  std::vector<std::string> below = closing(results, all, others, sections, options);
  if (!falls.empty()) below.insert(below.begin(), waterfall_words(falls.front()));
  if (sections.all().empty() && below.empty()) return text + "\nNo benchmark was measured.\n";
  if (!below.empty()) text += "\n";
  for (const std::string& line : below) {
    text += (markdown ? "- " + escape_markdown(line) : wrap(escape_text(line), options.columns)) + "\n";
  }
  return text;
}

}  // namespace

std::string show(const record::ResultSet& results, const ShowOptions& options) {
  std::vector<figures::Figure> all = chosen(results, options);
  switch (options.format) {
    case Format::csv:
      return csv(all);
    case Format::json:
      return json(all);
    case Format::openmetrics:
      return openmetrics(results.context, all);
    default:
      return as_text(results, all, options);
  }
}

}  // namespace cupel::report
