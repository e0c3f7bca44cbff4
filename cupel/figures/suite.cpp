#include "cupel/figures/suite.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/google_names.hpp"
#include "cupel/record/record.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::figures {
namespace {

Locations& locations_of(std::vector<Locations>& modes, record::Mode mode) {
  const auto found = std::ranges::find(modes, mode, &Locations::mode);
  return found == modes.end() ? modes.emplace_back(Locations{mode, {}, 0, {}}) : *found;
}

// The names by which benchmarks are held against those of the other suites, where one suite is of another program.
std::vector<std::vector<std::string>> names_of_all(std::span<const Suite> suites) {
  std::vector<std::vector<std::string>> names;
  for (const Suite& suite : suites) {
    std::vector<std::string>& own = names.emplace_back();
    for (const Benchmark& one : suite.benchmarks) own.push_back(one.printed.empty() ? one.name : one.printed);
  }
  return record::common_names(names);
}

}  // namespace

bool Locations::are_times() const { return stats::are_positive(values_s); }

double Locations::value_s() const { return stats::median(values_s); }

const Locations* Benchmark::mode(record::Mode wanted) const {
  const auto found = std::ranges::find(modes, wanted, &Locations::mode);
  return found == modes.end() ? nullptr : &*found;
}

std::optional<double> Benchmark::value_of_all_s(record::Mode wanted) const {
  std::vector<double> values_s;
  for (const std::vector<Locations>* some : {&modes, &left_out_modes}) {
    const auto found = std::ranges::find(*some, wanted, &Locations::mode);
    if (found != some->end()) values_s.insert(values_s.end(), found->values_s.begin(), found->values_s.end());
  }
  return stats::are_positive(values_s) ? std::optional(stats::median(values_s)) : std::nullopt;
}

const Locations* Benchmark::times(record::Mode wanted) const {
  const Locations* locations = failed > 0 || twice ? nullptr : mode(wanted);
  return locations != nullptr && locations->are_times() ? locations : nullptr;
}

SuiteBuilder::SuiteBuilder(std::string label, const Renames& renames) : renames_(renames) {
  suite_.label = std::move(label);
}

// The new name of what is renamed, by the name that is shown or the one that its program prints.
const std::string* SuiteBuilder::renamed(const record::Row& row) {
  for (const std::string& name : {row.name, row.printed_name}) {
    const auto found = renames_.find(name);
    if (found == renames_.end()) continue;
    suite_.renamed.insert(found->first);
    return &found->second;
  }
  return nullptr;
}

SuiteBuilder::Building& SuiteBuilder::building(const record::Row& row) {
  const std::string* const renamed = this->renamed(row);
  const bool is_foreign = !row.printed_name.empty();
  const std::string& whole = renamed != nullptr ? *renamed : is_foreign ? row.printed_name : row.name;
  const auto [found, is_new] = index_.emplace(whole, building_.size());
  if (is_new) {
    Benchmark& benchmark = building_.emplace_back().benchmark;
    benchmark.name = renamed == nullptr ? row.name : is_foreign ? record::canonical_name(*renamed) : *renamed;
    if (is_foreign) benchmark.printed = whole;
    benchmark.clock = row.clock;
    benchmark.family = row.family.empty() ? family_of(row.name) : row.family;
    benchmark.replication = suite_.replication;
  }
  return building_[found->second];
}

void SuiteBuilder::add(const record::Row& row, bool foreign) {
  if (foreign) {
    suite_.replication = Replication::repetition;
    suite_.foreign = true;
  }
  Building& building = this->building(row);
  Benchmark& benchmark = building.benchmark;
  std::vector<int>& seen = building.processes;
  benchmark.twice = benchmark.twice || std::ranges::find(seen, row.process) != seen.end();
  seen.push_back(row.process);
  building.figure.add(row);
  if (row.telemetry && row.telemetry->sm_clock_hz) {
    clock_read_ = clock_read_.value_or(false) || row.telemetry->sm_clock_under_load.has_value();
  }
  const Process process = process_of(row);
  building.tally.add(process);
  if (process.state == ProcessState::counts) add_counted(building, process);
  const bool is_left_out = process.state == ProcessState::busy || process.state == ProcessState::disturbed;
  if (is_left_out) add_times(benchmark.left_out_modes, process);
}

