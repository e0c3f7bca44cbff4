#include "cupel/submit/precedents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/record/record.hpp"

namespace cupel::submit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

const Names kNewestFirst = {"newest", "middle", "oldest"};
const Names kCopies = {"memory/copy/bytes:1", "memory/copy/bytes:2", "memory/copy/bytes:3", "memory/copy/bytes:4"};

// Copies of 1 GB in 0.6 ms by a memory of 4 TB/s.
record::ResultSet result_of(const std::string& revision, const Names& names = kCopies) {
  record::ResultSet results;
  results.context.build.git_revision = revision;
  results.context.run.profile = "standard";
  results.context.host.usable_cpus = 16;
  record::DeviceInfo& device = results.context.device.emplace();
  device.name = "NVIDIA H200";
  device.sm_clock_max_hz = 2e9;
  device.memory_peak_bytes_per_s = 4e12;
  for (const std::string& name : names) {
    record::Row& row = results.rows.emplace_back();
    row.name = name;
    row.family = name.substr(0, name.find('/'));
    row.telemetry.emplace().sm_clock_hz = 1.9e9;
    row.workload.bytes_read = row.workload.bytes_written = 1000000000;
    row.limit = record::Limit{"device memory", "bytes", 4e12, "the device"};
    record::Series& series = row.series.emplace_back();
    series.mode = record::Mode::cold;
    series.samples_s = {6e-4, 6.1e-4, 6.2e-4};
  }
  return results;
}

Precedents known(const std::vector<record::ResultSet>& results, const Names& revisions = kNewestFirst) {
  Precedents precedents(revisions);
  for (const record::ResultSet& one : results)
    precedents.add(precedent_of(one.context.build.git_revision + ".json", one));
  return precedents;
}

Names without_last(Names names) {
  names.pop_back();
  return names;
}

record::ResultSet times(record::ResultSet results, double factor) {
  for (record::Row& row : results.rows) {
    for (double& sample_s : row.series.front().samples_s) sample_s *= factor;
  }
  return results;
}

record::ResultSet without_limits(record::ResultSet results) {
  for (record::Row& row : results.rows) row.limit.reset();
  return results;
}

TEST(Precedents, TakeAWholeResult) {
  EXPECT_THAT(known({result_of("middle")}).refusals(result_of("middle")), IsEmpty());
  EXPECT_THAT(known({result_of("middle")}).doubts(result_of("middle")), IsEmpty());
}

TEST(Precedents, RefuseAResultThatLacksWhatItsRevisionHas) {
  EXPECT_THAT(known({result_of("middle")}, {}).refusals(result_of("middle", {kCopies[3], kCopies[1]})),
              ElementsAre(HasSubstr("lacks 2 benchmarks that its revision has, by middle.json: memory/copy/bytes:1, "
                                    "memory/copy/bytes:3; measure the whole family")));
}

TEST(Precedents, TakeABenchmarkThatSaysWhyItWasNotMeasured) {
  record::ResultSet results = result_of("middle");
  results.rows.back().status = record::Status::skipped;
  results.rows.back().reason = "too little memory";
  results.rows.back().series.clear();
  results.rows.back().limit.reset();
  results.rows.back().telemetry.reset();
  EXPECT_THAT(known({result_of("middle")}).refusals(results), IsEmpty());
  EXPECT_THAT(known({result_of("middle")}).doubts(results),
              ElementsAre("did not measure 1 benchmark that middle.json has of the same model: memory/copy/bytes:4"));
}

TEST(Precedents, RefuseAResultThatLacksWhatWasThereBeforeItsRevisionAndAfter) {
  const auto refusals =
      known({result_of("oldest"), result_of("newest")}).refusals(result_of("middle", without_last(kCopies)));
  EXPECT_THAT(refusals, ElementsAre(HasSubstr("lacks 1 benchmark that its revision has, by oldest.json")));
}

TEST(Precedents, TakeWhatAnotherRevisionDroppedRenamedOrHadNotYet) {
  const record::ResultSet renamed = result_of("middle", {kCopies[0], kCopies[1], kCopies[2], "memory/copy/bytes:5"});
  EXPECT_THAT(known({result_of("oldest"), renamed}).refusals(renamed), IsEmpty());
  EXPECT_THAT(known({result_of("newest"), renamed}).refusals(renamed), IsEmpty());
  EXPECT_THAT(known({result_of("oldest"), result_of("newest")}, {}).refusals(renamed), IsEmpty())
      << "nothing is known of the order";
}

TEST(Precedents, DoubtWhatAnotherRevisionMayHaveDropped) {
  EXPECT_THAT(known({result_of("oldest")}).doubts(result_of("middle", without_last(kCopies))),
              ElementsAre("lacks 1 benchmark that oldest.json has, by another revision, which may have others: "
                          "memory/copy/bytes:4"));
}

TEST(Precedents, RefuseLessThanHalfOfAFamilyByWhateverRevision) {
  EXPECT_THAT(known({result_of("oldest")}).refusals(result_of("middle", {kCopies[0]})),
              ElementsAre("has 1 benchmark of memory where oldest.json has 4: less than half of the family; measure it "
                          "whole"));
}

