#include "cupel/report/compare/json.hpp"

#include <fmt/core.h>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/record/fields.hpp"
#include "cupel/report/compare/fields.hpp"
#include "cupel/report/compare/rows.hpp"

namespace cupel::report {

using namespace record::detail;

namespace {

using compare::ComparedContender;
using compare::ComparedFile;
using compare::CompareReport;
using compare::CompareRow;
using compare::Comparison;

Json family(const compare::FamilySummary& family) {
  const bool wide = family.ratio && family.ratio->interval.level > 0;
  Json object{{"family", family.family}};
  object["geometric_mean"] = family.ratio ? Json(family.ratio->value) : Json();
  object["lower"] = wide ? Json(family.ratio->interval.low) : Json();
  object["upper"] = wide ? Json(family.ratio->interval.high) : Json();
  object["benchmarks"] = family.benchmarks;
  object["slower"] = family.slower;
  object["faster"] = family.faster;
  object["same"] = family.same;
  object["inconclusive"] = family.inconclusive;
  object["others"] = family.others;
  return object;
}

Json file(const ComparedFile& file) {
  Json keys = Json::object();
  for (const figures::Key& key : figures::fingerprint(file.context)) {
    if (key.value) keys[key.name] = *key.value;
  }
  return {{"label", file.label},
          {"replication", figures::to_string(file.replication)},
          {"started", file.context.run.started},
          {"interrupted", file.context.run.interrupted},
          {"environment", std::move(keys)}};
}

// The rows that the contender has.
Json rows_json(const std::vector<CompareRow>& rows, std::size_t contender) {
  Json list = Json::array();
  for (const CompareRow& row : rows) {
    if (row.in[contender] != nullptr) list.push_back(comparison_json(*row.in[contender]));
  }
  return list;
}

}  // namespace

Json comparison_json(const Comparison& row) {
  Json object = encode(row);
  object["name"] = row.name;  // whole, with characters that act on a terminal, which the text of JSON escapes
  if (!row.printed.empty()) object["printed"] = row.printed;
  return object;
}

std::string compare_csv(const compare::CompareReport& report, const CompareOptions& options) {
  std::string columns =
      "reference=files/0,contender=files/"
      "1,name,printed,family,metric,unit,mode,verdict,ratio,lower,upper,level,p,p_adjusted,"
      "mde,sigma,test,replication,processes_to_decide,longer_tail";
  for (const char* which : {"reference", "contender"}) {
    for (const char* field : {"value", "share_of_limit", "limit", "processes", "disturbed", "busy", "failed", "skipped",
                              "samples", "sm_clock_hz", "throttled_share", "tail"}) {
      columns += fmt::format(",{}/{}", which, field);
    }
  }
  Json list = Json::array();
  for (const CompareRow& row : chosen_rows(report, options).shown) {
    for (std::size_t c = 0; c < row.in.size(); ++c) {
      if (row.in[c] == nullptr) continue;
      list.push_back(comparison_json(*row.in[c]));
      list.back()["files"] = {report.reference.label, report.contenders[c].file.label};
    }
  }
  return csv(list, columns + ",notes", "; ");
}

std::string compare_json(const compare::CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> shown = chosen_rows(report, options).shown;
  Json contenders = Json::array();
  for (std::size_t c = 0; c < report.contenders.size(); ++c) {
    const ComparedContender& contender = report.contenders[c];
    contenders.push_back({{"file", file(contender.file)},
                          {"families", list_of(contender.families, family)},
                          {"rows", rows_json(shown, c)}});
  }
  const compare::Policy& policy = report.policy;
  const Json root{
      {"schema", {{"name", "cupel-compare"}, {"major", 1}, {"minor", 0}}},
      {"policy",
       {{"target", policy.target}, {"tolerance", policy.tolerance}, {"alpha", policy.alpha}, {"level", policy.level}}},
      {"reference", file(report.reference)},
      {"environment", encode(environment_lines(report))},
      {"contenders", std::move(contenders)}};
  constexpr int kToARow = 4;  // contenders, contender, rows, row
  return lines(root, kToARow) + "\n";
}

}  // namespace cupel::report
