#include "cupel/report/advise/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cupel/figures/words.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {

using advice::AdvicePoint;
using advice::AdviceResult;
using catalogue::AdviceKind;

namespace {

bool has_interval(const AdviceResult& result) {
  return std::ranges::any_of(result.curves, [](const advice::AdviceCurve& curve) {
    return std::ranges::any_of(curve.points,
                               [](const AdvicePoint& point) { return point.gain && point.gain->is_interval; });
  });
}

bool is_mixed(const AdviceResult& result) { return result.verdict == advice::AdviceVerdict::mixed; }

// What its figure is of.
std::vector<const AdvicePoint*> points_of(const AdviceResult& result) {
  return is_mixed(result) ? result.measured() : result.headline();
}

// The counter that stands beside the time: "; activations 1.59x smaller". Nothing where no point has it on both sides.
std::string beside_text(const AdviceResult& result) {
  std::vector<double> ratios;
  for (const AdvicePoint* point : points_of(result)) {
    if (!point->beside_before.value_or(0) || !point->beside_after.value_or(0)) continue;
    ratios.push_back(*point->beside_before / *point->beside_after);
  }
  if (result.beside.is_time() || ratios.empty()) return "";
  const auto [least, greatest] = std::ranges::minmax(ratios);
  return "; " + advice::readable_metric(result.beside) + " " +
         advice::gain_range_text(least, greatest, AdviceKind::gain, result.beside);
}

// Where it makes no difference at more points than it pays at: ", at 1 of 6".
std::string few_text(const AdviceResult& result) {
  if (result.verdict != advice::AdviceVerdict::pays || result.same <= result.pays) return "";
  return fmt::format(", at {} of {}", result.pays, result.decided() + result.undecided);
}

}  // namespace

std::string headline_figure(const AdviceResult& result) {
  std::vector<double> ratios;
  if (is_mixed(result) || result.gains.empty()) {
    for (const AdvicePoint* point : result.measured()) ratios.push_back(point->gain->ratio);
  } else {
    for (const advice::PartGain& one : result.gains) ratios.insert(ratios.end(), {one.least, one.most});
  }
  if (ratios.empty()) return "";
  const auto [least, greatest] = std::ranges::minmax(ratios);
  return advice::gain_range_text(least, greatest, result.kind, result.metric);
}

std::string figure_words(const AdviceResult& result) {
  const std::string figure = headline_figure(result);
  const bool is_longer = result.kind == AdviceKind::cost && figure.ends_with('x') && figure != "1.00x";
  return figure + (is_longer ? " longer" : "");
}

std::string modes_text(const AdviceResult& result) {
  if (!result.metric.is_time()) return advice::readable_metric(result.metric);
  std::vector<record::Mode> modes;
  for (const AdvicePoint* point : points_of(result)) modes.push_back(*point->mode);
  return figures::modes_text(modes);
}

std::string headline_text(const AdviceResult& result) {
  const std::string figure = headline_figure(result);
  if (figure.empty()) return "";
  if (!result.metric.is_time()) return advice::readable_metric(result.metric) + " " + figure;
  return figure_words(result) + " (" + modes_text(result) + few_text(result) + ")";
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

std::vector<std::string> alternatives(const AdviceResult& result) {
  if (!is_mixed(result) && (result.metric.is_time() || result.decided() == 0)) return {};
  std::vector<std::string> lines = advice::by_alternative(result);
  return lines.size() > 1 ? lines : std::vector<std::string>{};
}

std::string holds_text(const AdviceResult& result) {
  std::string text = advice::holds(result) + beside_text(result);
  if (is_mixed(result)) return text;
  if (!result.told_by.empty()) text += "; the gain is of " + advice::readable_scenario(result.told_by);
  if (result.pays_at_largest() && result.largest_told < result.largest_sizes &&
      result.decided() > result.largest_sizes) {
    text += fmt::format("; at {} of {} largest sizes", result.largest_told, result.largest_sizes);
  }
  if (!result.pays_at_largest() && result.verdict == advice::AdviceVerdict::pays) text += "; not at the largest size";
  if (result.gains.size() < 2) return text;
  std::set<std::string> families, precisions;
  for (const advice::PartGain& one : result.gains) {
    families.insert(one.family);
    precisions.insert(one.precision);
  }
  std::vector<std::string> parts;
  for (const advice::PartGain& one : result.gains) {
    std::string part = families.size() > 1 ? one.family + "/*" : one.precision.empty() ? "other" : "";
    if (precisions.size() > 1 && !one.precision.empty()) part += (part.empty() ? "" : " ") + one.precision;
    parts.push_back(part + " " + advice::gain_range_text(one.least, one.most, result.kind, result.metric));
  }
  return text + "; on the largest work " + joined(parts);
}

std::vector<const AdviceResult*> best_pieces(std::span<const AdviceResult> all, std::size_t most) {
  std::vector<const AdviceResult*> best = those(all, &AdviceResult::leads);
  if (best.empty()) {
    best = those(all, [](const AdviceResult& result) {
      return result.verdict == advice::AdviceVerdict::pays && result.kind != AdviceKind::cost;
    });
  }
  best.resize(std::min(best.size(), most));
  return best;
}

std::string group_remark(const AdviceResult& result) {
  if (result.group == advice::AdviceGroup::stage) return "in a loader, where it binds: ";
  if (result.group == advice::AdviceGroup::one_call) return "inside one API call: ";
  return result.group == advice::AdviceGroup::chosen ? "where somebody chose the before: " : "";
}

std::string same_cause(const std::vector<AdviceResult>& all, const AdviceResult& lead) {
  const auto others =
      those(all, [&](const AdviceResult& other) { return lead.leads && other.rank == lead.rank && !other.leads; });
  return joined(others | std::views::transform([](const AdviceResult* other) {
                  const bool is_one_call = other->group == advice::AdviceGroup::one_call;
                  return other->id + " " + headline_text(*other) + (is_one_call ? " inside one call" : "");
                }));
}

std::string most_saved(const AdviceResult& result) {
  if (!result.metric.is_time()) return "";
  double most_s = 0;
  int counted = 0;
  for (const AdvicePoint* point : result.headline()) {
    if (!point->decided()) continue;
    const double saved_s = point->before - point->after;
    most_s = std::max(most_s, result.verdict == advice::AdviceVerdict::harms ? -saved_s : saved_s);
    ++counted;
  }
  if (most_s <= 0) return "";
  return (counted > 1 ? "up to " : "") + units::format(most_s, units::Unit::seconds);
}

std::string spread_title(const AdviceResult& result) {
  return has_interval(result) ? "95 % interval" : "range of processes";
}

std::string spread_text(const AdvicePoint& point, const AdviceResult& result) {
  if (!point.gain || !point.gain->low || !point.gain->high) return "";
  const std::string text = advice::gain_range_text(*point.gain->low, *point.gain->high, result.kind, result.metric);
  return text + (has_interval(result) && !point.gain->is_interval ? " (range)" : "");
}

std::string undecided_text(const AdviceResult& result) {
  std::set<std::string> reasons;
  std::optional<int> needed;
  for (const advice::AdviceCurve& curve : result.curves) {
    if (!curve.recommended) continue;
    for (const AdvicePoint& point : curve.points) {
      if (point.verdict != advice::AdviceVerdict::undecided) continue;
      reasons.insert(point.reason);
      if (point.needed) needed = std::max(needed.value_or(0), *point.needed);
    }
  }
  std::vector<std::string> parts(reasons.begin(), reasons.end());
  if (needed) parts.push_back(fmt::format("about {} processes would decide", *needed));
  return joined(parts, "; ");
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
