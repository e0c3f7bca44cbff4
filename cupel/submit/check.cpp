#include "cupel/submit/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "cupel/figures/figure.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/record/contradictions.hpp"
#include "cupel/record/record.hpp"
#include "cupel/submit/precedents.hpp"
#include "cupel/units/date.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::submit {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMostShown = 5;  // of one kind

// The first of many, and how many more there are.
void add_first(Lines& lines, const Lines& all) {
  lines.insert(lines.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostShown)));
  if (all.size() > kMostShown) lines.push_back(fmt::format("and {} more of this kind", all.size() - kMostShown));
}

void check_text(Lines& lines, std::string_view text, const record::ResultSet& results) {
  if (!results.context.unknown.empty())
    lines.push_back("has fields that this cupel does not know: " + results.context.unknown);
  Lines unknown;
  for (const record::Row& row : results.rows) {
    if (!row.unknown.empty())
      unknown.push_back(fmt::format("{} has fields that this cupel does not know: {}", row.name, row.unknown));
  }
  add_first(lines, unknown);
  if (lines.empty()) add_first(lines, record::contradictions(text, results));
}

bool is_whole_revision(const std::string& revision) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return revision.size() == 40 && std::ranges::all_of(revision, is_digit);
}

void check_build(Lines& lines, const record::Build& build, const Known& known) {
  if (build.git_dirty) lines.push_back(fmt::format("was measured by a changed build of {}", build.git_revision));
  if (!is_whole_revision(build.git_revision)) {
    lines.emplace_back("does not name the revision of cupel that measured it");
  } else if (known.revisions && !units::contains(*known.revisions, build.git_revision)) {
    lines.push_back(fmt::format("was measured by an unknown revision: {}", build.git_revision));
  }
}

void check_dates(Lines& lines, const record::RunInfo& run, const std::string& now) {
  for (const std::string& date : {run.started, run.finished}) {
    if (units::utc_of(date) != date || date.size() < now.size()) {
      lines.push_back(fmt::format("has an invalid date: '{}'", date));
    } else if (date > now) {
      lines.push_back(fmt::format("has a date in the future: {}", date));
    }
  }
  if (run.finished < run.started) lines.push_back(fmt::format("ended before it began: {}", record::time_text(run)));
}

void check_run(Lines& lines, const record::RunInfo& run) {
  if (run.interrupted || run.finished.empty())
    lines.push_back(fmt::format("is not whole: {}", record::processes_text(run)));
  if (run.profile != "standard" && run.profile != "full")
    lines.push_back(fmt::format("is of the {} profile, not standard or full", run.profile));
  if (run.processes < kFewestProcesses)
    lines.push_back(
        fmt::format("has {}, not {}", units::counted(run.processes, "process", "processes"), kFewestProcesses));
  if (!run.filters.empty())
    lines.push_back(fmt::format("holds a part of its families, by --filter {}", run.filters.front()));
  if (const auto advice = run.notes.find("--advice"); advice != run.notes.end())
    lines.push_back(fmt::format("holds a part of its families, by --advice {}", advice->second));
  if (run.notes.contains("--zeros")) lines.emplace_back("was measured with --zeros, and products of zeros are quicker");
}

void check_rows(Lines& lines, const record::ResultSet& results) {
  Lines failed, strayed;
  std::map<std::string, int> processes;
  std::size_t shared = 0;
  for (const record::Row& row : results.rows) {
    ++processes[row.name];
    if (row.status == record::Status::failed) failed.push_back(fmt::format("{} failed: {}", row.name, row.reason));
    if (row.status == record::Status::skipped && row.reason.empty())
      failed.push_back(fmt::format("{} was not measured and does not say why", row.name));
    if (figures::family_of(row.name) != row.family)
      strayed.push_back(fmt::format("{} is not of the family that it says, {}", row.name, row.family));
    if (row.telemetry && row.telemetry->foreign_processes.value_or(0) > 0) ++shared;
  }
  if (results.rows.empty()) lines.emplace_back("has no results");
  add_first(lines, failed);
  add_first(lines, strayed);
  Lines lacking;
  for (const auto& [name, count] : processes) {
    if (!results.context.run.whole_processes && count != results.context.run.processes)
      lacking.push_back(
          fmt::format("{} is there {}, not {}", name, units::counted(count, "time"), results.context.run.processes));
  }
  add_first(lines, lacking);
  if (shared > 0) {
    lines.push_back(fmt::format("another process used the GPU beside {}",
                                units::counted(static_cast<std::int64_t>(shared), "row")));
  }
}

// Algorithms by Winograd need fewer products than are counted, F(4x4, 3x3) a quarter (Lavin and Gray, 2016, section
// 4.1), and convolutions alone may use them.
bool may_save_products(const figures::Figure& figure) {
  return figure.family == "conv" && figure.rate->quantity == "flops";
}

// Calls back to back may find all that they read and write in the L2, which gives more than the memory.
bool may_be_cached(const figures::Figure& figure, const record::ResultSet& results) {
  const std::int64_t l2_bytes = results.context.device ? results.context.device->l2_bytes : 0;
  return figure.mode == record::Mode::hot && figure.limit->name == "device memory" &&
         figure.workload.bytes() <= l2_bytes;
}