TEST(Precedents, AskForTheProfileOfTheResultAndItsFamiliesAlone) {
  record::ResultSet full = result_of("middle", {kCopies[0], "gemm/square/n:4096"});
  full.context.run.profile = "full";
  EXPECT_THAT(known({full}).refusals(result_of("middle", {kCopies[1]})), IsEmpty());
  full.context.run.profile = "quick";
  EXPECT_THAT(known({full}).refusals(result_of("middle", {kCopies[1]})),
              ElementsAre(HasSubstr("lacks 1 benchmark that its revision has, by middle.json: memory/copy/bytes:1;")));
}

TEST(Precedents, AskForNumbersOfWorkersOfAMachineWithAsManyCpusAlone) {
  const record::ResultSet sixteen = result_of("middle", {"pipeline/load/workers:8", "pipeline/load/workers:16"});
  record::ResultSet eight = result_of("middle", {"pipeline/load/workers:8"});
  EXPECT_THAT(known({sixteen}).refusals(eight), ElementsAre(HasSubstr("pipeline/load/workers:16")));
  eight.context.host.usable_cpus = 8;
  EXPECT_THAT(known({sixteen}).refusals(eight), IsEmpty());
  EXPECT_THAT(known({result_of("middle", {"pipeline/load/workers:8", "pipeline/read"})}).refusals(eight),
              ElementsAre(HasSubstr("pipeline/read")));
}

TEST(Precedents, AskAListForNamesAlone) {
  Precedents precedents;
  Precedent list;
  list.origin = "this cupel's own list";
  list.revision = "middle";
  list.profile = "standard";
  for (const std::string& name : kCopies) list.benchmarks[name];
  precedents.add(list);
  EXPECT_THAT(precedents.refusals(without_limits(result_of("middle"))), IsEmpty());
  EXPECT_THAT(precedents.refusals(result_of("middle", without_last(kCopies))),
              ElementsAre(HasSubstr("by this cupel's own list: memory/copy/bytes:4")));
}

TEST(Precedents, RefuseALimitThatWasTakenAway) {
  EXPECT_THAT(
      known({result_of("middle")}).refusals(without_limits(result_of("middle"))),
      ElementsAre(HasSubstr("has no limit of 4 benchmarks that have it by middle.json: memory/copy/bytes:1, ")));
  EXPECT_THAT(known({result_of("oldest")}).refusals(without_limits(result_of("middle"))), IsEmpty())
      << "an earlier revision's; the later one may have taken it back";
}

TEST(Precedents, RefuseAResultOfAnotherRevisionThatIsFasterThanAKnownLimit) {
  EXPECT_THAT(known({result_of("oldest", {kCopies[0]})}).refusals(without_limits(times(result_of("middle"), 0.1))),
              ElementsAre(HasSubstr("memory/copy/bytes:1 is impossible: 8.20 times its limit, device memory")));
}

TEST(Precedents, RefuseALimitThatWasRaisedAndWorkThatWasTakenAway) {
  record::ResultSet edited = times(result_of("middle", {kCopies[0], kCopies[1]}), 0.1);
  edited.rows[0].limit->per_second *= 10;
  edited.rows[1].workload = {};
  EXPECT_THAT(known({result_of("middle", {kCopies[0], kCopies[1]})}).refusals(edited),
              ElementsAre(HasSubstr("bytes:1 is impossible"), HasSubstr("bytes:2 is impossible")));
}

TEST(Precedents, HoldARateAgainstTheLimitOfItsOwnBoard) {
  record::ResultSet overclocked = result_of("middle", {kCopies[0]}), known_board = overclocked;
  known_board.rows[0].limit = record::Limit{"fp32 at 2000 MHz", "bytes", 3e12, "a table", 2e9};
  overclocked.rows[0].limit = record::Limit{"fp32 at 2200 MHz", "bytes", 3.3e12, "a table", 2.2e9};
  overclocked.context.device->sm_clock_max_hz = 2.2e9;
  EXPECT_THAT(known({known_board}).refusals(overclocked), IsEmpty()) << "3.28e12 bytes/s";
  overclocked.context.device->sm_clock_max_hz = 2e9;
  EXPECT_THAT(known({known_board}).refusals(overclocked), ElementsAre(HasSubstr("is impossible: 1.09 times")));
}

TEST(Precedents, KeepLimitsOfOtherModelsAndLinksApart) {
  record::ResultSet slower = result_of("middle", {kCopies[0]}), faster = slower;
  slower.rows[0].limit = record::Limit{"PCIe 4.0 x16", "bytes", 3e10, "the link"};
  slower.context.device->pcie_generation_max = 4;
  faster.context.device->pcie_generation_max = 5;
  EXPECT_THAT(known({slower}).refusals(faster), IsEmpty());
  slower.context.device->pcie_generation_max = 5;
  EXPECT_THAT(known({slower}).refusals(faster), ElementsAre(HasSubstr("is impossible")));
  faster.context.device->name = "NVIDIA B200";
  EXPECT_THAT(known({slower}).refusals(faster), IsEmpty());
}

TEST(Precedents, RefuseTelemetryThatWasTakenAway) {
  record::ResultSet results = result_of("middle");
  for (record::Row& row : results.rows) row.telemetry->sm_clock_hz.reset();
  EXPECT_THAT(known({result_of("middle")}).refusals(results),
              ElementsAre(HasSubstr("has no telemetry of 4 benchmarks that have it by middle.json")));
}

}  // namespace
}  // namespace cupel::submit
