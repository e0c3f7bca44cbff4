// Result files made up for tests of advice: rows whose times are known.
#pragma once

#include <string>
#include <vector>

#include "cupel/figures/names.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures::synthetic {

/// Rows of one benchmark, one for each of `processes`; process p's time is time_s times factors[p] (1 where there is
/// none). Samples lie evenly within 0.1 % around it, so that their inter-quartile mean is it.
struct Benchmark {
  std::string name;
  record::AdviceTag tag;
  double time_s = 1e-3;
  std::vector<double> factors = {};
  record::Mode mode = record::Mode::host;
  int processes = 3;
};

inline record::Series series_at(record::Mode mode, double time_s) {
  record::Series series;
  series.mode = mode;
  for (int i = -10; i <= 10; ++i) series.samples_s.push_back(time_s * (1 + 1e-4 * i));
  return series;
}

inline void add(record::ResultSet& results, const Benchmark& benchmark) {
  for (int p = 0; p < benchmark.processes; ++p) {
    const auto at = static_cast<std::size_t>(p);
    const double factor = at < benchmark.factors.size() ? benchmark.factors[at] : 1;
    record::Row row;
    row.name = benchmark.name;
    row.family = family_of(benchmark.name);
    row.process = p;
    row.advice = {benchmark.tag};
    row.series = {series_at(benchmark.mode, benchmark.time_s * factor)};
    results.rows.push_back(row);
  }
}

/// Adds before and after of `id` at `scenario`: the after takes after_s, the before `gain` times as long; the gain of
/// process p is multiplied by factors[p].
inline void add_pair(record::ResultSet& results, const std::string& id, const std::string& scenario, double gain,
                     double after_s = 1e-3, const std::vector<double>& factors = {1.002, 1, 0.998}, int processes = 3) {
  add(results, {"made/" + id + "/before/" + scenario,
                {id, record::Role::before, scenario, ""},
                after_s * gain,
                factors,
                record::Mode::host,
                processes});
  add(results, {"made/" + id + "/after/" + scenario,
                {id, record::Role::after, scenario, ""},
                after_s,
                {},
                record::Mode::host,
                processes});
}

/// Adds a counter to all rows of `id`: the value of its side.
inline void add_counter(record::ResultSet& results, const std::string& id, const std::string& name, double before,
                        double after, record::Better better = record::Better::higher,
                        const std::string& unit = "bytes") {
  for (record::Row& row : results.rows) {
    if (row.advice.empty() || row.advice[0].id != id) continue;
    const bool is_before = row.advice[0].role == record::Role::before;
    row.counters[name] = {is_before ? before : after, unit, better, false};
  }
}

/// Adds the catalogue's piece that is judged by the counter usable_share, whose after is 16 times faster and has `gain`
/// times the share.
inline void add_fragmentation(record::ResultSet& results, double gain, int processes = 3) {
  constexpr double kShare = 0.25;
  add_pair(results, "fragmentation", "holes", 16, 1e-3, {1.002, 1, 0.998}, processes);
  add_counter(results, "fragmentation", "usable_share", kShare, kShare * gain, record::Better::higher, "1");
}

/// Adds a training step of net:small to which a change was added, or of which it was left out: how is "add" or "drop".
inline void add_step(record::ResultSet& results, const std::string& how, const std::string& change, double time_s,
                     int processes = 3) {
  const std::size_t first = results.rows.size();
  add(results, {"step/waterfall/" + how + ":" + change + "/net:small", {}, time_s, {}, record::Mode::host, processes});
  for (std::size_t i = first; i < results.rows.size(); ++i) {
    results.rows[i].advice.clear();
    results.rows[i].params = {{how, change}, {"net", "small"}};
  }
}

/// Adds a step that takes 4 ms with all changes: 9 without channels last, 7 without pinned copies, 5 without copies
/// ahead, 6 without amp, 4 without tf32, 4 without waiting.
inline void add_waterfall(record::ResultSet& results) {
  add_step(results, "add", "nothing", 12e-3);
  add_step(results, "add", "tf32", 9e-3);
  for (const char* change : {"no_wait", "pinned_copies", "amp", "copies_ahead"}) add_step(results, "add", change, 8e-3);
  add_step(results, "add", "channels_last", 4e-3);
  add_step(results, "drop", "channels_last", 9e-3);
  add_step(results, "drop", "pinned_copies", 7e-3);
  add_step(results, "drop", "copies_ahead", 5e-3);
  add_step(results, "drop", "amp", 6e-3);
  add_step(results, "drop", "tf32", 4e-3);
  add_step(results, "drop", "no_wait", 4e-3);
}

/// Makes the context of a GPU that does not exist, and of a run of that many processes.
inline record::Context context(int processes = 3, const std::string& device = "NVIDIA Synthetic 1") {
  record::Context context;
  context.build.version = "0.1.0";
  context.build.type = "Release";
  context.run.started = "2026-01-02T03:04:05Z";
  context.run.finished = "2026-01-02T03:14:05Z";
  context.run.profile = "quick";
  context.run.processes = processes;
  context.host.cpu = "Synthetic CPU";
  context.host.logical_cpus = 8;
  context.device.emplace();
  context.device->name = device;
  context.device->sm_count = 100;
  context.device->memory_bytes = std::int64_t{64} << 30;
  context.device->driver_version = "580.00";
  return context;
}

}  // namespace cupel::figures::synthetic
