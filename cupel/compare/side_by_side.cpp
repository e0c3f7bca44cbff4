#include "cupel/compare/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::compare {
namespace {

constexpr const char *kIsNotJudged = "is not judged", *kAreNotJudged = "are not judged";
constexpr const char* kOneRun =
    "This is one run compared with itself. Undecided rows mean that it has too few processes.";

// Both sides were measured by a busy machine: neither has a time.
bool is_busy_on_both(const Comparison& row) {
  return row.verdict == Verdict::busy && !row.baseline.value && !row.contender.value;
}

// Slower, faster, without figures on a side; of a time that is not judged, moved by the tolerance. Counters that
// are not judged explain a benchmark, and are many: they are folded whatever they do.
bool has_changed(const Comparison& row, double tolerance) {
  if (row.metric == record::kCpuWait) return false;  // the notes of the time say what it meant
  if (row.longer_tail) return true;
  if (is_busy_on_both(row)) return false;
  if (row.judged) return !finds_no_change(row.verdict) && row.verdict != Verdict::skipped;
  if (!row.metric.empty()) return false;
  if (!row.baseline.value || !row.contender.value) return false;
  if (row.ratio) return std::abs(std::log(*row.ratio)) >= std::log1p(tolerance);
  return *row.baseline.value != *row.contender.value;
}

// Whether any contender's row is so.
template <class Is>
bool any_of(const CompareRow& row, const Is& is) {
  return std::ranges::any_of(row.in, [&](const Comparison* one) { return one != nullptr && is(*one); });
}

bool any_has_changed(const CompareRow& row, double tolerance) {
  return any_of(row, [&](const Comparison& one) { return has_changed(one, tolerance); });
}

bool has_verdict(const CompareRow& row, const std::set<Verdict>& wanted) {
  return any_of(row, [&](const Comparison& one) { return one.judged && wanted.contains(one.verdict); });
}

// All rows by name and counter: the first contender's order, then what only others have, beside its benchmark.
std::vector<CompareRow> all_rows(const CompareReport& report) {
  std::vector<CompareRow> rows;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t c = 0; c < report.contenders.size(); ++c) {
    for (const Comparison& row : report.contenders[c].rows) {
      const auto [found, is_new] = index.emplace(row.name + '\0' + row.metric, rows.size());
      if (is_new) rows.push_back({std::vector<const Comparison*>(report.contenders.size(), nullptr)});
      rows[found->second].in[c] = &row;
    }
  }
  return rows;
}

// "2 slower, 1 faster, 80 the same"; without those that none has.
std::string verdicts_text(std::span<const Comparison* const> rows, bool of_times) {
  constexpr std::pair<Verdict, const char*> kWords[] = {{Verdict::slower, "slower"},
                                                        {Verdict::faster, "faster"},
                                                        {Verdict::same, "the same"},
                                                        {Verdict::inconclusive, "undecided"},
                                                        {Verdict::missing, "missing"},
                                                        {Verdict::added, "added"},
                                                        {Verdict::skipped, "skipped by both"},
                                                        {Verdict::failed, "failed"},
                                                        {Verdict::throttled, "throttled"},
                                                        {Verdict::busy, "on a busy machine"},
                                                        {Verdict::not_comparable, "not comparable"},
                                                        {Verdict::noisier, "noisier"}};
  const auto word_for = [&](const std::pair<Verdict, const char*>& word) -> std::string {
    if (of_times || (word.first != Verdict::slower && word.first != Verdict::faster)) return word.second;
    return word.first == Verdict::slower ? "worse" : "better";
  };
  std::vector<std::string> counts;
  for (const auto& word : kWords) {
    const auto is_so = [&](const Comparison* row) {
      return row->judged && row->metric.empty() == of_times && row->verdict == word.first;
    };
    if (const auto count = std::ranges::count_if(rows, is_so); count > 0)
      counts.push_back(fmt::format("{} {}", count, word_for(word)));
  }
  const auto is_unjudged = [](const Comparison* row) { return !row->judged && row->metric.empty(); };
  if (const auto count = std::ranges::count_if(rows, is_unjudged); of_times && count > 0)
    counts.push_back(fmt::format("{} not judged", count));
  return units::joined(counts);
}

