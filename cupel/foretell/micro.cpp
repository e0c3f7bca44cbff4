#include "cupel/foretell/micro.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "cupel/units/parse.hpp"

namespace cupel::foretell {
namespace {

using figures::Figure;

constexpr std::size_t kNeighbours = 3;

Estimate estimate_of(const figures::Estimate& time) {
  return {time.location_s, time.low_s.value_or(time.location_s), time.high_s.value_or(time.location_s)};
}

double bytes_of(const Figure& figure) {
  const auto part = [](std::int64_t bytes) { return static_cast<double>(bytes); };
  return part(figure.workload.bytes_read) + part(figure.workload.bytes_written) + part(figure.workload.bytes_moved);
}

// A row by its size.
struct Point {
  double size;
  Estimate time;
};

// Between neighbours the time may be anything from the one's for each unit to the other's, the less so the nearer a row
// is.
Estimate between(const Point& a, const Point& b, double size) {
  const double share = std::log(size / a.size) / std::log(b.size / a.size);
  const double value = std::exp((1 - share) * std::log(a.time.value) + share * std::log(b.time.value));
  const double by_a = a.time.value / a.size * size, by_b = b.time.value / b.size * size;
  const double openness = 4 * share * (1 - share);  // 0 at a row, 1 half way
  const auto own = [&](double Estimate::*end) {
    return (1 - share) * (a.time.*end / a.time.value) + share * (b.time.*end / b.time.value);
  };
  return {value, value * own(&Estimate::low) + openness * (std::min({by_a, by_b, value}) - value),
          value * own(&Estimate::high) + openness * (std::max({by_a, by_b, value}) - value)};
}

// In proportion to the last row, or as the last two go on.
Estimate beyond(const std::vector<Point>& points, double size) {
  const Point& last = points.back();
  const double times = size / last.size;
  Estimate time = times * last.time;
  if (points.size() > 1) {
    const Point& before = points[points.size() - 2];
    const double steepness = std::log(last.time.value / before.time.value) / std::log(last.size / before.size);
    const double goes_on = last.time.value * std::pow(times, steepness);
    time = {time.value, std::min(time.low, goes_on), std::max(time.high, goes_on)};
  }
  return time;
}

// As the first two rows go on; from what a call costs to in proportion.
Estimate before(const std::vector<Point>& points, double size) {
  const Point& least = points.front();
  double steepness = 0;
  if (points.size() > 1) {
    const Point& next = points[1];
    steepness = std::log(next.time.value / least.time.value) / std::log(next.size / least.size);
  }
  const double times = size / least.size;
  return {std::pow(times, std::clamp(steepness, 0.0, 1.0)) * least.time.value, times * least.time.low, least.time.high};
}

Estimate on_curve(std::vector<Point> points, double size, const std::string& what) {
  if (points.empty()) throw NoRows(what);
  if (size <= 0) return {};
  std::ranges::sort(points, {}, &Point::size);
  if (size >= points.back().size) return beyond(points, size);
  if (size <= points.front().size) return before(points, size);
  const auto above = std::ranges::upper_bound(points, size, {}, &Point::size);
  return between(*(above - 1), *above, size);
}

}  // namespace

std::optional<std::vector<std::string>> stars(std::string_view pattern, std::string_view name) {
  std::vector<std::string> found;
  while (!pattern.empty()) {
    const std::size_t star = pattern.find('*');
    const std::string_view text = pattern.substr(0, star);
    if (name.substr(0, text.size()) != text) return std::nullopt;
    name.remove_prefix(text.size());
    if (star == std::string_view::npos) return name.empty() ? std::optional(found) : std::nullopt;
    const std::size_t end = std::min(name.find('/'), name.size());
    found.emplace_back(name.substr(0, end));
    name.remove_prefix(end);
    pattern.remove_prefix(star + 1);
  }
  return name.empty() ? std::optional(found) : std::nullopt;
}

Place place_of_work(double flops, double bytes) { return {0.5 * std::log(flops), std::log(flops / bytes)}; }

Place place_of_time(double time_s) { return {std::log(time_s), 0}; }

Estimate nearest(std::vector<Known> known, const Place& place, const std::string& what) {
  if (known.empty()) throw NoRows(what);
  const auto distance = [&](const Known& k) { return std::hypot(k.place.x - place.x, k.place.y - place.y) + k.far; };
  std::ranges::sort(known, {}, distance);
  known.resize(std::min(known.size(), kNeighbours));
  const Estimate& first = known.front().value;
  const double away = std::min(distance(known.front()), 1.0);
  double sum = 0, weights = 0, low = first.low, high = first.high;
  for (const Known& k : known) {
    const double weight = 1 / (distance(k) + 1e-3);
    sum += weight * k.value.value;
    weights += weight;
    low = std::min(low, first.low + away * (k.value.low - first.low));
    high = std::max(high, first.high + away * (k.value.high - first.high));
  }
  const double mean = sum / weights;
  return {mean, std::min(low, mean), std::max(high, mean)};
}

Micro::Micro(std::vector<Figure> figures) : figures_(std::move(figures)) {
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    if (figures_[i].time) of_operation_[figures_[i].operation].push_back(i);
  }
}

