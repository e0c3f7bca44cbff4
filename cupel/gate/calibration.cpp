#include "cupel/gate/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cupel/gate/document.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::gate {
namespace {

using namespace record::detail;

constexpr std::size_t kLeastFreedom = 4;

std::vector<std::vector<double>> log_groups(const std::vector<Groups>& sessions) {
  std::vector<std::vector<double>> logs;
  for (const Groups& groups : sessions) {
    for (const std::vector<double>& group : groups) logs.push_back(stats::logarithms(group));
  }
  return logs;
}

bool usable(const figures::Benchmark& benchmark) {
  if (benchmark.modes.empty() || benchmark.failed > 0 || benchmark.twice) return false;
  const std::vector<double>& values = benchmark.modes.front().values_s;
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0 && std::isfinite(value); });
}

void add_groups(Groups& groups, const figures::Benchmark& benchmark, int group_size) {
  const std::vector<double>& values = benchmark.modes.front().values_s;
  const auto size = static_cast<std::size_t>(group_size);
  for (std::size_t begin = 0; begin + 1 < values.size(); begin += size) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, values.size()));
    groups.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(begin), end);
  }
}

Value text_value(std::string text) { return {std::move(text)}; }

Value optional_value(const std::optional<double>& number) { return number ? Value{*number} : Value{nullptr}; }

// A share of one for readers: four significant digits are more than it is known to.
Value rounded(const std::optional<double>& number) {
  if (!number || !(*number > 0)) return optional_value(number);
  const double scale = std::pow(10, 3 - std::floor(std::log10(*number)));
  return Value{std::round(*number * scale) / scale};
}

Value benchmark_value(const CalibratedBenchmark& benchmark) {
  Object object;
  object.push_back({"processes", Value{static_cast<std::int64_t>(benchmark.processes())}});
  object.push_back({"sigma", rounded(benchmark.sigma())});
  object.push_back({"mde", rounded(benchmark.mde())});
  object.push_back({"gateable_at", rounded(benchmark.gateable_at())});
  object.push_back({"largest_shift", rounded(benchmark.largest_shift())});
  Array sessions;
  for (const Groups& groups : benchmark.sessions) {
    Array list;
    for (const std::vector<double>& group : groups) list.push_back(Value{Numbers(group)});
    sessions.push_back(Value{std::move(list)});
  }
  object.push_back({"sessions_s", Value{std::move(sessions)}});
  return Value{std::move(object)};
}

void read_groups(const Value& value, const Path& path, Reading& reading, Groups& groups) {
  const Array* array = value.as<Array>();
  if (array == nullptr) {
    reading.problems.add(path, "must be a list of lists of seconds");
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const Path here(path, i);
    std::vector<double>& group = groups.emplace_back();
    decode((*array)[i], here, reading, group);
    const bool positive = std::all_of(group.begin(), group.end(), [](double s) { return s > 0 && std::isfinite(s); });
    if (group.empty() || !positive) reading.problems.add(here, "must hold times above 0");
  }
}

CalibratedBenchmark read_benchmark(const Value& value, const Path& path, Reading& reading) {
  Fields fields(value, path, reading);
  for (const char* computed : {"processes", "sigma", "mde", "gateable_at", "largest_shift"}) fields.ignore(computed);
  CalibratedBenchmark benchmark;
  const Value* sessions = fields.require("sessions_s");
  const Path here(path, "sessions_s");
  const Array* array = sessions == nullptr ? nullptr : sessions->as<Array>();
  if (array == nullptr) reading.problems.add(here, "must be a list of sessions");
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
    read_groups((*array)[i], Path(here, i), reading, benchmark.sessions.emplace_back());
  }
  fields.finish();
  return benchmark;
}

