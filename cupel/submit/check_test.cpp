#include "cupel/submit/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cupel/record/json.hpp"
#include "cupel/record/record.hpp"
#include "cupel/submit/precedents.hpp"

namespace cupel::submit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kRevision = "cd5995c65be23a2b6900ffc58688c60d98df4c0a";

// Copies of 1 GB in device memory, which reads and writes 4 TB/s: 0.5 ms, in five processes.
record::ResultSet whole_result() {
  record::ResultSet results;
  record::RunInfo& run = results.context.run;
  run.started = "2026-11-25T04:17:55Z";
  run.finished = "2026-11-25T04:19:24Z";
  run.profile = "standard";
  run.processes = kFewestProcesses;
  results.context.build.git_revision = kRevision;
  record::DeviceInfo& device = results.context.device.emplace();
  device.uuid = "GPU-a589d1f6-b520-636e-11e2-51df3de01de6";
  device.driver_version = "580.159.04";
  device.memory_clock_max_hz = 2e9;
  device.memory_bus_bits = 8000;
  device.memory_peak_bytes_per_s = 4e12;
  for (int process = 0; process < kFewestProcesses; ++process) {
    record::Row& row = results.rows.emplace_back();
    row.name = "memory/copy/bytes:1000000000";
    row.family = "memory";
    row.process = process;
    row.workload.bytes_read = row.workload.bytes_written = 1000000000;
    row.limit = record::Limit{"device memory", "bytes", 4e12, "the device"};
    row.telemetry.emplace().sm_clock_hz = 1.9e9;
    record::Series& series = row.series.emplace_back();
    series.mode = record::Mode::cold;
    series.samples_s = {6e-4 + process * 1e-7, 6e-4 + process * 2e-7, 6e-4 + process * 3e-7};
  }
  return results;
}

std::vector<std::string> refusals_of(const record::ResultSet& results,
                                     const std::vector<std::string>& revisions = {kRevision}) {
  const std::string text = record::to_json(results);
  return refusals(text, record::from_json(text, "file.json"), {"2026-11-27T00:00:00Z", revisions});
}

std::vector<std::string> refusals_after(const std::function<void(record::ResultSet&)>& edit) {
  record::ResultSet results = whole_result();
  edit(results);
  return refusals_of(results);
}

void make_times(record::ResultSet& results, double times) {
  for (record::Row& row : results.rows) {
    for (double& sample_s : row.series.front().samples_s) sample_s *= times;
  }
}

TEST(Refusals, AreNoneOfAWholeResult) { EXPECT_THAT(refusals_of(whole_result()), IsEmpty()); }

TEST(Refusals, AreNoneOfASlowBoard) {
  EXPECT_THAT(refusals_after([](auto& results) { make_times(results, 30); }), IsEmpty());
}

TEST(Refusals, NameWhatIsFasterThanItsLimit) {
  EXPECT_THAT(refusals_after([](auto& results) { make_times(results, 0.5); }),
              ElementsAre("memory/copy/bytes:1000000000 is impossible: 1.67 times its limit, device memory"));
}

TEST(Refusals, LetCallsBackToBackBeAsFastAsTheL2) {
  const auto copies = [](record::Mode mode, std::int64_t l2_bytes, double times) {
    return [=](record::ResultSet& results) {
      results.context.device->l2_bytes = l2_bytes;
      for (record::Row& row : results.rows) row.series.front().mode = mode;
      make_times(results, times);
    };
  };
  EXPECT_THAT(refusals_after(copies(record::Mode::hot, 2000000000, 0.5)), IsEmpty());
  EXPECT_THAT(refusals_after(copies(record::Mode::hot, 2000000000, 0.2)), ElementsAre(HasSubstr("is impossible: 4.1")));
  EXPECT_THAT(refusals_after(copies(record::Mode::hot, 1900000000, 0.5)), ElementsAre(HasSubstr("is impossible: 1.6")));
  EXPECT_THAT(refusals_after(copies(record::Mode::cold, 2000000000, 0.5)),
              ElementsAre(HasSubstr("is impossible: 1.6")));
}