const ComparedFile& file(const CompareReport& report, std::size_t i) {
  return i == 0 ? report.reference : report.contenders[i - 1].file;
}

// ", GPU-7d04d923 against GPU-c48a3e62"; of one board its name, of none nothing.
std::string boards_text(const ComparedFile& contender, const ComparedFile& reference) {
  const std::string now = figures::board_of(contender.context), before = figures::board_of(reference.context);
  if (now.empty() && before.empty()) return "";
  if (now == before) return ", both on " + few_boards(now);
  return fmt::format(", {} against {}", few_boards(now), few_boards(before));
}

std::string gpu_of(const ComparedFile& file) { return figures::value_of(figures::facts(file.context), "GPU"); }

bool is_of_another_model(const ComparedFile& contender, const ComparedFile& reference) {
  const std::string now = gpu_of(contender), before = gpu_of(reference);
  return !now.empty() && !before.empty() && now != before;
}

// Another host, or one that may be another: a result does not name its host, and another model of GPU is in another
// machine most times.
bool may_be_another_host(const ComparedFile& contender, const ComparedFile& reference) {
  const record::HostInfo &now = contender.context.host, &before = reference.context.host;
  const auto is_other = [](const auto& a, const auto& b) {
    return a != std::decay_t<decltype(a)>() && b != std::decay_t<decltype(b)>() && a != b;
  };
  return is_of_another_model(contender, reference) || is_other(now.name, before.name) ||
         is_other(now.cpu, before.cpu) || is_other(now.logical_cpus, before.logical_cpus);
}

// Such a row compares more than the GPUs.
void note_hosts(std::vector<Comparison>& rows) {
  for (Comparison& row : rows) {
    if (row.mode != record::Mode::host || (row.verdict != Verdict::slower && row.verdict != Verdict::faster)) continue;
    row.across_hosts = true;
    row.notes.emplace_back("a host time of two machines: it compares the hosts, too");
  }
}

template <class Is>
bool any_row(const std::vector<CompareRow>& rows, const Is& is) {
  return std::ranges::any_of(rows, [&](const CompareRow& row) { return any_of(row, is); });
}

bool has_share_at_clock(const Comparison& row) {
  const auto at_clock = [](const Side& side) { return side.share && side.clock_share != 1; };
  return at_clock(row.baseline) || at_clock(row.contender);
}

std::set<record::Mode> modes_of(const std::vector<CompareRow>& rows) {
  std::set<record::Mode> modes;
  for (const CompareRow& row : rows) {
    for (const Comparison* in : row.in) {
      if (in != nullptr && in->mode) modes.insert(*in->mode);
    }
  }
  return modes;
}

// "12 benchmarks and 3 counters have not changed".
std::string counted_text(std::span<const CompareRow> rows, const char* one, const char* several) {
  const auto is_counter = [](const CompareRow& row) { return !row.any().metric.empty(); };
  const auto counters = std::ranges::count_if(rows, is_counter);
  const auto times = std::ssize(rows) - counters;
  std::vector<std::string> parts;
  if (times > 0) parts.push_back(units::counted(times, "benchmark"));
  if (counters > 0) parts.push_back(units::counted(counters, "counter"));
  return fmt::format("{} {}", fmt::join(parts, " and "), rows.size() == 1 ? one : several);
}

// The hosts of other models of GPUs, unless something of them differs that is there already.
void add_hosts(std::vector<EnvironmentLine>& lines, const CompareReport& report) {
  const auto names_host = [](const EnvironmentLine& line) {
    return line.key == "CPU" || line.key == "CPUs" || line.key == figures::kHost;
  };
  if (std::ranges::any_of(lines, names_host)) return;
  const std::string kind = figures::host_text(report.reference.context.host);
  EnvironmentLine line{figures::kHost, false, {kind.empty() ? "unknown" : kind}};
  bool any = false;
  for (const ComparedContender& contender : report.contenders) {
    const bool is_other = may_be_another_host(contender.file, report.reference);
    line.values.push_back(is_other ? "alike, perhaps another" : line.values.front());
    any = any || is_other;
  }
  if (!any) return;
  lines.insert(std::ranges::find_if(lines, std::logical_not(), &EnvironmentLine::hard), std::move(line));
}

