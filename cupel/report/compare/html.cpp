#include "cupel/report/compare/formats.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/html/chart.hpp"
#include "cupel/report/html/page.hpp"

namespace cupel::report {

using namespace compared;

namespace {

html::Section section(const char* id, const char* title, const std::string& body) { return {id, title, body, false}; }

std::string summary(const CompareReport& report) {
  std::vector<std::string> lines = conclusions(report);
  lines.push_back("reference " + report.reference.label + ": " + file_line(report.reference));
  for (const ComparedContender& contender : report.contenders) {
    lines.push_back("contender " + contender.file.label + ": " + file_line(contender.file));
  }
  if (std::string two_runs = two_runs_text(report); !two_runs.empty()) lines.push_back(std::move(two_runs));
  return html::html_list(lines);
}

}  // namespace

Badges verdict_badges() {
  using enum compare::Verdict;
  Badges badges{{to_string(faster), "good"}};
  for (const compare::Verdict doubt : {inconclusive, added}) badges[to_string(doubt)] = "warn";
  for (const compare::Verdict bad : {slower, missing, failed, throttled, busy, not_comparable})
    badges[to_string(bad)] = "bad";
  return badges;
}

std::string compare_html(const CompareReport& report, const CompareOptions& options) {
  const auto [rows, unchanged] = compare_rows(report, options);
  const auto table = [&](const std::vector<CompareRow>& some) {
    return html::html(rows_table(report, some), {{}, verdict_badges()});
  };
  const Table environment = environment_table(report), families = families_table(report);
  std::vector<html::Section> sections{
      section("summary", "Conclusion", summary(report)),
      section("benchmarks", "Benchmarks",
              (rows.empty() ? "<p>" + no_rows_text(unchanged) + "</p>\n" : table(rows)) +
                  (unchanged.empty() ? "" : html::folded(folded_text(unchanged), table(unchanged)))),
      section("environment", "Environment",
              environment.empty() ? "<p>" + std::string(kSameEnvironment) + "</p>\n" : html::html(environment))};
  if (!families.empty()) {
    sections.push_back(
        section("families", "Families", html::html(families) + "<p>" + std::string(kFamilies) + "</p>\n"));
  }
  sections.push_back(section("method", "Method", html::html_list(legend(report, rows))));
  return html::page("cupel compare", "Comparison", {}, sections);
}

}  // namespace cupel::report
