#include "cupel/harness/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "cupel/stats/location.hpp"
#include "cupel/stats/precision.hpp"

namespace cupel::harness {
namespace {

Options g_options;
Progress* g_current = nullptr;
std::vector<record::Mode> g_kept_this_round;
std::function<void()> g_begin_sampling;
bool g_sampling = false;  // has begun, in this round

constexpr std::size_t kFewestSamples = 3;  // a round
constexpr std::size_t kSamplesBetweenQuestions = 5;

Progress& running() {
  if (g_current == nullptr) throw std::logic_error("only the body of a benchmark may say that");
  return *g_current;
}

record::Series* series_of(record::Row& row, record::Mode mode) {
  const auto found = std::ranges::find(row.series, mode, &record::Series::mode);
  return found == row.series.end() ? nullptr : &*found;
}

bool time_to_ask(std::size_t samples, const Allowance& allowed) {
  const auto least = static_cast<std::size_t>(allowed.min_samples);
  return samples >= least && (samples - least) % kSamplesBetweenQuestions == 0;
}

// The samples of earlier rounds by the same clock, and this one's behind them.
record::Series all_rounds_of(const record::Series& taken) {
  const record::Series* earlier = series_of(running().row, taken.mode);
  if (earlier == nullptr || earlier->engine != taken.engine) return taken;
  record::Series all = taken;
  all.samples_s.insert(all.samples_s.begin(), earlier->samples_s.begin(), earlier->samples_s.end());
  return all;
}

// FNV-1a: the same on every machine, unlike std::hash.
std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return h;
}

}  // namespace

const Options& options() { return g_options; }

std::filesystem::path data_folder() {
  const auto set = [](const char* name) { return std::getenv(name) != nullptr && *std::getenv(name) == '/'; };
  if (set("XDG_CACHE_HOME")) return std::filesystem::path(std::getenv("XDG_CACHE_HOME")) / "cupel";
  if (set("HOME")) return std::filesystem::path(std::getenv("HOME")) / ".cache" / "cupel";
  return std::filesystem::temp_directory_path() / ("cupel-" + std::to_string(getuid()));
}
void set_options(const Options& options) { g_options = options; }
Progress* current() { return g_current; }

void skip(const std::string& reason) { throw Skip(reason); }

void require(bool correct, const std::string& what) {
  if (!correct) throw CheckFailed("wrong result: " + what);
}

std::uint64_t input_seed() { return g_options.seed ^ hash(running().point.name); }

std::uint64_t look_seed() { return input_seed() + running().looks++; }

void set_limit(record::Limit limit) { running().row.limit = std::move(limit); }

void set_counter(const std::string& name, record::Counter counter) {
  running().row.counters[name] = std::move(counter);
}

void set_unusual(std::string how) { running().row.unusual = std::move(how); }

void set_note(std::string note) { running().row.note = std::move(note); }

void keep(const record::Workload& work, record::Series series, double timed_s) {
  record::Row& row = running().row;
  if (std::ranges::find(g_kept_this_round, series.mode) != g_kept_this_round.end()) {
    throw std::logic_error(row.name + ": two series of one mode in one round");
  }
  g_kept_this_round.push_back(series.mode);
  row.workload = work;
  row.timed_s += timed_s;
  if (series.samples_s.empty() || options().once) return;

  const auto taken = static_cast<std::int64_t>(series.samples_s.size());
  record::Series* earlier = series_of(row, series.mode);
  if (earlier == nullptr) {
    series.round_sizes = {taken};
    row.series.push_back(std::move(series));
    return;
  }
  earlier->samples_s.insert(earlier->samples_s.end(), series.samples_s.begin(), series.samples_s.end());
  for (std::size_t rank = 0; rank < earlier->samples_by_rank_s.size(); ++rank) {
    std::vector<double>& of_rank = earlier->samples_by_rank_s[rank];
    of_rank.insert(of_rank.end(), series.samples_by_rank_s.at(rank).begin(), series.samples_by_rank_s.at(rank).end());
  }
  earlier->round_sizes.push_back(taken);
  earlier->stop = series.stop;
}

void set_begin_sampling(std::function<void()> begin) { g_begin_sampling = std::move(begin); }

void begin_sampling() {
  if (g_begin_sampling && !std::exchange(g_sampling, true)) g_begin_sampling();
}

void account_cpu_wait(double sampling_s, double waited_s) {
  running().host_sampling_s += sampling_s;
  running().cpu_wait_s += waited_s;
}

void count_cpu_wait(Progress& progress) {
  if (progress.point.takes_all_cpus) return;
  const record::Series* figure = progress.row.main_series();
  if (figure == nullptr || figure->mode != record::Mode::host || progress.host_sampling_s <= 0) return;
  const double share = progress.cpu_wait_s / progress.host_sampling_s;
  progress.row.counters[record::kCpuWait] = {share, "1", record::Better::none, false};
}

Allowance allowance() {
  const auto share = [](int total) { return std::max(1, (total + g_options.rounds - 1) / g_options.rounds); };
  return {g_options.max_wall_s / g_options.rounds, share(g_options.min_samples), share(g_options.max_samples)};
}

const record::Series* kept_so_far(record::Mode mode) { return series_of(running().row, mode); }

std::int64_t calls_of_earlier_rounds(record::Mode mode) {
  const record::Series* earlier = kept_so_far(mode);
  return earlier == nullptr ? 0 : earlier->calls_per_sample;
}

std::optional<record::Stop> reason_to_stop(const record::Series& taken, const Allowance& allowed, double elapsed_s) {
  const std::size_t n = taken.samples_s.size();
  if (time_to_ask(n, allowed)) {
    const double goal = g_options.noise_goal, half_tick_s = taken.resolution_s / 2;
    const stats::Precision seen = stats::interquartile_mean_precision(all_rounds_of(taken).corrected_s());
    if (std::max(seen.half_width, half_tick_s) <= goal * seen.location) return record::Stop::precision;
    if (seen.half_width <= half_tick_s) return record::Stop::tick;
  }
  if (n >= static_cast<std::size_t>(allowed.max_samples)) return record::Stop::count;
  const std::size_t fewest = elapsed_s > kFarBeyond * allowed.wall_s ? 1 : kFewestSamples;
  if (elapsed_s > allowed.wall_s && n >= fewest) return record::Stop::wall;
  return std::nullopt;
}

void run_body(Progress& progress, benchmark::State& state) {
  g_kept_this_round.clear();
  g_sampling = false;
  g_current = &progress;
  struct Leave {
    ~Leave() {
      g_current = nullptr;
      g_begin_sampling = nullptr;  // may lead to whoever measures, who may be gone by the next
    }
  } leave;
  progress.point.body(state);
}

double location_s(const record::Series& series) { return stats::interquartile_mean(series.corrected_s()); }

}  // namespace cupel::harness