bool is_skipped(const CompareRow& row) { return has_verdict(row, {Verdict::skipped}); }

bool is_busy(const CompareRow& row) { return any_of(row, is_busy_on_both); }

bool is_undecided(const CompareRow& row) { return has_verdict(row, {Verdict::inconclusive}); }

bool is_the_same(const CompareRow& row) { return has_verdict(row, {Verdict::same}); }

bool is_judged(const CompareRow& row) { return row.any().judged; }

bool is_unjudged_counter(const CompareRow& row) { return !is_judged(row) && !row.any().metric.empty(); }

}  // namespace

CompareReport side_by_side(std::vector<figures::Suite> suites, std::size_t reference, const Policy& policy,
                           const std::function<bool(const Comparison&)>& looked_at) {
  std::vector<std::size_t> contenders;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    if (i != reference) contenders.push_back(i);
  }
  std::vector<std::vector<Comparison>> rows = compare_all(figures::match(suites), reference, contenders, policy);
  const auto file_of = [](figures::Suite& suite) {
    return ComparedFile{suite.label, std::move(suite.context), suite.replication};
  };
  CompareReport report{file_of(suites[reference]), {}, policy};
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (looked_at) std::erase_if(rows[i], std::not_fn(looked_at));
    std::vector<FamilySummary> families = summarise(rows[i]);
    ComparedFile contender = file_of(suites[contenders[i]]);
    if (may_be_another_host(contender, report.reference)) note_hosts(rows[i]);
    report.contenders.push_back({std::move(contender), std::move(rows[i]), std::move(families)});
  }
  return report;
}

const Comparison& CompareRow::any() const {
  return **std::ranges::find_if(in, [](const Comparison* one) { return one != nullptr; });
}

std::string counts_text(std::span<const Comparison* const> rows) {
  const std::string times = verdicts_text(rows, true), counters = verdicts_text(rows, false);
  return (times.empty() ? "no benchmark" : times) + (counters.empty() ? "" : "; of counters " + counters);
}

std::vector<std::string> conclusions(const CompareReport& report) {
  std::vector<std::string> lines;
  for (const ComparedContender& contender : report.contenders) {
    const auto rows = units::filtered(contender.rows, [](const Comparison&) { return true; });
    lines.push_back(fmt::format("{} against {}{}: {}", contender.file.label, report.reference.label,
                                boards_text(contender.file, report.reference), counts_text(rows)));
  }
  return lines;
}

std::vector<std::string> speeds_of_models(const CompareReport& report) {
  std::vector<std::string> lines;
  for (const ComparedContender& contender : report.contenders) {
    std::vector<FamilySummary> families = contender.families;
    std::erase_if(families, [](const FamilySummary& family) { return !family.ratio; });
    if (families.empty() || !is_of_another_model(contender.file, report.reference)) continue;
    const FamilySummary all = families.back();
    if (families.size() > 1) families.pop_back();
    const auto speed = [](const FamilySummary& family) { return 1 / family.ratio->value; };
    const auto [least, most] = std::ranges::minmax(families, {}, speed);
    const std::string gpu = gpu_of(contender.file);
    const std::string which = report.contenders.size() > 1 ? fmt::format("{} ({})", contender.file.label, gpu) : gpu;
    const std::string ends =
        fmt::format(": from {:.2f} ({}) to {:.2f} ({})", speed(least), least.family, speed(most), most.family);
    lines.push_back(fmt::format("{} is {:.2f} times as fast as {} in the mean of {}{}.", which, speed(all),
                                gpu_of(report.reference), units::counted(all.benchmarks, "benchmark"),
                                families.size() > 1 ? ends : ""));
  }
  return lines;
}

