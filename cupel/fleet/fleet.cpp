#include "cupel/fleet/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/outlier.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::fleet {
namespace {

std::string model_of(const record::Context& context) {
  std::string model;
  for (const figures::Key& key : figures::fingerprint(context)) {
    const bool names_it = key.name == "GPU" || key.name == "SMs" || key.name == "memory" || key.name == "memory bus" ||
                          (key.name == "CPU" && key.hardness == figures::Hardness::hard);
    if (!names_it || !key.value) continue;
    const bool needs_name = key.name != "GPU" && key.name != "CPU";
    model += (model.empty() ? "" : ", ") + *key.value + (needs_name ? " " + key.name : "");
  }
  return model.empty() ? "unknown model" : model;
}

// A value of a machine.
struct Point {
  std::size_t machine = 0;
  double log = 0;
  int benchmarks = 1;
};

std::optional<double> log_time(const figures::Benchmark* benchmark, record::Mode mode) {
  if (benchmark == nullptr || benchmark->failed > 0 || benchmark->twice) return std::nullopt;
  const figures::Locations* locations = benchmark->mode(mode);
  if (locations == nullptr) return std::nullopt;
  const double time = stats::median(locations->values_s);
  return time > 0 && std::isfinite(time) ? std::optional(std::log(time)) : std::nullopt;
}

std::vector<FleetFigure> figures(const std::string& name, const std::vector<Point>& points, const FleetRule& rule) {
  std::vector<double> logs;
  for (const Point& point : points) logs.push_back(point.log);
  const double centre = stats::median(logs);
  const std::vector<double> z = stats::robust_z(logs);
  std::vector<FleetFigure> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double distance = points[i].log - centre;
    const bool outlier = z[i] > rule.z && std::abs(distance) > std::log1p(rule.effect);
    found.push_back({name, points[i].machine, std::exp(distance), z[i], points[i].benchmarks, outlier, {}});
  }
  return found;
}

// The mode that the first machine with a figure reports.
std::optional<record::Mode> mode_of(const figures::Matched& matched, const std::vector<std::size_t>& machines) {
  for (const std::size_t machine : machines) {
    const figures::Benchmark* benchmark = matched.in[machine];
    if (benchmark != nullptr && !benchmark->modes.empty()) return benchmark->modes.front().mode;
  }
  return std::nullopt;
}

class FleetBuilder {
 public:
  FleetBuilder(std::string model, std::vector<std::size_t> machines, const FleetRule& rule) : rule_(rule) {
    fleet_.model = std::move(model);
    fleet_.failed.assign(machines.size(), 0);
    fleet_.machines = std::move(machines);
  }

  void add(const figures::Matched& matched) {
    count_failures(matched);
    const std::optional<record::Mode> mode = mode_of(matched, fleet_.machines);
    if (!mode) return;
    std::vector<Point> points;
    std::string family;
    for (const std::size_t machine : fleet_.machines) {
      const std::optional<double> log = log_time(matched.in[machine], *mode);
      if (!log) continue;
      points.push_back({machine, *log, 1});
      family = matched.in[machine]->family;
    }
    if (points.size() < rule_.fewest) return;
    for (FleetFigure& figure : figures(matched.name, points, rule_)) {
      figure.mode = mode;
      Sum& sum = sums_[family][figure.machine];
      sum.log += std::log(figure.ratio);
      ++sum.benchmarks;
      if (figure.outlier) fleet_.benchmarks.push_back(figure);
    }
  }

  Fleet finish() {
    for (const auto& [family, machines] : sums_) {
      std::vector<Point> points;
      for (const auto& [machine, sum] : machines) points.push_back({machine, sum.log / sum.benchmarks, sum.benchmarks});
      if (points.size() < rule_.fewest) continue;
      const std::vector<FleetFigure> found = figures(family, points, rule_);
      fleet_.families.insert(fleet_.families.end(), found.begin(), found.end());
    }
    const auto effect = [](const FleetFigure& figure) { return std::abs(std::log(figure.ratio)); };
    std::stable_sort(fleet_.benchmarks.begin(), fleet_.benchmarks.end(),
                     [&](const FleetFigure& a, const FleetFigure& b) { return effect(a) > effect(b); });
    return std::move(fleet_);
  }

 private:
  struct Sum {
    double log = 0;
    int benchmarks = 0;
  };

  void count_failures(const figures::Matched& matched) {
    for (std::size_t i = 0; i < fleet_.machines.size(); ++i) {
      const figures::Benchmark* benchmark = matched.in[fleet_.machines[i]];
      if (benchmark != nullptr && benchmark->failed > 0) ++fleet_.failed[i];
    }
  }

  const FleetRule& rule_;
  Fleet fleet_;
  std::map<std::string, std::map<std::size_t, Sum>> sums_;
};

}  // namespace

std::vector<Fleet> fleets(std::span<const figures::Suite> suites, const FleetRule& rule) {
  std::map<std::string, std::vector<std::size_t>> models;
  for (std::size_t i = 0; i < suites.size(); ++i) models[model_of(suites[i].context)].push_back(i);
  const std::vector<figures::Matched> matched = match(suites);
  std::vector<Fleet> found;
  for (auto& [model, machines] : models) {
    FleetBuilder builder(model, std::move(machines), rule);
    for (const figures::Matched& one : matched) builder.add(one);
    found.push_back(builder.finish());
  }
  return found;
}

}  // namespace cupel::fleet