bool may_be(const figures::Figure& figure, const record::ResultSet& results) {
  constexpr double kMost = 4;
  return (may_save_products(figure) || may_be_cached(figure, results)) &&
         figure.rate->per_second <= kMost * *figure.rate->limit_per_second;
}

void check_device(Lines& lines, const record::ResultSet& results) {
  if (!results.context.device) {
    lines.emplace_back("was not measured on a GPU");
    return;
  }
  const record::DeviceInfo& device = *results.context.device;
  if (device.uuid.empty()) lines.emplace_back("names no board: it has no UUID");
  constexpr double kBitsPerByte = 8, kPerClock = 2;
  const double peak = kPerClock * device.memory_clock_max_hz * device.memory_bus_bits / kBitsPerByte;
  const auto is_peak = [&](double rate) { return std::abs(rate - peak) <= 1e-3 * peak; };
  if (!is_peak(device.memory_peak_bytes_per_s))
    lines.emplace_back("has a memory peak other than its memory clock and bus width give");
  const bool any_other = std::ranges::any_of(results.rows, [&](const record::Row& row) {
    return row.limit && row.limit->name == "device memory" && !is_peak(row.limit->per_second);
  });
  if (any_other) lines.emplace_back("holds rates against a limit of device memory that is not the memory's peak");
}

// The benchmarks with a row that lacks telemetry and must have had it: a time by the device's clock has the SM clock
// read beside it, and what a benchmark gives in one process it gives in each. Whose driver answered has some of it.
std::set<std::string> lacking_telemetry(const record::ResultSet& results) {
  std::set<std::string> watched, lacking;
  for (const record::Row& row : results.rows) {
    if (is_watched(row)) watched.insert(row.name);
  }
  const bool must_have_some = !results.context.device->driver_version.empty();
  for (const record::Row& row : results.rows) {
    if (row.status != record::Status::ok || row.series.empty() || is_watched(row)) continue;
    const bool by_device = row.series.front().mode != record::Mode::host;
    if (by_device || watched.contains(row.name) || (must_have_some && watched.empty())) lacking.insert(row.name);
  }
  return lacking;
}

void check_telemetry(Lines& lines, const record::ResultSet& results) {
  if (!results.context.device) return;
  const std::set<std::string> lacking = lacking_telemetry(results);
  if (lacking.empty()) return;
  lines.push_back(
      fmt::format("has no telemetry of {}, as {}: it would show throttling and company on the GPU; send the "
                  "file as it was measured",
                  units::counted(std::ssize(lacking), "benchmark"), *lacking.begin()));
}

bool is_most(std::size_t same, std::size_t of) { return same > 0 && 2 * same > of; }

}  // namespace

std::vector<std::string> refusals(std::string_view text, const record::ResultSet& results, const Known& known) {
  Lines lines;
  check_text(lines, text, results);
  check_run(lines, results.context.run);
  check_dates(lines, results.context.run, known.now);
  check_build(lines, results.context.build, known);
  check_device(lines, results);
  check_rows(lines, results);
  check_telemetry(lines, results);
  std::ranges::move(impossible_rates(results), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> impossible_rates(const record::ResultSet& results) {
  Lines above, first;
  for (const figures::Figure& figure : figures::figures_of(results)) {
    if (!figure.warnings.contains(figures::Warning::above_limit) || may_be(figure, results)) continue;
    above.push_back(fmt::format("{} is impossible: {:.2f} times its limit, {}", figure.name,
                                figure.rate->per_second / *figure.rate->limit_per_second, figure.limit->name));
  }
  add_first(first, above);
  return first;
}

std::vector<std::string> Copies::processes_twice(const figures::Prints& samples) {
  std::map<int, std::size_t> rows;
  std::map<std::pair<int, int>, std::size_t> same;
  for (auto one = samples.begin(); one != samples.end(); ++one) {
    ++rows[one->first.second];
    for (auto other = std::next(one); other != samples.end() && other->first.first == one->first.first; ++other) {
      if (one->second == other->second) ++same[{one->first.second, other->first.second}];
    }
  }
  std::vector<std::string> twice;
  for (const auto& [processes, count] : same) {
    if (is_most(count, rows[processes.first]))
      twice.push_back(fmt::format("process {} has the samples of process {}", processes.second, processes.first));
  }
  return twice;
}

std::vector<std::string> Copies::found(const record::ResultSet& results) const {
  const figures::Prints samples = figures::prints_of(results);
  std::vector<std::string> copies = processes_twice(samples);
  for (const auto& [origin, started, known] : known_) {
    if (!figures::is_copy(samples, known)) continue;
    const bool same_run = !started.empty() && started == results.context.run.started;
    copies.push_back(
        fmt::format("is there already: most of its rows have the samples of {}{}", origin,
                    same_run ? ", which is of the same run (keep what it was made of out of --known)" : ""));
  }
  return copies;
}

void Copies::add(const std::string& origin, const record::ResultSet& results) {
  known_.push_back({origin, results.context.run.started, figures::prints_of(results)});
}

}  // namespace cupel::submit
