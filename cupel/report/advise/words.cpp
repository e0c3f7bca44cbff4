#include "cupel/report/advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cupel/figures/words.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/unit.hpp"

namespace cupel::report {

using advice::AdvicePoint;
using advice::AdviceResult;
using catalogue::AdviceKind;

std::string times(double ratio) { return units::format_significant(ratio, 3) + "x"; }

std::string figure(double gain, catalogue::AdviceKind kind) {
  return times(kind == catalogue::AdviceKind::cost ? 1 / gain : gain);
}

std::string headline_figure(const AdviceResult& result) {
  const bool harms = result.verdict == advice::AdviceVerdict::harms;
  const std::optional<double>& chosen = harms ? result.loss : result.gain ? result.gain : result.typical;
  return chosen ? figure(*chosen, result.kind) : "";
}

std::string modes_text(const AdviceResult& result) {
  if (!result.metric.is_time()) return advice::readable_metric(result.metric);
  std::vector<record::Mode> modes;
  for (const AdvicePoint* point : result.measured()) modes.push_back(*point->mode);
  return figures::modes_text(modes);
}

std::string headline_text(const AdviceResult& result) {
  const std::string figure = headline_figure(result);
  if (figure.empty()) return "";
  const std::string longer = result.kind == catalogue::AdviceKind::cost ? " longer" : "";
  if (result.metric.is_time()) return figure + longer + " (" + modes_text(result) + ")";
  return figure + " by " + advice::readable_metric(result.metric);
}

std::string ratio_text(const advice::AdviceMetric& metric) {
  const std::string what = advice::readable_metric(metric);
  if (metric.better == record::Better::higher) return what + " after / " + what + " before";
  return what + " before / " + what + " after";
}

std::string amount_text(double amount, const advice::AdviceMetric& metric) {
  if (const auto unit = units::unit_of(metric.unit)) return units::format(amount, *unit);
  return units::format_significant(amount, 3) + " " + metric.unit;
}

std::string figure_range(const AdviceResult& result) {
  const std::vector<const advice::AdvicePoint*> points = result.measured();
  if (points.empty()) return "";
  const auto [least, greatest] =
      std::ranges::minmax(points, {}, [](const advice::AdvicePoint* point) { return point->gain->ratio; });
  std::string low = figure(least->gain->ratio, result.kind), high = figure(greatest->gain->ratio, result.kind);
  if (result.kind == catalogue::AdviceKind::cost) std::swap(low, high);
  return low == high ? low : low + " to " + high;
}

std::string most_saved(const AdviceResult& result) {
  if (!result.metric.is_time()) return "";
  double most_s = 0;
  int counted = 0;
  for (const advice::AdvicePoint* point : result.measured()) {
    if (!point->decided()) continue;
    const double saved_s = point->before - point->after;
    most_s = std::max(most_s, result.verdict == advice::AdviceVerdict::harms ? -saved_s : saved_s);
    ++counted;
  }
  if (most_s <= 0) return "";
  return (counted > 1 ? "up to " : "") + units::format(most_s, units::Unit::seconds);
}

std::string interval_text(const advice::AdvicePoint& point, catalogue::AdviceKind kind) {
  if (!point.gain || !point.gain->low || !point.gain->high) return "";
  std::string low = figure(*point.gain->low, kind), high = figure(*point.gain->high, kind);
  if (kind == catalogue::AdviceKind::cost) std::swap(low, high);
  return low + " to " + high;
}

std::string undecided_text(const AdviceResult& result) {
  std::set<std::string> reasons;
  std::optional<int> needed;
  for (const advice::AdviceCurve& curve : result.curves) {
    if (!curve.recommended) continue;
    for (const advice::AdvicePoint& point : curve.points) {
      if (point.verdict != advice::AdviceVerdict::undecided) continue;
      reasons.insert(point.reason);
      if (point.needed) needed = std::max(needed.value_or(0), *point.needed);
    }
  }
  std::vector<std::string> parts(reasons.begin(), reasons.end());
  if (needed) parts.push_back(fmt::format("about {} processes would decide", *needed));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string curve_name(const advice::AdviceCurve& curve) {
  std::string name = advice::readable_scenario(curve.scenario);
  if (!curve.variant.empty()) name += (name.empty() ? "[" : " [") + curve.variant + "]";
  if (!curve.axis.empty()) name += (name.empty() ? "by " : ", by ") + curve.axis;
  std::vector<record::Mode> modes;
  for (const AdvicePoint& point : curve.points) {
    if (point.mode) modes.push_back(*point.mode);
  }
  if (!modes.empty()) name += (name.empty() ? "" : ", ") + figures::modes_text(modes);
  return name;
}

}  // namespace cupel::report
