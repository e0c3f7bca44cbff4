// The fields of a comparison in JSON, listed once: compare_json() and the gate's write them by the mechanism that
// writes a result file (cupel/record/encode.hpp), and a test holds the lists to the schema.
#pragma once

#include "cupel/compare/side_by_side.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::compare {

using record::detail::Is;
using record::detail::kAlways;
using record::detail::kWhole;
using record::detail::kWholeAlways;

void visit(auto& v, Is<Side> auto& side) {
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

void visit(auto& v, Is<Comparison> auto& row) {
  v("name", row.name, kWholeAlways);
  v("family", row.family, kAlways);
  v("printed", row.printed, kWhole);
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

void visit(auto& v, Is<FamilySummary> auto& family) {
  using Number = std::optional<double>;
  const bool wide = family.ratio && family.ratio->interval.level > 0;
  v("family", family.family, kAlways);
  v("geometric_mean", family.ratio ? Number(family.ratio->value) : Number(), kAlways);
  v("lower", wide ? Number(family.ratio->interval.low) : Number(), kAlways);
  v("upper", wide ? Number(family.ratio->interval.high) : Number(), kAlways);
  v("benchmarks", family.benchmarks);
  v("slower", family.slower);
  v("faster", family.faster);
  v("same", family.same);
  v("inconclusive", family.inconclusive);
  v("others", family.others);
}

/// The environment of a file: each key that is known a member.
struct KeysOf {
  std::vector<figures::Key> keys;
};

void visit(auto& v, Is<KeysOf> auto& of) {
  for (const figures::Key& key : of.keys) {
    if (key.value) v(key.name.c_str(), *key.value, kAlways);
  }
}

void visit(auto& v, Is<ComparedFile> auto& file) {
  v("label", file.label, kWholeAlways);
  v("replication", file.replication);
  v("started", file.context.run.started, kAlways);
  v("interrupted", file.context.run.interrupted);
  v("environment", KeysOf{figures::fingerprint(file.context)});
}

void visit(auto& v, Is<Policy> auto& policy) {
  v("target", policy.target);
  v("tolerance", policy.tolerance);
  v("alpha", policy.alpha);
  v("level", policy.level);
}

void visit(auto& v, Is<EnvironmentLine> auto& line) {
  v("key", line.key, kAlways);
  v("hard", line.hard, kAlways);
  v("values", line.values, kAlways);
}

}  // namespace cupel::compare