std::string two_runs_text(const CompareReport& report) {
  const auto is_another = [&](const ComparedContender& contender) {
    return contender.file.context.run.started != report.reference.context.run.started;
  };
  const auto is_another_model = [&](const ComparedContender& contender) {  // which a gate refuses
    return is_of_another_model(contender.file, report.reference);
  };
  if (std::ranges::any_of(report.contenders, is_another))
    return figures::two_runs_remark(!std::ranges::all_of(report.contenders, is_another_model));
  const auto is_equal = [](const Comparison& row) { return row.baseline.value == row.contender.value; };
  const auto is_same = [&](const ComparedContender& contender) {
    return figures::differences(contender.file.context, report.reference.context).empty() &&
           std::ranges::all_of(contender.rows, is_equal);
  };
  const bool is_one = !report.reference.context.run.started.empty() && std::ranges::all_of(report.contenders, is_same);
  return is_one ? kOneRun : "";
}

ComparedRows compared_rows(const CompareReport& report, const std::set<Verdict>& only, bool folds) {
  ComparedRows rows{.shown = all_rows(report)};
  if (!only.empty()) std::erase_if(rows.shown, [&](const CompareRow& row) { return !has_verdict(row, only); });
  if (!folds) return rows;
  const auto unchanged = std::stable_partition(rows.shown.begin(), rows.shown.end(), [&](const CompareRow& row) {
    return any_has_changed(row, report.policy.tolerance);
  });
  const auto unjudged = std::stable_partition(unchanged, rows.shown.end(), std::not_fn(is_unjudged_counter));
  rows.folded.assign(unchanged, unjudged);
  rows.unjudged.assign(unjudged, rows.shown.end());
  rows.shown.erase(unchanged, rows.shown.end());
  return rows;
}

bool is_on_both_sides(const CompareRow& row) {
  return any_of(row,
                [](const Comparison& one) { return one.verdict != Verdict::missing && one.verdict != Verdict::added; });
}

std::string no_rows_text(std::span<const CompareRow> folded) {
  const auto is_open = [](const CompareRow& row) { return is_undecided(row) || is_busy(row); };
  if (!std::ranges::any_of(folded, is_open)) return "No benchmark has changed.";
  return std::ranges::any_of(folded, is_the_same) ? "No change was found." : "Nothing was decided.";
}

std::string folded_text(std::vector<CompareRow> folded) {
  const auto skipped = std::ranges::stable_partition(folded, std::not_fn(is_skipped)).begin();
  const auto busy = std::stable_partition(folded.begin(), skipped, std::not_fn(is_busy));
  const auto undecided = std::stable_partition(folded.begin(), busy, std::not_fn(is_undecided));
  const auto not_judged = std::partition(folded.begin(), undecided, is_judged);
  std::vector<std::string> parts;
  const auto add = [&](auto begin, auto end, const char* one, const char* several) {
    if (begin != end) parts.push_back(counted_text({begin, end}, one, several));
  };
  add(folded.begin(), not_judged, "has not changed", "have not changed");
  add(undecided, busy, "is undecided", "are undecided");
  add(not_judged, undecided, kIsNotJudged, kAreNotJudged);
  add(skipped, folded.end(), "was skipped on both sides", "were skipped on both sides");
  add(busy, skipped, "was measured on a busy machine on both sides", "were measured on a busy machine on both sides");
  return units::joined(parts);
}

std::string unjudged_text(std::span<const CompareRow> unjudged) {
  return counted_text(unjudged, kIsNotJudged, kAreNotJudged);
}

std::string few_boards(const std::string& boards) {
  const std::ptrdiff_t commas = std::ranges::count(boards, ',');
  return boards.empty() ? "no board" : commas < 2 ? boards : fmt::format("{} boards", commas + 1);
}

std::vector<EnvironmentLine> environment_lines(const CompareReport& report) {
  std::vector<EnvironmentLine> lines;
  const std::size_t files = report.contenders.size() + 1;
  for (std::size_t c = 1; c < files; ++c) {
    for (const figures::Difference& difference :
         figures::differences(report.reference.context, file(report, c).context)) {
      auto line = std::ranges::find(lines, difference.name, &EnvironmentLine::key);
      if (line == lines.end()) {
        const std::string before = difference.baseline.value_or("unknown");
        line = lines.insert(lines.end(), {difference.name, false, std::vector<std::string>(files, before)});
      }
      line->hard = line->hard || difference.hardness == figures::Hardness::hard;
      line->values[c] = difference.contender.value_or("unknown");
    }
  }
  std::stable_partition(lines.begin(), lines.end(), [](const EnvironmentLine& line) { return line.hard; });
  add_hosts(lines, report);
  return lines;
}

