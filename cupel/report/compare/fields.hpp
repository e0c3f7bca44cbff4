// The fields of a comparison in JSON, listed once: compare_json() and the gate's write them by the mechanism that
// writes and reads a result file (cupel/record/fields.hpp), and a test holds the lists to the schema.
#pragma once

#include "cupel/compare/side_by_side.hpp"
#include "cupel/record/visit.hpp"

namespace cupel::compare {

using record::detail::Is;
using record::detail::kAlways;

template <typename V, Is<Side> T>
void visit(V& v, T& side) {
  v("value", side.value, kAlways);
  v("share_of_limit", side.share, kAlways);
  v("limit", side.limit);
  v("processes", side.processes, kAlways);
  v("disturbed", side.disturbed, kAlways);
  v("busy", side.busy, kAlways);
  v("failed", side.failed, kAlways);
  v("skipped", side.skipped, kAlways);
  v("samples", side.samples, kAlways);
  v("sm_clock_hz", side.sm_clock_hz, kAlways);
  v("power_capped_share", side.power_capped_share, kAlways);
  v("throttled_share", side.throttled_share, kAlways);
  v("tail", side.tail, kAlways);
}

template <typename V, Is<Comparison> T>
void visit(V& v, T& row) {
  v("name", row.name, kAlways);
  v("family", row.family, kAlways);
  v("printed", row.printed);
  v("metric", row.metric);
  v("unit", row.unit, kAlways);
  v("mode", row.mode);
  if (row.judged) v("verdict", row.verdict, kAlways);
  v("judged", row.judged, kAlways);
  v("ratio", row.ratio, kAlways);
  v("lower", row.lower, kAlways);
  v("upper", row.upper, kAlways);
  v("level", row.level, kAlways);
  v("p", row.p, kAlways);
  v("p_adjusted", row.p_adjusted, kAlways);
  v("mde", row.mde, kAlways);
  v("sigma", row.sigma, kAlways);
  v("test", row.test, kAlways);
  v("replication", row.replication, kAlways);
  v("processes_to_decide", row.processes_to_decide);
  v("reference", row.baseline, kAlways);
  v("contender", row.contender, kAlways);
  v("longer_tail", row.longer_tail, kAlways);
  v("notes", row.notes, kAlways);
}

template <typename V, Is<EnvironmentLine> T>
void visit(V& v, T& line) {
  v("key", line.key, kAlways);
  v("hard", line.hard, kAlways);
  v("values", line.values, kAlways);
}

}  // namespace cupel::compare