Calibration read_calibration(const Value& value, const Path& path, Reading& reading) {
  Fields fields(value, path, reading);
  Calibration calibration;
  require_version_1(fields, "cupel_gate_calibration");
  fields.read_required("made", calibration.made);
  if (const Value* keys = fields.take("fingerprint")) {
    for_each(*keys, Path(path, "fingerprint"), reading, [&](const Value& element, const Path& here) {
      calibration.fingerprint.push_back(read_key(element, here, reading));
    });
  }
  const Value* benchmarks = fields.require("benchmarks");
  const Path here(path, "benchmarks");
  const Object* object = benchmarks == nullptr ? nullptr : benchmarks->as<Object>();
  if (object == nullptr) reading.problems.add(here, "must be an object");
  for (std::size_t i = 0; object != nullptr && i < object->size(); ++i) {
    const Member& member = (*object)[i];
    calibration.benchmarks[member.key] = read_benchmark(member.value, Path(here, member.key), reading);
  }
  fields.finish();
  return calibration;
}

}  // namespace

std::size_t CalibratedBenchmark::processes() const {
  std::size_t count = 0;
  for (const Groups& groups : sessions) {
    for (const std::vector<double>& group : groups) count += group.size();
  }
  return count;
}

std::optional<double> CalibratedBenchmark::sigma(double least) const {
  const std::vector<std::vector<double>> logs = log_groups(sessions);
  std::size_t freedom = 0;
  for (const std::vector<double>& group : logs) freedom += group.size() - 1;
  if (freedom < kLeastFreedom) return std::nullopt;
  const std::vector<std::span<const double>> groups(logs.begin(), logs.end());
  return std::max(stats::pooled_standard_deviation(groups), least);
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

std::optional<double> CalibratedBenchmark::mde() const {
  const std::optional<double> noise = sigma();
  if (!noise) return std::nullopt;
  return std::expm1(stats::minimum_detectable_effect(*noise, stats::kConfirmProcesses.back()));
}

std::optional<double> CalibratedBenchmark::gateable_at() const {
  const std::optional<double> noise = sigma();
  if (!noise) return std::nullopt;
  return std::expm1(2 * *noise);
}

const CalibratedBenchmark* Calibration::find(std::string_view name) const {
  const auto found = benchmarks.find(name);
  return found == benchmarks.end() ? nullptr : &found->second;
}

void add_session(Calibration& calibration, const figures::Suite& a, const figures::Suite& b, int group_size) {
  const figures::Suite suites[] = {a, b};
  for (const figures::Matched& matched : match(suites)) {
    Groups groups;
    for (const figures::Benchmark* benchmark : matched.in) {
      if (benchmark != nullptr && usable(*benchmark)) add_groups(groups, *benchmark, group_size);
    }
    if (!groups.empty()) calibration.benchmarks[matched.name].sessions.push_back(std::move(groups));
  }
  calibration.fingerprint = figures::fingerprint(a.context);
}

std::vector<std::string> differences(const Calibration& calibration, const record::Context& here) {
  std::vector<std::string> lines;
  for (const figures::Key& key : figures::fingerprint(here)) {
    for (const figures::Key& known : calibration.fingerprint) {
      if (key.name != known.name || !key.value || !known.value || key.value == known.value) continue;
      lines.push_back(key.name + ": " + *known.value + " when calibrated, " + *key.value + " now");
    }
  }
  return lines;
}

std::string to_json(const Calibration& calibration) {
  Object root;
  root.push_back({"cupel_gate_calibration", Value{std::int64_t{1}}});
  root.push_back({"made", text_value(calibration.made)});
  root.push_back({"fingerprint", keys_value(calibration.fingerprint)});
  Object benchmarks;
  for (const auto& [name, benchmark] : calibration.benchmarks) {
    benchmarks.push_back({name, benchmark_value(benchmark)});
  }
  root.push_back({"benchmarks", Value{std::move(benchmarks)}});
  return dump(Value{std::move(root)}) + "\n";
}

Calibration calibration_from_json(std::string_view text, const std::string& origin) {
  return read_document<Calibration>(text, origin, read_calibration, UnknownKeys::passed_over);
}

}  // namespace cupel::gate
