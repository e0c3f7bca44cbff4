// Verdicts along sizes, in words.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "cupel/advice/advice.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::advice {
namespace {

// Digits, and the word behind them: a ratio that is said is never below 1.
struct GainWords {
  double times = 1;
  std::string digits, word;
};

const char* word_of(const std::string& unit, bool more) {
  if (unit == "s") return more ? " longer" : " shorter";
  if (unit == "bytes" || unit == "1") return more ? " larger" : " smaller";
  return more ? " more" : " less";
}

// both_ways: gains stand beside losses, so that it is said which is which.
GainWords gain_words(double gain, catalogue::AdviceKind kind, const AdviceMetric& metric, bool both_ways = false) {
  const bool worse = gain < 1;
  GainWords said{worse ? 1 / gain : gain, "", ""};
  said.digits = units::format_significant(said.times, 3) + "x";
  if (said.digits == "1.00x") return said;
  if (!metric.is_time()) {
    const bool more = (metric.better == record::Better::higher) != worse;
    said.word = word_of(metric.unit, more);
  } else if (kind == catalogue::AdviceKind::cost) {
    said.word = !worse ? " faster" : both_ways ? " longer" : "";
  } else {
    said.word = worse ? " slower" : both_ways ? " faster" : "";
  }
  return said;
}

bool is_measured(const AdvicePoint& point) { return point.verdict != AdviceVerdict::not_measurable; }

struct SizeRange {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
};

SizeRange measured_range(const AdviceCurve& curve) {
  SizeRange range;
  for (const AdvicePoint& point : curve.points) {
    if (!is_measured(point) || !point.size) continue;
    range.least = std::min(range.least, *point.size);
    range.greatest = std::max(range.greatest, *point.size);
  }
  return range;
}

int undecided_in(const AdviceCurve& curve) {
  return static_cast<int>(std::ranges::count(curve.points, AdviceVerdict::undecided, &AdvicePoint::verdict));
}

std::string where(const AdviceCurve& curve, const AdviceStretch& stretch, const SizeRange& range) {
  const std::string from = readable_size(curve.axis, stretch.from), to = readable_size(curve.axis, stretch.to);
  const bool from_start = stretch.from == range.least, to_end = stretch.to == range.greatest;
  if (from_start && to_end) return curve.odd.empty() && undecided_in(curve) == 0 ? " everywhere" : " at most sizes";
  if (stretch.from == stretch.to) return " at " + from;
  if (to_end) return " from " + from + " on";
  if (from_start) return " up to " + to;
  return " from " + from + " to " + to;
}

void append(std::string& text, const std::string& part) { text += (text.empty() ? "" : "; ") + part; }

// No difference goes without saying where there is something else to say; where a cost is none is half of the answer.
std::string stretches_text(const AdviceCurve& curve, catalogue::AdviceKind kind) {
  const SizeRange range = measured_range(curve);
  const bool only_one = curve.stretches.size() == 1;
  std::string text;
  for (const AdviceStretch& stretch : curve.stretches) {
    const bool same = stretch.verdict == AdviceVerdict::no_difference;
    if (same && !only_one && kind != catalogue::AdviceKind::cost) continue;
    const bool everywhere = stretch.from == range.least && stretch.to == range.greatest;
    const bool bare = curve.axis.empty() || (same && everywhere);
    append(text, verdict_word(stretch.verdict, kind) + (bare ? "" : where(curve, stretch, range)));
  }
  return text;
}

std::string odd_text(const AdviceCurve& curve, catalogue::AdviceKind kind) {
  std::string text;
  for (const std::size_t i : curve.odd) {
    const AdvicePoint& point = curve.points[i];
    append(text,
           "but " + verdict_word(point.verdict, kind) + " at " + readable_size(curve.axis, point.size.value_or(0)));
  }
  return text;
}

// "pays at 7, no difference at 2 of 9", "pays at all 5".
std::string counts_text(const AdviceResult& result) {
  const std::pair<int, std::string> counts[] = {
      {result.counts.pays, verdict_word(AdviceVerdict::pays, result.kind)},
      {result.counts.harms, verdict_word(AdviceVerdict::harms, result.kind)},
      {result.counts.same, verdict_word(AdviceVerdict::no_difference, result.kind)},
      {result.counts.undecided, to_string(AdviceVerdict::undecided)},
      {result.counts.not_measurable, to_string(AdviceVerdict::not_measurable)}};
  const int all = result.counts.decided() + result.counts.undecided + result.counts.not_measurable;
  std::string text;
  for (const auto& [count, word] : counts) {
    if (count == all) return word + " at all " + std::to_string(all);
    if (count > 0) text += (text.empty() ? "" : ", ") + word + " at " + std::to_string(count);
  }
  return text + " of " + std::to_string(all);
}

// The verdict that all counted curves share, else how many points have which.
std::string points_text(const AdviceResult& result) {
  std::string common;
  bool alike = true;
  for (const AdviceCurve& curve : result.counted()) {
    const std::string text = holds(curve, result.kind);
    alike = alike && (common.empty() || common == text);
    common = text;
  }
  if (common.empty()) return to_string(result.verdict);
  return alike ? common : counts_text(result);
}

std::vector<std::string> parts_of(const AdviceCurve& curve) {
  return units::split(readable_scenario(curve.scenario), '/');
}

std::string family_of(const AdviceCurve& curve) { return figures::family_of(curve.points.front().after_name); }

// Curves that say the same, with the variants of each scenario together.
struct Alike {
  std::string text;
  std::vector<std::pair<std::string, std::string>> names;  ///< scenario, without what all have; its variants
  std::vector<const AdviceCurve*> curves;
};

void add_name(Alike& alike, const std::string& scenario, const std::string& variant) {
  const auto known = std::ranges::find(alike.names, scenario, &std::pair<std::string, std::string>::first);
  if (known == alike.names.end()) {
    alike.names.emplace_back(scenario, variant);
  } else {
    if (known->second.empty()) known->second = "as advised";
    known->second += ", " + variant;
  }
}

std::string names_text(const Alike& alike) {
  constexpr std::size_t kMostNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(alike.names.size(), kMostNamed); ++i) {
    const auto& [scenario, variants] = alike.names[i];
    const bool both = !scenario.empty() && !variants.empty();
    append(text, scenario + (both ? " [" + variants + "]" : variants));
  }
  if (alike.names.size() > kMostNamed) append(text, std::to_string(alike.names.size() - kMostNamed) + " more");
  return text;
}