std::string libraries_text(const CompareReport& report) {
  std::set<std::string> libraries;
  for (std::size_t i = 0; i <= report.contenders.size(); ++i) {
    for (const record::Library& library : file(report, i).context.libraries)
      libraries.insert(figures::fact_of_library(library.name));
  }
  std::vector<std::string> changes;
  std::ptrdiff_t others = 0;
  for (const EnvironmentLine& line : environment_lines(report)) {
    if (line.hard) return "";
    if (!libraries.contains(line.key)) {
      ++others;
    } else if (!units::contains(line.values, "unknown")) {
      changes.push_back(fmt::format("{} {}", line.key, fmt::join(line.values, " -> ")));
    }
  }
  if (changes.empty()) return "";
  return fmt::format("This compares releases of libraries: {}. {}", fmt::join(changes, ", "),
                     others == 0 ? "Nothing else is known to differ."
                                 : fmt::format("{} besides, which may matter as much.",
                                               units::counted(others, "thing differs", "things differ")));
}

std::string file_line(const ComparedFile& file) {
  const std::vector<figures::Fact> known = figures::facts(file.context);
  const auto fact = [&](const char* name) { return figures::value_of(known, name); };
  std::string line = !fact("GPU").empty()    ? fact("GPU") + ", driver " + fact("driver")
                     : !fact("CPU").empty()  ? fact("CPU")
                     : !fact("CPUs").empty() ? fact("CPUs") + " CPUs"
                                             : "unknown machine";
  line += file.replication == figures::Replication::repetition ? ", repetitions of one process"
                                                               : ", " + record::processes_text(file.context.run);
  units::append(line, fact("started"));
  if (fact("interrupted") == "yes") line += ", interrupted: not all of it is there";
  if (const std::string families = fact("compiled without optimisation"); !families.empty())
    line += ", " + families + " compiled without optimisation: host times are too long";
  return line;
}

std::string mode_text(const Comparison& row) { return row.mode ? record::to_string(*row.mode) : ""; }

std::string value_text(const Comparison& row, const Side& side) {
  if (!side.value) return "";
  const std::optional<units::Unit> unit = units::unit_of(row.unit);
  if (unit && *unit != units::Unit::ratio) return units::format(*side.value, *unit);
  const bool whole = *side.value == std::trunc(*side.value) && std::abs(*side.value) < 1e15;
  const std::string digits = whole ? units::format_fixed(*side.value, 0) : fmt::format("{:.4g}", *side.value);
  return row.unit.empty() || unit ? digits : digits + " " + row.unit;
}

std::string share_text(const Side& side) { return side.share ? units::format_percent(*side.share) : ""; }

static std::string digits_of_speed(double ratio) {
  const double speed = 1 / ratio;
  return speed >= 100 ? units::format_significant(speed) : units::format_fixed(speed, 3);
}

std::string as_fast_text(double ratio) { return digits_of_speed(ratio) + "x"; }

std::string as_fast_text(const Comparison& row) { return row.ratio ? as_fast_text(*row.ratio) : ""; }

std::string as_fast_interval_text(double lower_ratio, double upper_ratio) {
  return "[" + digits_of_speed(upper_ratio) + ", " + digits_of_speed(lower_ratio) + "]";
}

std::string as_fast_interval_text(const Comparison& row) {
  if (!row.lower || !row.upper) return "";
  if (!is_range(row)) return as_fast_interval_text(*row.lower, *row.upper);
  return digits_of_speed(*row.upper) + " to " + digits_of_speed(*row.lower) + " (range)";
}

