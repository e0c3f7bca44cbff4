// Every format of a comparison with names that attack it.
#include "cupel/report/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cupel/report/compare_fleet.hpp"

namespace cupel::report {
namespace {

const std::string kHostile = "<script>alert(1)</script>|`*_[x](http://evil)\x1b[2J\n=cmd,\"'&]]>\u202e@all #1";

CompareReport hostile(const std::string& name) {
  compare::Comparison row;
  row.name = row.family = row.metric = name;
  row.unit = name;
  row.verdict = compare::Verdict::slower;
  row.ratio = 2;
  row.baseline.value = 1;
  row.contender.value = 2;
  row.contender.limit = name;
  row.notes = {name};
  compare::FamilySummary family;
  family.family = name;
  CompareReport report;
  report.reference.label = name;
  report.reference.context.host.cpu = name;
  report.contenders.push_back({report.reference, {row}, {family}});
  report.contenders[0].file.context.host.cpu = name + "2";
  return report;
}

std::string rendered(CompareFormat format, const std::string& name = kHostile) {
  CompareOptions options;
  options.format = format;
  options.all = true;
  return compare(hostile(name), options);
}

TEST(CompareFormats, NeverHoldAControlCharacterOrABidirectionalOne) {
  for (const CompareFormat format :
       {CompareFormat::text, CompareFormat::markdown, CompareFormat::csv, CompareFormat::json, CompareFormat::html}) {
    const std::string text = rendered(format);

    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    EXPECT_NE(text.find("SLOWER"), std::string::npos);
  }
}

TEST(CompareFormats, HoldNoMarkupOfANameInHtmlAndMarkdown) {
  for (const CompareFormat format : {CompareFormat::markdown, CompareFormat::html}) {
    EXPECT_EQ(rendered(format).find("<script"), std::string::npos);
  }
  EXPECT_EQ(rendered(CompareFormat::markdown).find("http://"), std::string::npos);
  EXPECT_EQ(rendered(CompareFormat::markdown).find("@all"), std::string::npos);
}

TEST(CompareFormats, KeepTheNameWholeInJson) {
  const nlohmann::json root = nlohmann::json::parse(rendered(CompareFormat::json));

  EXPECT_EQ(root["contenders"][0]["rows"][0]["name"], kHostile);
  EXPECT_EQ(root["contenders"][0]["rows"][0]["verdict"], "SLOWER");
}

TEST(CompareFormats, KeepOneRecordALineInCsv) {
  const std::string text = rendered(CompareFormat::csv);

  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(rendered(CompareFormat::csv, "=1+1").find("\n=1+1"), std::string::npos);
}

TEST(CompareFormats, StayShortForANameOfAMegabyte) {
  const std::string name(1 << 20, 'x');

  for (const CompareFormat format : {CompareFormat::text, CompareFormat::markdown, CompareFormat::html}) {
    EXPECT_LT(rendered(format, name).size(), 40'000u);
  }
}

TEST(FleetFormats, EscapeWhatIsHostile) {
  compare::Fleet fleet;
  fleet.model = kHostile;
  fleet.machines = {0};
  fleet.failed = {1};
  fleet.families = {{kHostile, 0, 1.5, 9, 3, true}};
  for (const CompareFormat format :
       {CompareFormat::text, CompareFormat::markdown, CompareFormat::csv, CompareFormat::json, CompareFormat::html}) {
    const std::string text = report::fleet({fleet}, {kHostile}, {}, format);

    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    const bool is_page = format == CompareFormat::html || format == CompareFormat::markdown;
    EXPECT_FALSE(is_page && text.find("<script") != std::string::npos);
  }
}

}  // namespace
}  // namespace cupel::report