void SuiteBuilder::add_counted(Building& building, const Process& process) {
  Benchmark& benchmark = building.benchmark;
  const record::Row& row = *process.row;
  if (building.tally.of(ProcessState::counts) == 1) {
    benchmark.workload = row.workload;
    benchmark.limit = row.limit;
  }
  benchmark.workload_varies = benchmark.workload_varies || !(benchmark.workload == row.workload);
  benchmark.below_floor = benchmark.below_floor || row.below_floor;
  building.power_limit.add(row);
  if (row.telemetry) building.clock.add(*row.telemetry);
  if (benchmark.unsettled.empty()) benchmark.unsettled = unsettled_text(row);
  add_times(benchmark.modes, process);
  for (const auto& [name, counter] : row.counters) {
    CounterValues& values = benchmark.counters[name];
    values.unit = counter.unit;
    values.better = counter.better;
    values.exact = counter.exact;
    values.values.push_back(counter.value);
  }
}

void SuiteBuilder::add_times(std::vector<Locations>& modes, const Process& process) const {
  for (const ProcessTimes& times : process.times) {
    Locations& locations = locations_of(modes, times.series->mode);
    locations.samples += std::ssize(times.series->samples_s);
    if (suite_.replication == Replication::repetition) {
      const std::vector<double> samples_s = times.series->corrected_s();
      locations.values_s.insert(locations.values_s.end(), samples_s.begin(), samples_s.end());
    } else {
      locations.values_s.push_back(times.location_s);
      if (times.tail) locations.tails.push_back(*times.tail);
    }
  }
}

Suite SuiteBuilder::finish(record::Context context) {
  suite_.context = std::move(context);
  if (clock_read_) note_clock_read(suite_.context, *clock_read_);
  suite_.benchmarks.reserve(building_.size());
  for (Building& building : building_) {
    Benchmark& benchmark = building.benchmark;
    const Tally& tally = building.tally;
    benchmark.ok = tally.of(ProcessState::counts);
    benchmark.cut_short = tally.of(ProcessState::cut_short);
    benchmark.disturbed = tally.of(ProcessState::disturbed);
    benchmark.busy = tally.of(ProcessState::busy);
    benchmark.failed = tally.of(ProcessState::failed);
    benchmark.skipped = tally.of(ProcessState::skipped);
    benchmark.reason = tally.reason();
    benchmark.sm_clock_hz = building.clock.hz();
    benchmark.sm_clock_under_load = building.clock.under_load();
    benchmark.clock_share = building.clock.share_of(benchmark.limit);
    benchmark.power_capped_share = building.power_limit.share();
    for (std::vector<Locations>* modes : {&benchmark.modes, &benchmark.left_out_modes}) {
      std::stable_partition(modes->begin(), modes->end(),
                            [&](const Locations& locations) { return locations.mode == building.figure.mode(); });
    }
    suite_.benchmarks.push_back(std::move(benchmark));
  }
  building_.clear();
  index_.clear();
  return std::move(suite_);
}

std::set<std::string> spellings_of(const Suite& suite) {
  std::set<std::string> spellings;
  for (const Benchmark& benchmark : suite.benchmarks) spellings.insert({benchmark.name, benchmark.printed});
  return spellings;
}

Suite suite_of(const record::ResultSet& results, std::string label, const Renames& renames, bool foreign) {
  SuiteBuilder builder(std::move(label), renames);
  for (const record::Row& row : results.rows) builder.add(row, foreign);
  return builder.finish(results.context);
}

std::vector<Matched> match(std::span<const Suite> suites) {
  const bool is_any_foreign = std::ranges::any_of(suites, &Suite::foreign);
  std::vector<std::vector<std::string>> common;
  if (is_any_foreign) common = names_of_all(suites);
  std::vector<Matched> matched;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t s = 0; s < suites.size(); ++s) {
    const std::vector<Benchmark>& benchmarks = suites[s].benchmarks;
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
      const std::string& name = is_any_foreign ? common[s][i] : benchmarks[i].name;
      // Results of one program mostly have the same benchmarks in the same places.
      if (i < matched.size() && matched[i].name == name) {
        matched[i].in[s] = &benchmarks[i];
        continue;
      }
      const auto [found, is_new] = index.emplace(name, matched.size());
      if (is_new) matched.push_back({name, std::vector<const Benchmark*>(suites.size(), nullptr)});
      matched[found->second].in[s] = &benchmarks[i];
    }
  }
  return matched;
}

}  // namespace cupel::figures