// Least and greatest gain of the points that pay, and of those that harm.
std::string gains_text(const Alike& alike, const AdviceResult& result) {
  std::string text;
  for (const AdviceVerdict verdict : {AdviceVerdict::harms, AdviceVerdict::pays}) {
    std::vector<double> gains;
    for (const AdviceCurve* curve : alike.curves) {
      for (const AdvicePoint& point : curve->points) {
        if (point.verdict == verdict) gains.push_back(point.gain->ratio);
      }
    }
    if (gains.empty()) continue;
    const auto [low, high] = std::ranges::minmax(gains);
    append(text, gain_range_text(low, high, result.kind, result.metric));
  }
  return text.empty() ? "" : " (" + text + ")";
}

}  // namespace

std::string gain_text(double gain, catalogue::AdviceKind kind, const AdviceMetric& metric) {
  const GainWords text = gain_words(gain, kind, metric);
  return text.digits + text.word;
}

std::string gain_range_text(double low, double high, catalogue::AdviceKind kind, const AdviceMetric& metric) {
  GainWords from = gain_words(low, kind, metric, true), to = gain_words(high, kind, metric, true);
  const bool spans_1 = (low < 1) != (high < 1) && !from.word.empty() && !to.word.empty();
  if (!spans_1) std::tie(from, to) = std::pair(gain_words(low, kind, metric), gain_words(high, kind, metric));
  const bool alike = from.word == to.word;
  const bool less_first =
      metric.is_time() ? kind == catalogue::AdviceKind::cost : metric.better == record::Better::lower;
  if (alike ? from.times > to.times : less_first) std::swap(from, to);
  if (alike && from.digits == to.digits) return from.digits + from.word;
  return from.digits + (alike ? "" : from.word) + " to " + to.digits + to.word;
}

