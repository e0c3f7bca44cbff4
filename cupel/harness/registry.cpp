#include "cupel/harness/registry.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

#include "cupel/harness/session.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::harness {
namespace {

// Definitions are chained on after they were added, so their addresses must last: a deque.
std::deque<Definition>& definitions() {
  static std::deque<Definition> all;
  return all;
}

bool& any_unoptimised() {
  static bool any = false;
  return any;
}

std::vector<std::pair<std::int64_t, Profile>> values_up_to(const Sweep& sweep, Profile profile) {
  std::vector<std::pair<std::int64_t, Profile>> values;
  std::set<std::int64_t> seen;
  const auto take = [&](const std::vector<std::int64_t>& more, Profile smallest) {
    if (smallest > profile) return;
    for (const std::int64_t value : more) {
      if (seen.insert(value).second) values.emplace_back(value, smallest);
    }
  };
  take(sweep.quick, Profile::quick);
  take(sweep.standard, Profile::standard);
  take(sweep.full, Profile::full);
  std::ranges::sort(values);
  return values;
}

}  // namespace

Definition::Definition(std::string name, Body body)
    : unswept_{.name = name, .base = std::move(name), .body = std::move(body)} {}

Definition& Definition::sweep(std::string parameter, Sweep values) {
  sweeps_.emplace_back(std::move(parameter), std::move(values));
  return *this;
}

Definition& Definition::advice(std::string id, record::Role role, std::string scenario, std::string variant) {
  unswept_.advice.push_back({std::move(id), role, std::move(scenario), std::move(variant)});
  return *this;
}

Definition& Definition::from(Profile smallest) {
  unswept_.smallest = smallest;
  return *this;
}

Definition& Definition::first_of_process() {
  unswept_.first = true;
  return *this;
}

Definition& Definition::host_only() {
  unswept_.needs_device = false;
  return *this;
}

Definition& Definition::takes_all_cpus() {
  unswept_.takes_all_cpus = true;
  return *this;
}

Definition& Definition::memory(std::function<Memory(const std::vector<std::int64_t>&)> wanted) {
  memory_ = std::move(wanted);
  return *this;
}

Definition& Definition::duration(std::function<Duration(const std::vector<std::int64_t>&)> expected) {
  duration_ = std::move(expected);
  return *this;
}

std::vector<Definition::Point> Definition::points(Profile profile) const {
  if (unswept_.smallest > profile) return {};
  std::vector<Point> points{unswept_};
  for (const auto& [parameter, values] : sweeps_) {
    std::vector<Point> next;
    for (const Point& point : points) {
      for (const auto& [value, smallest] : values_up_to(values, profile)) {
        Point swept = point;
        const std::string suffix = "/" + parameter + ":" + std::to_string(value);
        swept.name += suffix;
        for (record::AdviceTag& tag : swept.advice) tag.scenario += suffix;
        swept.args.push_back(value);
        swept.arg_names.push_back(parameter);
        swept.smallest = std::max(swept.smallest, smallest);
        next.push_back(std::move(swept));
      }
    }
    points = std::move(next);
  }
  for (Point& point : points) {
    point.params = units::parameters_of(point.name);
    if (memory_) point.memory = memory_(point.args);
    if (duration_) point.duration = duration_(point.args);
  }
  return points;
}

Definition& add(std::string name, Body body, Compiled compiled) {
  const std::size_t slash = name.find('/');
  if (slash == 0 || slash == std::string::npos || name.find_first_of(" \t\n") != std::string::npos) {
    throw std::invalid_argument("add: '" + name + "' is not of the form family/operation/parameter:value");
  }
  any_unoptimised() = any_unoptimised() || compiled == Compiled::unoptimised;
  return definitions().emplace_back(std::move(name), std::move(body));
}

bool registered_unoptimised() { return any_unoptimised(); }

std::vector<Definition::Point> registered_points(Profile profile) {
  std::vector<Definition::Point> points;
  std::set<std::string> names;
  for (const Definition& definition : definitions()) {
    for (Definition::Point& point : definition.points(profile)) {
      if (!names.insert(point.name).second) {
        throw std::invalid_argument("the benchmark '" + point.name + "' is registered twice");
      }
      points.push_back(std::move(point));
    }
  }
  return points;
}

std::string registered_family() {
  std::string family;
  for (const Definition& definition : definitions()) {
    const std::string name = definition.name().substr(0, definition.name().find('/'));
    if (!family.empty() && name != family) {
      throw std::invalid_argument("one executable registers two families: '" + family + "' and '" + name + "'");
    }
    family = name;
  }
  if (family.empty()) throw std::invalid_argument("register_benchmarks() added no benchmark");
  return family;
}

void forget_registered() {
  definitions().clear();
  any_unoptimised() = false;
}

std::vector<std::int64_t> powers(std::int64_t first, std::int64_t last, std::int64_t factor) {
  if (first <= 0 || last < first || factor < 2)
    throw std::invalid_argument("powers: not 0 < first <= last, factor >= 2");
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value < last; value *= factor) values.push_back(value);
  values.push_back(last);
  return values;
}

}  // namespace cupel::harness
