#include "cupel/advice/advice.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "cupel/advice/order.hpp"
#include "cupel/advice/own_step.hpp"
#include "cupel/advice/stages.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/record/record.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::advice {
namespace {

constexpr const char* kPyTorch = "pytorch/";  // so scenarios of the family pytorch begin

// In the catalogue's order, then what the catalogue does not know.
std::vector<std::string> ids_of(const record::ResultSet& results, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const catalogue::CatalogueRow& row : catalogue.rows) ids.push_back(row.id);
  std::set<std::string> known(ids.begin(), ids.end());
  for (const record::Row& row : results.rows) {
    for (const record::AdviceTag& tag : row.advice) {
      if (known.insert(tag.id).second) ids.push_back(tag.id);
    }
  }
  return ids;
}

void count(AdviceResult& result) {
  std::vector<const AdvicePoint*> points;
  for (const AdviceCurve& curve : result.counted()) {
    for (const AdvicePoint& point : curve.points) points.push_back(&point);
  }
  const auto count_of = [&](AdviceVerdict verdict) {
    return static_cast<int>(std::ranges::count(points, verdict, &AdvicePoint::verdict));
  };
  result.counts.pays = count_of(AdviceVerdict::pays);
  result.counts.harms = count_of(AdviceVerdict::harms);
  result.counts.same = count_of(AdviceVerdict::no_difference);
  result.counts.undecided = count_of(AdviceVerdict::undecided);
  result.counts.not_measurable = count_of(AdviceVerdict::not_measurable);
  const auto first = std::ranges::find(points, AdviceVerdict::not_measurable, &AdvicePoint::verdict);
  if (first != points.end()) result.reason = (*first)->reason;
}

template <class Keep>
std::optional<double> median_gain(const AdviceResult& result, const Keep& keep) {
  std::vector<double> ratios;
  for (const AdvicePoint* point : result.measured()) {
    if (keep(point->verdict)) ratios.push_back(point->gain->ratio);
  }
  if (ratios.empty()) return std::nullopt;
  return stats::median(ratios);
}

// "bf16" of the variant bf16, "fp8_e4m3" of fp8_e4m3 against fp32, "fp16" of a scenario with precision:fp16.
std::string precision_of(const AdviceCurve& curve) {
  for (const char* kind : {"fp", "bf16", "tf32", "int"}) {
    const bool named =
        curve.variant.starts_with(kind) && curve.variant.find_first_of("0123456789") != std::string::npos;
    if (named) return curve.variant.substr(0, curve.variant.find(' '));
  }
  for (const std::string& name : {std::string("precision:"), std::string("type:")}) {
    const std::size_t found = curve.scenario.find(name);
    if (found == std::string::npos) continue;
    const std::size_t begin = found + name.size();
    return curve.scenario.substr(begin, curve.scenario.find('/', begin) - begin);
  }
  return "";
}

// Whether a scenario that begins so was measured. Where it tells, others, parts of it as a bare copy of a loader, do
// not count.
bool set_told_by(AdviceResult& result, const std::string& told_by) {
  const auto is_told_by = [&](const AdviceCurve& curve) { return curve.points.front().scenario.starts_with(told_by); };
  const bool was_measured = std::ranges::any_of(result.curves, [&](const AdviceCurve& curve) {
    return curve.recommended && is_told_by(curve) &&
           std::ranges::any_of(curve.points, [](const AdvicePoint& point) { return point.gain.has_value(); });
  });
  if (told_by.empty() || !was_measured) return false;
  result.told_by = told_by;
  for (AdviceCurve& curve : result.curves) curve.is_told_by = is_told_by(curve);
  std::ranges::stable_partition(result.curves, &AdviceCurve::counts);
  return true;
}

// Marks the points that they are of. largest: only the largest size of each curve, which may be undecided.
std::vector<PartGain> take_gains(AdviceResult& result, AdviceVerdict verdict, bool largest) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
  result.gains.largest_sizes = result.gains.largest_told = 0;
  for (AdviceCurve& curve : result.curves) {
    if (!curve.counts()) continue;
    bool is_last = true;
    for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
      if (point->verdict == AdviceVerdict::not_measurable || point->unusual) continue;
      if (point->verdict == verdict && (is_last || !largest)) {
        ratios[{figures::family_of(point->after_name), precision_of(curve)}].push_back(point->gain->ratio);
        point->in_headline = true;
        result.gains.largest_told += is_last ? 1 : 0;
      }
      result.gains.largest_sizes += is_last ? 1 : 0;
      is_last = false;
    }
  }
  std::vector<PartGain> gains;
  for (const auto& [part, of] : ratios) {
    const auto [least, greatest] = std::ranges::minmax(of);
    gains.push_back({part.first, part.second, least, greatest});
  }
  return gains;
}

void find_gains(AdviceResult& result) {
  const bool harms = result.verdict == AdviceVerdict::harms;
  const AdviceVerdict verdict = harms ? AdviceVerdict::harms : AdviceVerdict::pays;
  result.gains.parts = take_gains(result, verdict, true);
  if (result.gains.parts.empty()) result.gains.parts = take_gains(result, verdict, false);
  if (result.gains.parts.empty()) return;
  if (harms) {
    result.gains.least_loss = std::ranges::max(result.gains.parts, {}, &PartGain::most).most;
  } else {
    result.gains.least_gain = std::ranges::min(result.gains.parts, {}, &PartGain::least).least;
  }
}

