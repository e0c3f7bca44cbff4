#include "cupel/gate/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/gate/gate_files.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/units/format.hpp"

namespace cupel::gate {

using namespace record::detail;

namespace {

constexpr std::size_t kLeastFreedom = 4;

std::vector<std::vector<double>> log_groups(const std::vector<Groups>& sessions) {
  std::vector<std::vector<double>> logs;
  for (const Groups& groups : sessions) {
    for (const std::vector<double>& group : groups) logs.push_back(stats::logarithms(group));
  }
  return logs;
}

// Nothing below kLeastFreedom degrees of freedom.
std::optional<double> noise_of(const std::vector<Groups>& sessions,
                               const std::function<double(std::span<const std::span<const double>>)>& measure) {
  const std::vector<std::vector<double>> logs = log_groups(sessions);
  std::size_t freedom = 0;
  for (const std::vector<double>& group : logs) freedom += group.size() - 1;
  if (freedom < kLeastFreedom) return std::nullopt;
  const std::vector<std::span<const double>> groups(logs.begin(), logs.end());
  return std::max(measure(groups), compare::kLeastSigma);
}

void add_groups(Groups& groups, const std::vector<double>& values, int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  for (std::size_t begin = 0; begin + 1 < values.size(); begin += size) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, values.size()));
    groups.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(begin), end);
  }
}

// A share of one for readers: four significant digits are more than it is known to.
std::optional<double> rounded(const std::optional<double>& number) {
  return number ? std::optional(units::rounded(*number, 4)) : std::nullopt;
}

}  // namespace

// All but the sessions is computed from them: it is for people, and not believed.
static void visit(auto& v, Is<CalibratedBenchmark> auto& benchmark) {
  auto processes = static_cast<std::int64_t>(benchmark.processes());
  auto sigma = rounded(benchmark.sigma()), mde = rounded(benchmark.mde());
  auto gateable_at = rounded(benchmark.gateable_at()), largest_shift = rounded(benchmark.largest_shift());
  v("processes", processes);
  v("sigma", sigma);
  v("mde", mde);
  v("gateable_at", gateable_at);
  v("largest_shift", largest_shift);
  v("sessions_s", benchmark.sessions, kRequired);
}

static void check(const CalibratedBenchmark& benchmark, const Path& path, Reading& reading) {
  const Path sessions(path, "sessions_s");
  for (std::size_t i = 0; i < benchmark.sessions.size(); ++i) {
    const Path groups(sessions, i);
    for (std::size_t j = 0; j < benchmark.sessions[i].size(); ++j) {
      if (!stats::are_positive(benchmark.sessions[i][j]))
        reading.problems.add(Path(groups, j), "must hold times above 0");
    }
  }
}

static void visit(auto& v, Is<MachineNoise> auto& calibration) {
  record::visit_version(v, "cupel_gate_calibration");
  v("made", calibration.made, kRequiredTime);
  v("fingerprint", calibration.fingerprint);
  v("benchmarks", calibration.benchmarks, kRequired);
}

std::size_t CalibratedBenchmark::processes() const {
  std::size_t count = 0;
  for (const Groups& groups : sessions) {
    for (const std::vector<double>& group : groups) count += group.size();
  }
  return count;
}

std::optional<double> CalibratedBenchmark::sigma() const {
  return noise_of(sessions, [](const auto& groups) { return stats::pooled_standard_deviation(groups); });
}

std::optional<double> CalibratedBenchmark::sigma_at(double target) const {
  return noise_of(sessions, [&](const auto& groups) { return stats::rank_sigma(groups, std::log1p(target)); });
}

std::optional<double> CalibratedBenchmark::largest_shift() const {
  const std::vector<std::vector<double>> logs = log_groups(sessions);
  if (logs.size() < 2) return std::nullopt;
  double largest = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      largest = std::max(largest, std::abs(stats::hodges_lehmann(logs[i], logs[j]).estimate));
    }
  }
  return largest;
}

std::optional<double> CalibratedBenchmark::mde(double target) const {
  const std::optional<double> noise = sigma_at(target);
  if (!noise) return std::nullopt;
  return std::expm1(stats::minimum_detectable_effect(*noise, stats::kConfirmProcesses.back()));
}

std::optional<double> CalibratedBenchmark::gateable_at() const {
  const std::optional<double> noise = sigma_at();
  if (!noise) return std::nullopt;
  return std::expm1(2 * *noise);
}

const CalibratedBenchmark* MachineNoise::find(std::string_view name) const {
  const auto found = benchmarks.find(name);
  return found == benchmarks.end() ? nullptr : &found->second;
}

void add_session(MachineNoise& calibration, const figures::Suite& a, const figures::Suite& b, int group_size) {
  const figures::Suite suites[] = {a, b};
  for (const figures::Matched& matched : match(suites)) {
    Groups groups;
    for (const figures::Benchmark* benchmark : matched.in) {
      const figures::Locations* times = benchmark == nullptr ? nullptr : benchmark->times();
      if (times != nullptr) add_groups(groups, times->values_s, group_size);
    }
    if (!groups.empty()) calibration.benchmarks[matched.name].sessions.push_back(std::move(groups));
  }
  calibration.fingerprint = figures::fingerprint(a.context);
}

std::vector<std::string> differences(const MachineNoise& calibration, const record::Context& here) {
  std::vector<std::string> lines;
  for (const figures::Key& key : figures::fingerprint(here)) {
    if (key.name == "revision" || !key.value) continue;  // what a gate is about
    const auto found = std::ranges::find(calibration.fingerprint, key.name, &figures::Key::name);
    const std::optional<std::string> known = found == calibration.fingerprint.end() ? std::nullopt : found->value;
    // Before it was written down, programs sampled as long as their library has it: the noise is another.
    const bool tells = known || (key.name == figures::kSamplingTime && !calibration.fingerprint.empty());
    if (!tells || known == key.value) continue;
    lines.push_back(key.name + ": " + known.value_or("unknown") + " when calibrated, " + *key.value + " now");
  }
  return lines;
}

std::string to_json(const MachineNoise& calibration) {
  MachineNoise written = calibration;
  written.fingerprint = known(calibration.fingerprint);
  return lines(encode(written), 2) + "\n";
}

MachineNoise calibration_from_json(std::string_view text, const std::string& origin) {
  return record::read_document<MachineNoise>(text, origin, record::UnknownKeys::passed_over);
}

}  // namespace cupel::gate
