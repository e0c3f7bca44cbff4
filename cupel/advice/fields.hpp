// The fields of advice in JSON, listed once: written by the mechanism that writes a result file
// (cupel/record/encode.hpp). Base units, nothing rounded, absent what has no value.
#pragma once

#include "cupel/advice/advice.hpp"
#include "cupel/advice/bottleneck.hpp"
#include "cupel/advice/knee.hpp"
#include "cupel/advice/matrix.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/fields.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::advice {

using record::detail::Is;
using record::detail::kAlways;

/// A point, whose fields depend on what its piece is judged by.
struct PointOf {
  const AdvicePoint& point;
  const AdviceMetric& metric;
};

/// A curve, whose words depend on the kind of its piece.
struct CurveOf {
  const AdviceCurve& curve;
  const AdviceResult& result;
};

void visit_gain(auto& v, const AdvicePoint& point, bool is_time) {
  const bool is_interval = point.gain->is_interval;
  v("gain", point.gain->ratio);
  v(is_interval ? "low" : "least", point.gain->low);
  v(is_interval ? "high" : "greatest", point.gain->high);
  if (is_interval) v("level", point.gain->level);
  v(is_time ? "before_s" : "before_value", point.before);
  v(is_time ? "after_s" : "after_value", point.after);
  if (is_time) v("saved_s", point.before - point.after);
  v("processes", point.processes);
  v("left_out", point.left_out);
}

void visit(auto& v, Is<PointOf> auto& of) {
  const AdvicePoint& point = of.point;
  v("size", point.size);
  v("scenario", point.scenario);
  v("before", point.before_name);
  v("after", point.after_name);
  v("verdict", point.verdict);
  v("reason", point.reason);
  v("mode", point.mode);
  if (point.gain) visit_gain(v, point, of.metric.is_time());
  v("processes_needed", point.needed);
}

void visit(auto& v, Is<CurveOf> auto& of) {
  std::vector<PointOf> points;
  for (const AdvicePoint& point : of.curve.points) points.push_back({point, of.result.metric});
  v("scenario", of.curve.scenario);
  v("variant", of.curve.variant);
  v("recommended", of.curve.recommended);
  v("counted", of.curve.counts());
  v("axis", of.curve.axis);
  v("holds", holds(of.curve, of.result.kind));
  v("points", points, kAlways);
}

void visit(auto& v, Is<AdviceMetric> auto& metric) {
  v("metric", metric.is_time() ? std::string("time") : metric.counter);
  v("unit", metric.unit);
  v("better", metric.better);
}

void visit(auto& v, Is<PartGain> auto& part) {
  v("family", part.family, kAlways);
  v("precision", part.precision, kAlways);
  v("least", part.least, kAlways);
  v("most", part.most, kAlways);
}

void visit(auto& v, Is<StepGain> auto& gain) {
  v("step", gain.step, kAlways);
  v("change", gain.change, kAlways);
  v("gain", gain.ratio, kAlways);
  v("saved_s", gain.saved_s(), kAlways);
}

void visit(auto& v, Is<AdviceCounts> auto& counts) {
  v("pays", counts.pays);
  v("harms", counts.harms);
  v("no_difference", counts.same);
  v("undecided", counts.undecided);
  v("not_measurable", counts.not_measurable);
}

void visit_piece(auto& v, const catalogue::CatalogueRow& row) {
  v("advice", row.advice);
  v("claim", row.claim);
  v("source", row.source);
  v("before", row.before);
  v("after", row.after);
  v("pytorch", row.pytorch);
  v("cuda", row.cuda);
  v("backfires", row.backfires);
  v("refuted", row.refuted);
  v("patterns", row.patterns, kAlways);
}

void visit(auto& v, Is<AdviceResult> auto& result) {
  v("id", result.id);
  v("kind", std::string(to_string(result.kind)));
  v("verdict", result.verdict);
  v("judged_by", result.metric);
  v("holds", holds(result));
  v("alternatives", alternatives(result), kAlways);
  v("reason", result.reason);
  if (result.place.rank > 0) v("rank", result.place.rank);
  if (result.place.number > 0) v("number", result.place.number);
  v("cause", result.place.cause);
  v("group", std::string(to_string(result.place.group)));
  v("gain", result.gains.least_gain);
  v("gains", result.gains.parts, kAlways);
  v("loss", result.gains.least_loss);
  v("in_step", result.gains.in_step);
  if (!result.unusual.empty()) v("unusual", true);
  v("claim_held", claim_text(result));  // the name by which readers of this file know it
  v("typical", result.gains.typical);
  v("points", result.counts);
  if (const catalogue::CatalogueRow* row = catalogue::built_in().find(result.id)) visit_piece(v, *row);
  std::vector<CurveOf> curves;
  for (const AdviceCurve& curve : result.curves) curves.push_back({curve, result});
  v("curves", curves, kAlways);
}

void visit(auto& v, Is<Bottleneck> auto& bottleneck) {
  v("stage", bottleneck.stage, kAlways);
  v("change", bottleneck.change, kAlways);
  v("benchmarks", bottleneck.names, kAlways);
}

void visit(auto& v, Is<BatchSize> auto& one) {
  v("size", one.size, kAlways);
  v("samples_per_second", one.per_second, kAlways);
  v("gpu_busy", one.busy, kAlways);
}

void visit(auto& v, Is<Knee> auto& knee) {
  v("operation", knee.operation, kAlways);
  v("knee", knee.reached() ? std::optional(knee.sizes[knee.at].size) : std::nullopt, kAlways);
  v("largest_batch", knee.largest, kAlways);
  v("largest_trained", knee.trained ? std::optional(knee.trained->size) : std::nullopt, kAlways);
  v("sizes", knee.sizes, kAlways);
}

void visit(auto& v, Is<AdviceMatrixRow> auto& row) {
  std::vector<std::optional<int>> ranks;
  for (const AdviceCell& cell : row.cells) ranks.push_back(cell.rank > 0 ? std::optional(cell.rank) : std::nullopt);
  v("id", row.id, kAlways);
  v("verdict_differs", row.verdict_differs);
  v("rank_differs", row.rank_differs);
  v("ranks", ranks, kAlways);
}

}  // namespace cupel::advice
