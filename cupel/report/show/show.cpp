#include "cupel/report/show/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/advice/bottleneck.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/bands/words.hpp"
#include "cupel/export/figure_formats.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/items.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/pace.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/figure_list.hpp"
#include "cupel/report/show/pivot_table.hpp"
#include "cupel/report/show/processes.hpp"
#include "cupel/report/show/waterfall.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using Lines = std::vector<std::string>;

const Badges kMarks{{"warning", Badge::warn}, {"failed", Badge::bad}, {"skipped", Badge::warn}};

std::vector<figures::Figure> chosen(const record::ResultSet& results, const ShowOptions& options) {
  std::vector<figures::Figure> all = figures::figures_of(results);
  if (options.keep) std::erase_if(all, [&](const figures::Figure& figure) { return !options.keep(figure.name); });
  bands::add_unusual_marks(all, options.board);
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

// The machine and the run, one fact a line, and what takes from the worth of the whole file: what bears on single
// figures stands beside them.
Fields header(const record::ResultSet& results, const ShowOptions& options) {
  static const std::set<std::string> kOfTheFile{"unoptimised", "debug-library", "debug-build", "interrupted",
                                                "not-ended",   "ended-badly",   "busy-host"};
  const record::Context& context = results.context;
  const record::RunInfo& run = context.run;
  Fields facts{{}, true, kMarks};
  const auto add = [&](const char* label, const std::string& text) { facts.labelled.emplace_back(label, text); };
  if (context.device) {
    add("device", figures::device_text(*context.device));
    add("with", figures::libraries_text(context));
    add("timing", figures::timing_text(context));
  }
  add("host", figures::host_text(context.host) + (context.host.container ? ", in a container" : ""));
  if (context.build.version.empty()) {
    const std::string whose =
        run.processes > 1 ? units::counted(run.processes, "process", "processes") : "repetitions of one process";
    add("run", fmt::format("{}, {} of a Google Benchmark program", run.started, whose));
  } else {
    add("run", fmt::format("{}, {} profile, {}, seed {}, timer {}", record::time_text(run), run.profile,
                           record::processes_text(run), run.seed, run.timer));
    const std::string revision = figures::shortened(context.build.git_revision, 12);
    const std::string changed = context.build.git_dirty ? ", changed)" : ")";
    add("cupel", context.build.version + (revision.empty() ? "" : " (" + revision + changed));
  }
  for (const figures::Cause& cause : figures::causes(results, options.keep)) {
    if (kOfTheFile.contains(cause.id)) add("warning", cause.what + " " + cause.remedy);
  }
  return facts;
}

bool is_listed(const figures::Figure& figure, const ShowOptions& options) {
  return options.all || (!figure.only_skipped() && figure.is_main);
}

// A list of this many lines is still taken in at a glance, with its intervals and limits.
constexpr std::size_t kShortList = 8;

// The table of a group that is better read as one: of many lines, or of lines that are too long.
std::optional<PivotTable> table_of(const figures::Alike& group, const ShowOptions& options) {
  const bool asked = !options.across.empty() || options.metric != Metric::automatic;
  const auto listed = static_cast<std::size_t>(
      std::ranges::count_if(group.members, [&](const figures::Figure* member) { return is_listed(*member, options); }));
  const bool wide = std::ranges::any_of(
      group.members, [&](const figures::Figure* member) { return is_listed(*member, options) && too_wide(*member); });
  if (!asked && !wide && listed <= kShortList) return std::nullopt;
  std::vector<std::string> candidates = figures::across_candidates(group);
  if (!options.across.empty()) candidates = {options.across};
  for (const std::string& across : candidates) {
    const std::optional<figures::Pivot> turned = figures::pivot(group, across);
    std::optional<PivotTable> table = turned ? pivot_table(*turned, options.metric) : std::nullopt;
    const std::size_t lines = table ? height_of(table->table, kFormColumns) : 0;
    if (lines > 0 && (asked || lines < listed)) return table;
  }
  return std::nullopt;
}

// The figures in their order: lists, and tables between them.
class Sections {
 public:
  Sections(const std::vector<figures::Figure>& all, const ShowOptions& options)
      : options_(options), grouped_(options.sort != Sort::time), list_(empty_list(grouped_)) {
    if (!options.flat && !options.all && grouped_) find_tables(all);
    for (const figures::Figure* figure : in_order(all)) add(*figure);
    end_list();
  }

  const std::vector<Table>& tables() const { return tables_; }
  bool has_table() const { return !tabled_.empty(); }
  bool mix_modes() const { return mix_modes_; }

  // Skips that a footnote tells of.
  bool tells_of(const figures::Figure& figure) const { return told_.contains(&figure); }

 private:
  // As they are, but that operations stay together.
  std::vector<const figures::Figure*> in_order(const std::vector<figures::Figure>& all) const {
    std::map<std::string, std::size_t> first;
    std::vector<const figures::Figure*> ordered;
    for (const figures::Figure& figure : all) {
      first.try_emplace(figure.operation, first.size());
      ordered.push_back(&figure);
    }
    if (grouped_)
      std::ranges::stable_sort(ordered, {}, [&](const auto* figure) { return first.at(figure->operation); });
    return ordered;
  }

  void find_tables(const std::vector<figures::Figure>& all) {
    for (const figures::Alike& group : figures::alike(all)) {
      figures::Alike of_figures{group.operation, group.parameters, {}};
      std::ranges::copy_if(group.members, std::back_inserter(of_figures.members), &figures::Figure::is_main);
      std::optional<PivotTable> table = table_of(of_figures, options_);
      if (!table) continue;
      for (const figures::Figure* member : group.members) tabled_[member] = std::nullopt;
      tabled_[group.members.front()] = std::move(table);
    }
  }

  void add(const figures::Figure& figure) {
    if (const auto found = tabled_.find(&figure); found != tabled_.end()) {
      if (found->second) add_table(std::move(*found->second));
    } else if (is_listed(figure, options_)) {
      if (grouped_ && !lines_.empty() && lines_.front()->operation != figure.operation) end_lines();
      lines_.push_back(&figure);
    }
  }

  void add_table(PivotTable pivot) {
    end_list();
    mix_modes_ = mix_modes_ || pivot.mixes_modes;
    told_.insert(pivot.members.begin(), pivot.members.end());
    pivot.table.remark = shared_remark(pivot.members);
    tables_.push_back(std::move(pivot.table));
  }

  void end_lines() {
    if (lines_.empty()) return;
    if (grouped_) {
      mix_modes_ = mix_modes_ || report::mix_modes(lines_);
      add_group(list_, lines_, options_.all);
    } else {
      add_lines(list_, lines_, options_.all);
    }
    lines_.clear();
  }

  void end_list() {
    end_lines();
    if (list_.empty()) return;
    tables_.push_back(std::exchange(list_, empty_list(grouped_)));
  }

  const ShowOptions& options_;
  bool grouped_;
  std::map<const figures::Figure*, std::optional<PivotTable>> tabled_;  ///< at the first of each table the table
  std::set<const figures::Figure*> told_;
  std::vector<const figures::Figure*> lines_;  ///< that follow one another: of one operation where they are grouped
  Table list_;
  std::vector<Table> tables_;
  bool mix_modes_ = false;
};

void add_failed(Lines& lines, const std::vector<figures::Figure>& all) {
  for (const figures::Figure& figure : all) {
    if (figure.failed > 0 && figure.is_main) lines.push_back(fmt::format("failed  {}: {}", figure.name, figure.reason));
  }
}

// One line for all benchmarks that were left out for one reason.
void add_skipped(Lines& lines, const std::vector<figures::Figure>& all, const Sections& sections) {
  struct Skipped {
    std::string reason;
    int count = 0;
    std::vector<std::string> families = {};
  };
  std::vector<Skipped> groups;
  for (const figures::Figure& figure : all) {
    if (!figure.only_skipped() || !figure.is_main || sections.tells_of(figure)) continue;
    Skipped& group = units::entry(groups, figure.reason, &Skipped::reason);
    ++group.count;
    units::add_once(group.families, figure.family);
  }
  for (const Skipped& group : groups) {
    lines.push_back(fmt::format("skipped ({}) {}: {}", group.count, units::joined(group.families), group.reason));
  }
}

// Arithmetic on a rested clock: heat and the power limit take such a figure down where work goes on.
bool is_burst(const figures::Figure& figure) {
  const bool arithmetic = figure.is_main && !figure.shown_as_time && figure.rate && figure.rate->quantity == "flops";
  return arithmetic && figures::is_burst(figure);
}

std::set<record::Mode> modes_listed(const std::vector<figures::Figure>& all, const ShowOptions& options) {
  std::set<record::Mode> modes;
  for (const figures::Figure& figure : all) {
    if (figure.time && is_listed(figure, options)) modes.insert(figure.mode);
  }
  return modes;
}

// Says what the columns mean, as far as these figures have need of it.
Lines legend(const std::vector<figures::Figure>& all, const std::vector<figures::Waterfall>& falls,
             const Sections& sections, const ShowOptions& options) {
  Lines lines;
  if (!falls.empty()) {
    lines.push_back(waterfall_words(falls.front()));
    lines.emplace_back(
        "cupel advise gives a piece the middle of the ratios inside each process, which differs a little from such a "
        "gain.");
  }
  const auto any = [&](const auto& is) { return std::ranges::any_of(all, is); };
  const auto any_time = [&](const auto& is) {
    return any([&](const figures::Figure& figure) { return figure.time && is(*figure.time); });
  };
  using figures::Warning;
  const auto explain = [&](Warning warning, const auto& counts) {
    const auto has = [&](const figures::Figure& figure) {
      return std::invoke(counts, figure) && figure.warnings.contains(warning);
    };
    if (any(has)) lines.push_back(figures::with_meaning(warning) + ".");
  };
  const auto each = [](const figures::Figure&) { return true; };
  const bool ranges = any_time([](const figures::Estimate& time) { return time.is_range(); });
  const bool intervals =
      any_time([](const figures::Estimate& time) { return time.across_processes && !time.is_range(); });
  const bool inside = any_time([](const figures::Estimate& time) { return !time.across_processes; });
  if (intervals) lines.push_back("time: median over processes; +/-: half its 95 % interval over processes.");
  if (ranges) {
    lines.push_back(
        "time: median over processes; range: half of (slowest - fastest) process; a 95 % interval needs six.");
  }
  if (sections.has_table()) {
    lines.push_back(fmt::format(
        "tables: where nothing is marked, the range is {:.0f} % or less; --flat lists each benchmark.", 100 * kWide));
  }
  if (inside) lines.push_back("inside: half the 95 % interval inside one process; processes differ by more than that.");
  if (intervals || ranges || inside) lines.push_back(figures::modes_mean(modes_listed(all, options)));
  if (sections.mix_modes()) {
    lines.push_back(
        "Do not divide figures of two modes: cupel advise and cupel compare take the same mode of both sides.");
  }
  if (any([](const figures::Figure& figure) { return !cpu_time_text(figure).empty(); })) {
    lines.push_back(
        "CPU: the program's processor time; no CPU: the share of the time in which its threads waited for one; binds: "
        "what the "
        "loop around a loader waits for.");
  }
  explain(Warning::below_floor, each);
  if (any([](const figures::Figure& one) { return one.is_main && one.rate && one.rate->clock_share != 1; })) {
    lines.push_back(figures::kShareOfPeakMeans);
  }
  if (any(is_burst)) {
    lines.push_back("TFLOP/s: measured in bursts at a recovered clock; cupel run --sustained measures what lasts.");
  }
  explain(Warning::above_limit, &figures::Figure::is_main);
  explain(Warning::disturbed, each);
  explain(Warning::unusual, &figures::Figure::is_main);
  explain(Warning::two_states, each);
  explain(Warning::cold_start, each);
  return lines;
}

// Where to see what benchmarks tried one by one.
void add_items(Lines& lines, const std::vector<figures::Figure>& all) {
  std::vector<std::string> operations;
  for (const figures::Figure& figure : all) {
    if (std::ranges::any_of(figure.counters, figures::is_of_item)) units::add_once(operations, figure.operation);
  }
  if (!operations.empty())
    lines.push_back("items: --items lists what " + units::joined(operations, " and ") + " tried one by one.");
}

// The lines below the figures, a sentence each.
// others: what the sections are of.
Lines closing(const record::ResultSet& results, const std::vector<figures::Figure>& all,
              const std::vector<figures::Figure>& others, const Sections& sections, const ShowOptions& options) {
  Lines lines;
  add_failed(lines, all);
  if (!options.all) add_skipped(lines, others, sections);
  add_items(lines, all);
  // Not a mark of single benchmarks: where many meet the limit, it is how the board is run.
  const std::string limited = figures::power_limited_text(figures::power_limited(results, options.keep));
  if (!limited.empty()) lines.push_back("power: " + limited + ", which is normal; --noise names them.");
  for (const figures::Cause& cause : bands::unusual_causes(options.board))
    lines.push_back(cause.what + " " + cause.remedy);
  if (const std::string usual = bands::usual_text(options.board); !usual.empty()) lines.push_back(usual);
  return lines;
}

// Waterfalls have tables of their own, unless a line for each benchmark was asked for.
std::vector<figures::Waterfall> waterfalls(const std::vector<figures::Figure>& all, const ShowOptions& options) {
  if (options.flat || options.all || options.sort == Sort::time) return {};
  return figures::waterfalls_of(all);
}

// A line a family: how many of its benchmarks have a time, were skipped or failed.
Table families_table(const std::vector<figures::Figure>& all) {
  struct Family {
    std::string name;
    int measured = 0, skipped = 0, failed = 0;
    std::set<std::string> operations = {};
  };
  std::vector<Family> families;
  for (const figures::Figure& figure : all) {
    if (!figure.is_main) continue;
    Family& family = units::entry(families, figure.family, &Family::name);
    ++(figure.failed > 0 ? family.failed : figure.only_skipped() ? family.skipped : family.measured);
    family.operations.insert(figure.operation);
  }
  Table table({left("family"), right("measured"), right("skipped"), right("failed"), right("operations")});
  const auto count = [](int number) { return number > 0 ? std::to_string(number) : ""; };
  for (const Family& family : families) {
    table.row({family.name, std::to_string(family.measured), count(family.skipped), count(family.failed),
               std::to_string(family.operations.size())});
  }
  return table;
}

// Benchmarks from which on they fill a screen.
constexpr std::ptrdiff_t kScreen = 60;

// Says how to see the figures that a brief page leaves out.
std::string how_to_see(const std::vector<figures::Figure>& all, const std::string& file) {
  if (file.empty() || all.empty()) return "";
  return fmt::format("cupel show {} {} shows the figures of one family, --flat those of all.", units::visible(file),
                     units::visible(all.front().family));
}

Page brief_page(const record::ResultSet& results, const std::vector<figures::Figure>& all, const ShowOptions& options) {
  Page page{"cupel show", "Figures"};
  page.add(families_table(all));
  const std::vector<figures::Figure> none;
  List below{{}, false, kMarks};
  add_failed(below.items, all);
  add_skipped(below.items, all, Sections(none, options));
  if (std::string how = how_to_see(all, options.file); !how.empty()) below.items.push_back(std::move(how));
  page.add(std::move(below));
  page.add(header(results, options));
  return page;
}

// The one benchmark that was chosen and measured, or null.
const figures::Figure* only_one(const std::vector<figures::Figure>& all) {
  const auto is_measured = [](const figures::Figure& one) { return one.is_main && one.time; };
  if (std::ranges::count_if(all, &figures::Figure::is_main) != 1) return nullptr;
  const auto found = std::ranges::find_if(all, is_measured);
  return found == all.end() ? nullptr : &*found;
}

Page page_of(const record::ResultSet& results, const std::vector<figures::Figure>& all, const ShowOptions& options) {
  Page page{"cupel show", "Figures"};
  if (Table families = families_table(all); families.lines.size() > 1 || !options.file.empty())
    page.add(std::move(families));
  page.add(header(results, options));
  const std::vector<figures::Waterfall> falls = waterfalls(all, options);
  const std::vector<figures::Figure> others = figures::without(falls, all);
  const Sections sections(others, options);
  for (const Table& table : sections.tables()) page.add(table);
  const std::vector<advice::Bottleneck> binding =
      falls.empty() ? std::vector<advice::Bottleneck>() : advice::bottlenecks(results.rows);
  for (const figures::Waterfall& fall : falls) {
    page.add(waterfall_table(fall, binding));
    std::vector<std::string> changes;
    std::ranges::transform(fall.rungs, std::back_inserter(changes), &figures::Rung::change);
    if (const std::string turned = turned_words(fall, changes); !turned.empty()) page.paragraph(turned);
  }
  if (const figures::Figure* one = only_one(all); one != nullptr && options.keep)
    page.add(processes_table(results.rows, *one, options.typed));
  List below{closing(results, all, others, sections, options), false, kMarks};
  if (sections.tables().empty() && below.items.empty()) page.paragraph("No benchmark was measured.");
  if (Lines means = legend(all, falls, sections, options); options.legend) {
    std::ranges::move(means, std::back_inserter(below.items));
  } else if (!means.empty()) {
    below.items.emplace_back(options.brief && options.file.empty() ? kExplained : kLegend);
  }
  page.add(std::move(below));
  return page;
}

std::string picture(const std::vector<figures::Figure>& all) {
  const std::vector<figures::Waterfall> falls = figures::waterfalls_of(all);
  if (falls.empty()) return "";
  const figures::Waterfall& first = falls.front();
  return waterfall_picture(
      first, advice::step_words(advice::step_name(first)) + ": its time, each change added to those above");
}

}  // namespace

std::string show(const record::ResultSet& results, const ShowOptions& options) {
  std::vector<figures::Figure> all = chosen(results, options);
  switch (options.format) {
    case Format::csv:
      return exports::csv(all);
    case Format::json:
      return exports::json(all);
    case Format::openmetrics:
      return exports::openmetrics(results.context, all);
    case Format::svg:
      return picture(all);
    default:
      break;
  }
  const auto listed = [&](const figures::Figure& one) { return is_listed(one, options); };
  const bool is_brief = options.brief && std::ranges::count_if(all, listed) > kScreen;
  return rendered(is_brief ? brief_page(results, all, options) : page_of(results, all, options), options.format,
                  options.terminal);
}

}  // namespace cupel::report
