#include <fmt/core.h>

#include "cupel/compare/fields.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/compare/rows.hpp"

namespace cupel::report {

using namespace record::detail;

namespace {

using compare::ComparedContender;
using compare::CompareReport;
using compare::CompareRow;
using compare::Comparison;

// A contender, and the rows of it that are chosen.
struct ContenderOf {
  const ComparedContender& contender;
  std::vector<const Comparison*> rows;
};

// A row, and the files that it is of.
struct RowOf {
  const Comparison& row;
  std::vector<std::string> files;
};

void visit(auto& v, Is<RowOf> auto& of) {
  visit(v, of.row);
  v("files", of.files, kAlways);
}

struct CompareDocument {
  const CompareReport& report;
  std::vector<ContenderOf> contenders;
};

void visit(auto& v, Is<ContenderOf> auto& of) {
  v("file", of.contender.file);
  v("families", of.contender.families, kAlways);
  v("rows", of.rows, kAlways);
}

void visit(auto& v, Is<CompareDocument> auto& of) {
  v("schema", DocumentSchema{"cupel-compare", 1, 0});
  v("policy", of.report.policy);
  v("reference", of.report.reference);
  v("environment", environment_lines(of.report), kAlways);
  v("contenders", of.contenders, kAlways);
}

}  // namespace

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
      list.push_back(encode(RowOf{*row.in[c], {report.reference.label, report.contenders[c].file.label}}));
    }
  }
  return csv(list, columns + ",notes", "; ");
}

std::string compare_json(const compare::CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> shown = chosen_rows(report, options).shown;
  CompareDocument document{report, {}};
  for (std::size_t c = 0; c < report.contenders.size(); ++c) {
    std::vector<const Comparison*> rows;
    for (const CompareRow& row : shown) {
      if (row.in[c] != nullptr) rows.push_back(row.in[c]);
    }
    document.contenders.push_back({report.contenders[c], std::move(rows)});
  }
  constexpr int kToARow = 4;  // contenders, contender, rows, row
  return lines(encode(document), kToARow) + "\n";
}

}  // namespace cupel::report