TEST(Refusals, NameALimitThatIsRaised) {
  EXPECT_THAT(refusals_after([](auto& results) {
                make_times(results, 0.5);
                for (record::Row& row : results.rows) row.limit->per_second = 8e12;
              }),
              ElementsAre("holds rates against a limit of device memory that is not the memory's peak"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.device->memory_peak_bytes_per_s = 8e12; }),
              ElementsAre("has a memory peak other than its memory clock and bus width give"));
}

TEST(Refusals, LetConvolutionsSaveProductsAsWinogradDoes) {
  const auto convolution = [](double share) {
    return [share](record::ResultSet& results) {
      for (record::Row& row : results.rows) {
        row.name = row.family = "conv";
        row.workload = {};
        row.workload.flops = 1000000000;
        row.limit = record::Limit{"fp32", "flops", 1e9 / 6e-4 / share, "a table"};
      }
    };
  };
  EXPECT_THAT(refusals_after(convolution(2.2)), IsEmpty());
  EXPECT_THAT(refusals_after(convolution(4.2)), ElementsAre(HasSubstr("conv is impossible: 4.2")));
}

TEST(Refusals, NameWhoseRunIsNotWhole) {
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.interrupted = true; }),
              ElementsAre(HasSubstr("is not whole")));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.profile = "quick"; }),
              ElementsAre("is of the quick profile, not standard or full"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.filters = {"copy"}; }),
              ElementsAre("holds a part of its families, by --filter copy"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.notes["--advice"] = "pin-memory"; }),
              ElementsAre("holds a part of its families, by --advice pin-memory"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.notes["--zeros"] = "true"; }),
              ElementsAre("was measured with --zeros, and products of zeros are quicker"));
  EXPECT_THAT(refusals_after([](auto& results) { results.rows.pop_back(); }),
              ElementsAre("memory/copy/bytes:1000000000 is there 4 times, not 5"));
  EXPECT_THAT(refusals_after([](auto& results) {
                results.rows.pop_back();
                results.context.run.processes = 4;
              }),
              ElementsAre("has 4 processes, not 5"));
  EXPECT_THAT(refusals_after([](auto& results) { results.rows.clear(); }), ElementsAre("has no results"));
}

TEST(Refusals, NameRowsThatFailedOrWereNotAlone) {
  EXPECT_THAT(refusals_after([](auto& results) {
                results.rows.front().status = record::Status::failed;
                results.rows.front().reason = "wrong result";
              }),
              ElementsAre("memory/copy/bytes:1000000000 failed: wrong result"));
  EXPECT_THAT(refusals_after([](auto& results) { results.rows.front().telemetry->foreign_processes = 1; }),
              ElementsAre("another process used the GPU beside 1 row"));
}

// Benchmarks by the host's clock, five of which the driver watched.
record::ResultSet host_times() {
  record::ResultSet results = whole_result();
  for (std::size_t i = 0; i < kFewestProcesses; ++i) {
    record::Row& row = results.rows.emplace_back(results.rows[i]);
    row.name = "memory/touch";
    row.telemetry.reset();
    row.limit.reset();
    row.series.front().mode = record::Mode::host;
  }
  return results;
}

TEST(Refusals, NameRowsThatWereNotMeasuredForNoReason) {
  EXPECT_THAT(refusals_after([](auto& results) {
                record::Row& row = results.rows.front();
                row.status = record::Status::skipped;
                row.series.clear();
              }),
              ElementsAre("memory/copy/bytes:1000000000 was not measured and does not say why"));
}

TEST(Refusals, NameRowsWithoutTelemetry) {
  EXPECT_THAT(refusals_after([](auto& results) { results.rows[2].telemetry.reset(); }),
              ElementsAre(HasSubstr("has no telemetry of 1 benchmark, as memory/copy/bytes:1000000000")));
  EXPECT_THAT(refusals_after([](auto& results) { results.rows[2].telemetry->sm_clock_hz.reset(); }),
              ElementsAre(HasSubstr("has no telemetry of 1 benchmark")));
}

