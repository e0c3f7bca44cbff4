#include "cupel/export/export_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/figures/synthetic.hpp"

namespace cupel::exports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kIdentity = "file,gpu,uuid,driver,cpu,started,family,operation,benchmark,";

ExportedFile file_of(const std::string& name, record::Row row) {
  record::ResultSet results;
  results.context.host.cpu = "A CPU";
  results.rows = {std::move(row)};
  return {name, std::move(results)};
}

record::Row row_of(const std::string& name, std::vector<std::pair<std::string, std::string>> params) {
  record::Row row = figures::rows_of(name, {3.0}).front();
  row.params = std::move(params);
  row.series.front().samples_s = {3, 5};
  row.series.front().correction_s = 1;
  return row;
}

TEST(Export, OfSamplesHasALineASampleLessItsCorrection) {
  const std::string table =
      export_table({file_of("a.json", row_of("f/op/n:2", {{"n", "2"}}))}, ExportLevel::samples, ExportFormat::csv);

  EXPECT_EQ(table, std::string(kIdentity) +
                       "param_n,mode,main,process,counts,sample,time,correction,unit\n"
                       "a.json,,,,A CPU,,f,f/op,f/op/n:2,2,cold,1,0,1,0,2,1,s\n"
                       "a.json,,,,A CPU,,f,f/op,f/op/n:2,2,cold,1,0,1,1,4,1,s\n");
}

TEST(Export, OfJsonLeavesOutWhatIsNotKnownAndKeepsNumbersAsNumbers) {
  const std::string table = export_table({file_of("a.json", row_of("f/op/n:2/m:x", {{"n", "2"}, {"m", "x"}}))},
                                         ExportLevel::samples, ExportFormat::jsonl);

  EXPECT_THAT(
      table,
      StartsWith(R"({"file":"a.json","cpu":"A CPU","family":"f","operation":"f/op","benchmark":"f/op/n:2/m:x",)"
                 R"("param_n":2,"param_m":"x","mode":"cold","main":1,"process":0,"counts":1,"sample":0,"time":)"));
  EXPECT_EQ(std::ranges::count(table, '\n'), 2);
}

TEST(Export, OfSeveralFilesHasAColumnForEachParameterOfAny) {
  const std::string table = export_table(
      {file_of("a.json", row_of("f/op/n:2", {{"n", "2"}})), file_of("b.json", row_of("f/op/m:-1", {{"m", "-1"}}))},
      ExportLevel::benchmarks, ExportFormat::csv);

  EXPECT_THAT(table, HasSubstr("benchmark,param_n,param_m,mode,main,"));
  EXPECT_THAT(table, HasSubstr("f/op/n:2,2,,cold,"));
  EXPECT_THAT(table, HasSubstr("f/op/m:-1,,-1,cold,"));
}

TEST(Export, OfProcessesHasThoseThatWereNotMeasuredToo) {
  record::Row row = row_of("f/op", {});
  row.series.clear();
  row.status = record::Status::skipped;
  row.reason = "=no device";

  const std::string table = export_table({file_of("a.json", row)}, ExportLevel::processes, ExportFormat::csv);

  EXPECT_THAT(table, HasSubstr("f/op,,,0,0,skipped,,,s,,\"'=no device\"\n"));
  EXPECT_EQ(export_table({file_of("a.json", row)}, ExportLevel::samples, ExportFormat::csv), "");
}

TEST(Export, OfAProcessThatWasDisturbedSaysThatItDoesNotCount) {
  record::Row row = row_of("f/op", {});
  row.disturbed = true;

  const std::string table = export_table({file_of("a.json", row)}, ExportLevel::processes, ExportFormat::csv);

  EXPECT_THAT(table, HasSubstr("f/op,cold,1,0,0,ok,"));
}

}  // namespace
}  // namespace cupel::exports