// Unusual points are shown and carry no headline: it is of the largest usual sizes, else there is none.
void take_out_unusual(AdviceResult& result, const std::set<std::string>& unusual) {
  const auto is_unusual = [&](const AdvicePoint& point) {
    return unusual.contains(point.before_name) || unusual.contains(point.after_name);
  };
  for (const AdvicePoint* point : result.headline()) {
    if (!result.unusual.empty() || !is_unusual(*point)) continue;
    result.unusual = unusual.contains(point->before_name) ? point->before_name : point->after_name;
  }
  for (AdviceCurve& curve : result.curves) {
    for (AdvicePoint& point : curve.points) {
      point.unusual = is_unusual(point);
      point.in_headline = false;
    }
  }
  result.gains = {};
  find_gains(result);
}

// A curve whose stretches pay counts more than an odd point; where only odd points pay, they are named by holds().
bool has_stretch(const AdviceResult& result, AdviceVerdict verdict) {
  return std::ranges::any_of(result.counted(), [&](const AdviceCurve& curve) {
    return std::ranges::find(curve.stretches, verdict, &AdviceStretch::verdict) != curve.stretches.end();
  });
}

AdviceVerdict verdict_of(const AdviceResult& result) {
  if (result.names.empty()) return AdviceVerdict::not_measured;
  if (result.counts.pays > 0 && result.counts.harms > 0) return AdviceVerdict::mixed;
  if (has_stretch(result, AdviceVerdict::pays)) return AdviceVerdict::pays;
  if (has_stretch(result, AdviceVerdict::harms)) return AdviceVerdict::harms;
  if (has_stretch(result, AdviceVerdict::no_difference)) return AdviceVerdict::no_difference;
  if (result.counts.undecided > 0) return AdviceVerdict::undecided;
  return result.counts.not_measurable > 0 ? AdviceVerdict::not_measurable : AdviceVerdict::not_compared;
}

// Nothing with a before and an after ran: all of it may have been skipped before it could be paired.
void explain_lack(AdviceResult& result, const std::vector<TaggedRows>& tagged) {
  const bool is_tool = result.kind == catalogue::AdviceKind::tool;  // no benchmark has its tag
  if (result.verdict == AdviceVerdict::not_measured && !is_tool)
    result.reason = "nothing in this file is tagged with it";
  if (result.verdict != AdviceVerdict::not_compared || result.kind == catalogue::AdviceKind::figure) return;
  const auto has = [&](record::Role role) {
    return std::ranges::any_of(tagged, [&](const TaggedRows& rows) { return rows.tag.role == role; });
  };
  if (has(record::Role::before) && !has(record::Role::after)) result.reason = "the file has no after";
  if (has(record::Role::after) && !has(record::Role::before)) result.reason = "the file has no before";
}

AdviceResult result_of(const std::string& id, const std::vector<TaggedRows>& tagged,
                       const catalogue::Catalogue& catalogue, const AdviceOptions& options) {
  AdviceResult result;
  result.id = id;
  const catalogue::CatalogueRow* row = catalogue.find(id);
  if (row != nullptr) result.kind = row->kind;
  result.metric = metric_of(tagged, row == nullptr ? "" : row->judged_by);
  result.beside = metric_of(tagged, row == nullptr ? "" : row->beside);
  std::set<std::string> named;
  for (const TaggedRows& rows : tagged) {
    if (named.insert(rows.name).second) result.names.push_back(rows.name);
  }
  result.curves = curves_of(pair_rows(tagged, result.metric, options, row));
  // The reader's framework tells, where it was measured; what the other benchmarks have then says why.
  if (!set_told_by(result, kPyTorch)) set_told_by(result, row == nullptr ? "" : row->told_by);
  count(result);
  result.verdict = verdict_of(result);
  find_gains(result);
  if (!options.unusual.empty()) take_out_unusual(result, {options.unusual.begin(), options.unusual.end()});
  result.gains.typical = median_gain(result, is_decided);
  if (!result.gains.typical) result.gains.typical = median_gain(result, [](AdviceVerdict) { return true; });
  explain_lack(result, tagged);
  return result;
}

}  // namespace

std::vector<const AdvicePoint*> AdviceResult::measured() const {
  std::vector<const AdvicePoint*> points;
  for (const AdviceCurve& curve : counted()) {
    for (const AdvicePoint& point : curve.points) {
      if (point.gain) points.push_back(&point);
    }
  }
  return points;
}

std::vector<const AdvicePoint*> AdviceResult::headline() const {
  std::vector<const AdvicePoint*> points = measured();
  std::erase_if(points, [](const AdvicePoint* point) { return point->unusual; });
  const auto is_in = [](const AdvicePoint* point) { return point->in_headline; };
  if (verdict != AdviceVerdict::mixed && std::ranges::any_of(points, is_in)) std::erase_if(points, std::not_fn(is_in));
  return points;
}

std::vector<AdviceResult> advise(const record::ResultSet& results, const catalogue::Catalogue& catalogue,
                                 const AdviceOptions& options) {
  std::vector<AdviceResult> all;
  std::map<std::string, std::vector<TaggedRows>> tagged = tagged_rows(results);
  for (const std::string& id : ids_of(results, catalogue)) all.push_back(result_of(id, tagged[id], catalogue, options));
  set_step_gains(all, results, catalogue, options);
  put_in_order(all, catalogue);
  set_numbers(all, loader_binds(all, results));
  return all;
}

std::set<std::string> unusual_of(const std::vector<AdviceResult>& results) {
  std::set<std::string> names;
  for (const AdviceResult& result : results) {
    if (!result.unusual.empty()) names.insert(result.unusual);
  }
  return names;
}

bool has_advice(const record::ResultSet& results) {
  return std::ranges::any_of(results.rows, [](const record::Row& row) { return !row.advice.empty(); });
}

}  // namespace cupel::advice