TEST(Refusals, LetHostTimesBeWithoutTelemetryUnlessTheDriverGaveIt) {
  EXPECT_THAT(refusals_of(host_times()), IsEmpty());
  record::ResultSet in_part = host_times();
  in_part.rows.back().telemetry.emplace().sm_clock_hz = 1.9e9;
  EXPECT_THAT(refusals_of(in_part), ElementsAre(HasSubstr("has no telemetry of 1 benchmark, as memory/touch")));
  record::ResultSet none = host_times();
  none.rows.erase(none.rows.begin(), none.rows.begin() + kFewestProcesses);
  EXPECT_THAT(refusals_of(none), ElementsAre(HasSubstr("has no telemetry of 1 benchmark, as memory/touch")));
  none.context.device->driver_version.clear();
  EXPECT_THAT(refusals_of(none), IsEmpty());
}

TEST(Refusals, NameRowsOfAnotherFamilyThanTheirNames) {
  EXPECT_THAT(refusals_after([](auto& results) {
                for (record::Row& row : results.rows) row.family = "gemm";
              }),
              Contains("memory/copy/bytes:1000000000 is not of the family that it says, gemm"));
}

TEST(Refusals, NameABuildThatNobodyKnows) {
  EXPECT_THAT(refusals_after([](auto& results) { results.context.build.git_dirty = true; }),
              ElementsAre(std::string("was measured by a changed build of ") + kRevision));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.build.git_revision = "cd5995c"; }),
              ElementsAre("does not name the revision of cupel that measured it"));
  EXPECT_THAT(refusals_of(whole_result(), {"another"}),
              ElementsAre(std::string("was measured by an unknown revision: ") + kRevision));
}

TEST(Refusals, NameDatesThatCannotBe) {
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.finished = "2999-01-01T00:00:00Z"; }),
              ElementsAre("has a date in the future: 2999-01-01T00:00:00Z"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.started = "2026-11-25T04:20:00Z"; }),
              ElementsAre(HasSubstr("ended before it began")));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.run.started.clear(); }),
              ElementsAre("has an invalid date: ''"));
}

TEST(Refusals, NameAResultOfNoGpu) {
  EXPECT_THAT(refusals_after([](auto& results) { results.context.device.reset(); }),
              ElementsAre("was not measured on a GPU"));
  EXPECT_THAT(refusals_after([](auto& results) { results.context.device->uuid.clear(); }),
              ElementsAre("names no board: it has no UUID"));
}

TEST(Refusals, NameFieldsThatNobodyKnows) {
  EXPECT_THAT(refusals_after([](auto& results) { results.context.unknown = R"({"/context/host_name": "login1"})"; }),
              ElementsAre(HasSubstr("has fields that this cupel does not know: {\"/context/host_name\"")));
}

TEST(Copies, AreFoundBySamplesWhateverElseIsEdited) {
  Copies copies;
  copies.add("old.json", whole_result());
  record::ResultSet again = whole_result();
  again.context.device->uuid = "GPU-another";
  again.context.run.started = "2026-11-26T04:17:55Z";

  EXPECT_THAT(copies.found(again), ElementsAre("is there already: most of its rows have the samples of old.json"));
  make_times(again, 1.001);
  EXPECT_THAT(copies.found(again), IsEmpty());
}

TEST(Copies, SayThatOneOfTheSameRunMayBeWhatTheBundleWasMadeOf) {
  Copies copies;
  copies.add("own.json", whole_result());

  EXPECT_THAT(copies.found(whole_result()),
              ElementsAre(HasSubstr("own.json, which is of the same run (keep what it was made of out of --known)")));
}

TEST(Copies, AreFoundAmongTheProcessesOfOneResult) {
  record::ResultSet results = whole_result();
  results.rows[3].series = results.rows[1].series;

  EXPECT_THAT(Copies().found(results), ElementsAre("process 3 has the samples of process 1"));
}

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