std::string readable_metric(const AdviceMetric& metric) {
  if (metric.is_time()) return "time";
  std::string words = metric.counter;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string verdict_word(AdviceVerdict verdict, catalogue::AdviceKind kind) {
  if (kind == catalogue::AdviceKind::cost && verdict == AdviceVerdict::harms) return "costs";
  if (kind == catalogue::AdviceKind::cost && verdict == AdviceVerdict::no_difference) return "costs nothing";
  if (kind == catalogue::AdviceKind::cost && verdict == AdviceVerdict::pays) return "is faster";
  return to_string(verdict);
}

std::string holds(const AdviceCurve& curve, catalogue::AdviceKind kind) {
  if (curve.stretches.empty()) {
    return to_string(std::ranges::any_of(curve.points, is_measured) ? AdviceVerdict::undecided
                                                                    : AdviceVerdict::not_measurable);
  }
  std::string text = stretches_text(curve, kind);
  if (!curve.odd.empty()) append(text, odd_text(curve, kind));
  if (const int count = undecided_in(curve); count > 0) append(text, std::to_string(count) + " undecided");
  return text;
}

std::string holds(const AdviceResult& result) {
  const std::string text = points_text(result);
  if (result.metric.is_time() || result.measured().empty()) return text;
  return "by " + readable_metric(result.metric) + ": " + text;
}

std::vector<std::string> by_alternative(const AdviceResult& result) {
  std::vector<const AdviceCurve*> curves;
  for (const AdviceCurve& curve : result.counted()) curves.push_back(&curve);
  std::vector<std::string> common = curves.empty() ? std::vector<std::string>{} : parts_of(*curves.front());
  const auto lacks = [](const AdviceCurve& curve, const std::string& part) {
    const std::vector<std::string> parts = parts_of(curve);
    return std::ranges::find(parts, part) == parts.end();
  };
  std::erase_if(common, [&](const std::string& part) {
    return std::ranges::any_of(curves, [&](const AdviceCurve* curve) { return lacks(*curve, part); });
  });
  std::set<std::string> families;
  for (const AdviceCurve* curve : curves) families.insert(family_of(*curve));
  std::vector<Alike> groups;
  for (const AdviceCurve* curve : curves) {
    const std::string text = holds(*curve, result.kind);
    auto group = std::ranges::find(groups, text, &Alike::text);
    if (group == groups.end()) group = groups.insert(groups.end(), {text, {}, {}});
    std::string scenario = families.size() > 1 ? family_of(*curve) : "";
    for (const std::string& part : parts_of(*curve)) {
      if (part == family_of(*curve)) continue;
      if (std::ranges::find(common, part) == common.end()) scenario += (scenario.empty() ? "" : "/") + part;
    }
    add_name(*group, scenario, curve->variant);
    group->curves.push_back(curve);
  }
  std::vector<std::string> lines;
  for (const Alike& alike : groups) {
    const std::string names = names_text(alike);
    lines.push_back((names.empty() ? "" : names + ": ") + alike.text + gains_text(alike, result));
  }
  return lines;
}

std::string readable_size(std::string_view axis, double size) {
  const auto whole = static_cast<std::int64_t>(std::clamp(size, 0.0, 9e18));
  if (axis.ends_with("bytes")) return units::format_size(whole);
  return std::string(axis) + ":" + std::to_string(whole);
}

std::string readable_scenario(std::string_view scenario) {
  std::string text;
  for (const std::string& part : units::split(scenario, '/')) {
    text += (text.empty() ? "" : "/") + figures::readable_part(part);
  }
  return text;
}

}  // namespace cupel::advice