// In this mode those that have it, else the main figures.
std::vector<const Figure*> Micro::matching(const std::string& pattern, std::optional<record::Mode> mode) const {
  std::vector<const Figure*> main, in_mode;
  const auto found = of_operation_.find(figures::operation_of(pattern));
  if (found == of_operation_.end()) return main;
  for (const std::size_t i : found->second) {
    const Figure& figure = figures_[i];
    if (!stars(pattern, figure.name)) continue;
    if (figure.is_main) main.push_back(&figure);
    if (figure.mode == mode) in_mode.push_back(&figure);
  }
  return in_mode.empty() ? main : in_mode;
}

const Figure* Micro::twin(const Figure& figure, const std::string& from, const std::string& to) const {
  std::string name = figure.name;
  const std::size_t at = name.find(from);
  if (at == std::string::npos) return nullptr;
  name.replace(at, from.size(), to);
  const std::vector<const Figure*> found = matching(name, figure.mode);
  return found.empty() ? nullptr : found.front();
}

Estimate Micro::time_at(const std::string& pattern, double number, std::optional<record::Mode> mode) const {
  std::vector<Point> points;
  for (const Figure* figure : matching(pattern, mode)) {
    const std::optional<double> size = units::number<double>(stars(pattern, figure->name)->back());
    if (size && *size > 0) points.push_back({*size, estimate_of(*figure->time)});
  }
  return on_curve(std::move(points), number, pattern);
}

Estimate Micro::time_of_bytes(const std::vector<std::string>& patterns, double bytes) const {
  std::vector<Point> points;
  for (const std::string& pattern : patterns) {
    for (const Figure* figure : matching(pattern, std::nullopt)) {
      const double size = bytes_of(*figure);
      const bool is_new = std::ranges::none_of(points, [&](const Point& p) { return p.size == size; });
      if (size > 0 && is_new) points.push_back({size, estimate_of(*figure->time)});
    }
  }
  return on_curve(std::move(points), bytes, patterns.front());
}

std::vector<Known> Micro::ratios(const std::string& pattern, const std::string& before, const std::string& after,
                                 double far) const {
  std::vector<Known> known;
  for (const Figure* figure : matching(pattern, std::nullopt)) {
    const Figure* other = twin(*figure, before, after);
    const auto flops = static_cast<double>(figure->workload.flops);
    const double bytes = bytes_of(*figure);
    if (other == nullptr || flops <= 0 || bytes <= 0) continue;
    const Estimate from = estimate_of(*figure->time), to = estimate_of(*other->time);
    const Estimate ratio{to.value / from.value, to.low / from.high, to.high / from.low};
    known.push_back({place_of_work(flops, bytes), ratio, far});
  }
  return known;
}

std::vector<Known> Micro::differences(const std::string& pattern, const std::string& before, const std::string& after,
                                      double parts) const {
  std::vector<Known> known;
  for (const Figure* figure : matching(pattern, std::nullopt)) {
    const Figure* other = twin(*figure, before, after);
    if (other == nullptr) continue;
    const Estimate difference = estimate_of(*figure->time) - estimate_of(*other->time);
    known.push_back({place_of_time(other->time->location_s / parts), 1 / parts * difference});
  }
  return known;
}

}  // namespace cupel::foretell
