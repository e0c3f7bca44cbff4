#include <fmt/core.h>

#include <cmath>

#include "cupel/report/compare/formats.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/text/escape.hpp"

namespace cupel::report {

using namespace compared;

namespace {

using compare::Comparison;
using compare::Side;

std::string number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

std::string side(const compare::Side& side) {
  return fmt::format(",{},{},{},{},{},{},{},{},{},{},{}", number(side.value), number(side.share), csv_field(side.limit),
                     side.processes, side.disturbed, side.busy, side.failed, side.skipped, side.samples,
                     number(side.sm_clock_hz), number(side.throttled_share));
}

std::string side_header(const char* which) {
  std::string header;
  for (const char* field : {"value", "share_of_limit", "limit", "processes", "disturbed", "busy", "failed", "skipped",
                            "samples", "sm_clock_hz", "throttled_share"}) {
    header += fmt::format(",{}_{}", which, field);
  }
  return header;
}

std::string line(const std::string& reference, const std::string& contender, const compare::Comparison& row) {
  const std::string decide = row.processes_to_decide ? std::to_string(*row.processes_to_decide) : "";
  std::string notes;
  for (const std::string& note : row.notes) notes += (notes.empty() ? "" : "; ") + note;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}{},{}\n", csv_field(reference),
                     csv_field(contender), csv_field(row.name), csv_field(row.family), csv_field(row.metric),
                     csv_field(row.unit), row.mode ? record::to_string(*row.mode) : "", verdict_text(row),
                     number(row.ratio), number(row.lower), number(row.upper), number(row.level), number(row.p),
                     number(row.p_adjusted), number(row.mde), number(row.sigma), to_string(row.test),
                     to_string(row.replication), decide, side(row.baseline), side(row.contender), csv_field(notes));
}

}  // namespace

std::string compare_csv(const CompareReport& report, const CompareOptions& options) {
  std::string text =
      "reference,contender,name,family,metric,unit,mode,verdict,ratio,lower,upper,level,p,p_adjusted,mde,sigma,test,"
      "replication,processes_to_decide" +
      side_header("reference") + side_header("contender") + ",notes\n";
  for (const CompareRow& row : compare_rows(report, options)) {
    for (std::size_t c = 0; c < row.in.size(); ++c) {
      if (row.in[c] != nullptr) text += line(report.reference.label, report.contenders[c].file.label, *row.in[c]);
    }
  }
  return text;
}

}  // namespace cupel::report