std::string p_text(const Comparison& row) {
  const std::optional<double>& p = row.p_adjusted ? row.p_adjusted : row.p;
  if (!p) return "";
  return *p < 1e-4 ? "<0.0001" : units::format_fixed(*p, 4);
}

std::string mde_text(const Comparison& row) {
  if (!row.mde) return "";
  return *row.mde > 1 ? "> 100 %" : units::format_percent(*row.mde);
}

std::string count_text(const Comparison& row) {
  if (row.baseline.processes == 0 && row.contender.processes == 0) return "";
  const char* unit = row.replication == figures::Replication::repetition ? " rep" : "";
  return fmt::format("{}+{}{}", row.baseline.processes, row.contender.processes, unit);
}

std::string verdict_text(const Comparison& row) {
  if (!row.judged) return "";
  if (!row.metric.empty() && row.verdict == Verdict::slower) return kWorse;
  if (!row.metric.empty() && row.verdict == Verdict::faster) return kBetter;
  return to_string(row.verdict);
}

std::string notes_text(const Comparison& row) {
  std::vector<std::string> notes = row.notes;
  if (row.processes_to_decide)
    notes.push_back(fmt::format("{} processes a side would decide", *row.processes_to_decide));
  return units::joined(notes, "; ");
}

std::string label_text(const Comparison& row) { return label_text(row, row.name); }

std::string label_text(const Comparison& row, const std::string& name) {
  return row.metric.empty() ? name : name + " [" + row.metric + "]";
}

std::string replication_text(const CompareReport& report) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i <= report.contenders.size(); ++i) {
    const ComparedFile& one = file(report, i);
    if (one.replication == figures::Replication::repetition) units::add_once(labels, one.label);
  }
  if (labels.empty()) return "";
  return fmt::format(
      "{}: Google Benchmark's repetitions of one process, which are weaker evidence than processes. Their intervals, "
      "p and MDE tell one process from another; a second process of the same program may differ by more.",
      fmt::join(labels, ", "));
}

std::vector<std::string> legend(const CompareReport& report, const std::vector<CompareRow>& rows, bool whole) {
  const auto any = [&](const auto& is) { return whole || any_row(rows, is); };
  const Policy& policy = report.policy;
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "SLOWER, FASTER: at least {} and p <= {}, adjusted over all rows (Holm). SAME: a difference of {} would have "
      "been seen. INCONCLUSIVE: it could have been missed.",
      units::format_percent(policy.tolerance), fmt::format("{}", policy.alpha), units::format_percent(policy.target)));
  if (rows.empty() && !whole) return lines;
  if (any([](const Comparison& one) { return one.judged && !one.metric.empty(); }))
    lines.push_back("WORSE, BETTER: SLOWER and FASTER of a counter.");
  lines.push_back(fmt::format(
      "speed: time of {} divided by that of the contender; above 1x is faster. It is the median over all "
      "pairs of processes, not the ratio of the two medians. A counter is so many times as good: above 1x is "
      "better. JSON and CSV have the ratio of times, its reciprocal.",
      report.reference.label));
  if (any([](const Comparison& one) { return one.lower && !is_range(one); })) {
    lines.push_back(fmt::format("interval: at a level of {} % or more.", units::format_fixed(policy.level * 100, 0)));
  }
  if (any([](const Comparison& one) { return one.lower && is_range(one); })) {
    lines.push_back(
        "range: between the slowest and the fastest pair of processes, which are too few for a 95 % interval.");
  }
  using enum record::Mode;
  const std::set<record::Mode> modes = whole ? std::set{cold, hot, host} : modes_of(rows);
  if (std::string line = figures::modes_mean(modes); !line.empty()) lines.push_back(std::move(line));
  if (any([](const Comparison& one) { return one.test == Test::permutation; })) {
    lines.push_back(
        "p: from a permutation test over all rows at once, because a rank test of one row cannot reach the level with "
        "so "
        "few processes.");
  }
  lines.push_back("MDE: minimum detectable effect: a difference of this size is found with 95 % probability.");
  if (any(has_share_at_clock)) lines.push_back(figures::kShareOfPeakMeans);
  return lines;
}

}  // namespace cupel::compare
