#include "cupel/figures/fingerprint.hpp"
#include "cupel/report/compare/formats.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/text/json_text.hpp"

namespace cupel::report {

using namespace compared;

namespace {

using compare::Comparison;
using compare::Side;

std::string side(const compare::Side& side) {
  JsonObject object;
  object.number("value", side.value);
  object.number("share_of_limit", side.share);
  if (!side.limit.empty()) object.text("limit", side.limit);
  object.whole("processes", side.processes);
  object.whole("disturbed", side.disturbed);
  object.whole("busy", side.busy);
  object.whole("failed", side.failed);
  object.whole("skipped", side.skipped);
  object.whole("samples", side.samples);
  object.number("sm_clock_hz", side.sm_clock_hz);
  object.number("power_capped_share", side.power_capped_share);
  object.number("throttled_share", side.throttled_share);
  return object.str();
}

std::string family(const compare::FamilySummary& family) {
  JsonObject object;
  object.text("family", family.family);
  object.number("geometric_mean", family.ratio ? std::optional(family.ratio->value) : std::nullopt);
  const bool wide = family.ratio && family.ratio->interval.level > 0;
  object.number("lower", wide ? std::optional(family.ratio->interval.low) : std::nullopt);
  object.number("upper", wide ? std::optional(family.ratio->interval.high) : std::nullopt);
  object.whole("benchmarks", family.benchmarks);
  object.whole("slower", family.slower);
  object.whole("faster", family.faster);
  object.whole("same", family.same);
  object.whole("inconclusive", family.inconclusive);
  object.whole("others", family.others);
  return object.str();
}

std::string file(const ComparedFile& file) {
  JsonObject keys;
  for (const figures::Key& key : figures::fingerprint(file.context)) {
    if (key.value) keys.text(key.name, *key.value);
  }
  JsonObject object;
  object.text("label", file.label);
  object.text("replication", to_string(file.replication));
  object.text("started", file.context.run.started);
  object.flag("interrupted", file.context.run.interrupted);
  object.raw("environment", keys.str());
  return object.str();
}

std::string environment(const CompareReport& report) {
  std::vector<std::string> lines;
  for (const EnvironmentLine& line : environment_lines(report)) {
    JsonObject object;
    object.text("key", line.key).flag("hard", line.hard).raw("values", json_strings(line.values));
    lines.push_back(object.str());
  }
  return json_list(lines);
}

std::string policy(const compare::Policy& policy) {
  JsonObject object;
  object.number("target", policy.target);
  object.number("tolerance", policy.tolerance);
  object.number("alpha", policy.alpha);
  object.number("level", policy.level);
  return object.str();
}

std::string block(const std::vector<std::string>& elements) {
  std::string text = "[";
  for (const std::string& element : elements) text += (text.size() > 1 ? ",\n" : "\n") + element;
  return text + "\n]";
}

}  // namespace

std::string comparison_json(const compare::Comparison& row) {
  JsonObject object;
  object.text("name", row.name);
  object.text("family", row.family);
  if (!row.metric.empty()) object.text("metric", row.metric);
  object.text("unit", row.unit);
  if (row.mode) object.text("mode", record::to_string(*row.mode));
  if (row.judged) object.text("verdict", to_string(row.verdict));
  object.flag("judged", row.judged);
  object.number("ratio", row.ratio);
  object.number("lower", row.lower);
  object.number("upper", row.upper);
  object.number("level", row.level);
  object.number("p", row.p);
  object.number("p_adjusted", row.p_adjusted);
  object.number("mde", row.mde);
  object.number("sigma", row.sigma);
  object.text("test", to_string(row.test));
  object.text("replication", to_string(row.replication));
  if (row.processes_to_decide) object.whole("processes_to_decide", *row.processes_to_decide);
  object.raw("reference", side(row.baseline));
  object.raw("contender", side(row.contender));
  object.raw("notes", json_strings(row.notes));
  return object.str();
}

std::string compare_json(const CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> shown = compare_rows(report, options);
  std::vector<std::string> contenders;
  for (std::size_t c = 0; c < report.contenders.size(); ++c) {
    const ComparedContender& contender = report.contenders[c];
    std::vector<std::string> rows, families;
    for (const CompareRow& row : shown) {
      if (row.in[c] != nullptr) rows.push_back(comparison_json(*row.in[c]));
    }
    for (const compare::FamilySummary& summary : contender.families) families.push_back(family(summary));
    JsonObject object;
    object.raw("file", file(contender.file));
    object.raw("families", block(families));
    object.raw("rows", block(rows));
    contenders.push_back(object.str());
  }
  JsonObject object;
  object.raw("schema", R"({"name": "cupel-compare", "major": 1, "minor": 0})");
  object.raw("policy", policy(report.policy));
  object.raw("reference", file(report.reference));
  object.raw("environment", environment(report));
  object.raw("contenders", json_list(contenders));
  return object.str() + "\n";
}

}  // namespace cupel::report
