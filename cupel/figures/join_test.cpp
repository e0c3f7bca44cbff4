#include "cupel/figures/join.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/copies.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::figures {
namespace {

using testing::ElementsAre;

NamedResults file(const std::string& family, const std::string& device = "NVIDIA Synthetic 1") {
  NamedResults file{{family + ".json"}, {synthetic::context(3, device), {}}};
  file.results.context.run.families = {family};
  synthetic::add(file.results, {family + "/a", {}});
  return file;
}

std::vector<std::vector<std::string>> files_of(const std::vector<NamedResults>& joined) {
  std::vector<std::vector<std::string>> files;
  for (const NamedResults& one : joined) files.push_back(one.files);
  return files;
}

TEST(JoinProcesses, MakesOneSideOfFilesOfOneProgramMachineAndDay) {
  NamedResults first = file("bench"), second = file("bench"), other = file("bench");
  for (NamedResults* one : {&first, &second, &other}) {
    std::erase_if(one->results.rows, [](const record::Row& row) { return row.process > 0; });
    one->results.context.run.started = "2026-11-20T08:00:00Z";
  }
  second.results.context.run.started = "2026-11-20T09:00:00Z";
  other.results.context.host.name = "n2";

  const record::ResultSet joined = join_processes({first, second});

  EXPECT_EQ(joined.context.run.processes, 2);
  ASSERT_EQ(joined.rows.size(), 2u);
  EXPECT_EQ(joined.rows[1].process, 1);
  EXPECT_THROW(join_processes({first, other}), std::invalid_argument);
}

TEST(JoinProcesses, CountsACopyOfAFileForNoProcessOfItsOwn) {
  NamedResults first = file("bench"), copy = first;
  copy.files = {"copy.json"};

  EXPECT_THAT(
      [&] {
        join_processes({first, copy});
      },
      testing::ThrowsMessage<std::invalid_argument>("copy.json is a copy of bench.json: one process counts once"));
  copy.results.context.run.started = "2026-11-20T09:00:00Z";
  EXPECT_THROW(join_processes({first, copy}), std::invalid_argument) << "of another day";
}

TEST(JoinProcesses, GivesABenchmarkOneNameWhateverElseAFileHas) {
  NamedResults first = file("bench"), second = file("bench");
  for (NamedResults* one : {&first, &second}) one->results.rows.resize(1);
  first.results.rows[0].printed_name = second.results.rows[0].printed_name = "F/real_time";
  first.results.rows[0].name = second.results.rows[0].name = "F";
  first.results.rows.push_back(first.results.rows[0]);
  first.results.rows[0].name = "F/real_time";
  first.results.rows[1].name = first.results.rows[1].printed_name = "F";

  const record::ResultSet joined = join_processes({first, second});

  std::vector<std::string> names;
  for (const record::Row& row : joined.rows) names.push_back(row.name);
  EXPECT_THAT(names, ElementsAre("F/real_time", "F", "F/real_time"));
}

TEST(JoinParts, MakesOneOfFamiliesThatWereMeasuredOneByOne) {
  NamedResults gemm = file("gemm"), sync = file("sync");
  gemm.results.context.device->uuid = "GPU-1";
  sync.results.context.device->uuid = "GPU-2";  // another board of the same kind
  gemm.results.context.build.git_revision = "c453e9eda2c6aa";
  sync.results.context.build.git_revision = "1262df718efabb";
  sync.results.context.run.started = "2025-12-31T00:00:00Z";
  sync.results.context.run.processes = 5;
  sync.results.context.run.interrupted = true;
  gemm.results.context.host.logical_cpus = 16;
  sync.results.context.host.logical_cpus = 32;
  gemm.results.context.host.usable_cpus = 8;
  sync.results.context.host.usable_cpus = 16;

  const std::vector<NamedResults> joined = join_parts({gemm, sync});

  ASSERT_EQ(joined.size(), 1u);
  EXPECT_THAT(joined[0].files, ElementsAre("gemm.json", "sync.json"));
  EXPECT_EQ(joined[0].results.rows.size(), 6u);
  EXPECT_EQ(joined[0].results.context.device->uuid, "GPU-1,GPU-2");
  EXPECT_EQ(joined[0].results.context.host.logical_cpus, 0);
  EXPECT_EQ(value_of(facts(joined[0].results.context), "CPUs"), "16; 32");
  EXPECT_EQ(value_of(facts(joined[0].results.context), "usable CPUs"), "8; 16");
  EXPECT_EQ(shortened(joined[0].results.context.build.git_revision, 12), "c453e9eda2c6, 1262df718efa");
  const record::RunInfo& run = joined[0].results.context.run;
  EXPECT_THAT(run.families, ElementsAre("gemm", "sync"));
  EXPECT_EQ(run.started, "2025-12-31T00:00:00Z");
  EXPECT_EQ(run.processes, 3);
  EXPECT_EQ(run.profile, "quick");
  EXPECT_TRUE(run.interrupted);
}

TEST(JoinParts, KnowsNoNumberOfCpusWhereOneFileDoesNotSayIt) {
  NamedResults gemm = file("gemm"), sync = file("sync");
  gemm.results.context.host.logical_cpus = 16;
  sync.results.context.host.logical_cpus = 0;

  EXPECT_EQ(value_of(facts(join_parts({gemm, sync})[0].results.context), "CPUs"), "");
}

TEST(JoinParts, KeepsWhatMeasuringCostInEachFileAndFromWhenToWhen) {
  NamedResults gemm = file("gemm"), host = file("sync"), conv = file("conv");
  gemm.results.context.calibration.emplace().event_floor_kernel_s = 2e-6;
  host.results.context.calibration.reset();
  conv.results.context.calibration.emplace().event_floor_kernel_s = 3e-6;
  gemm.results.context.run.started = "2026-01-01T02:00:00Z";
  conv.results.context.run.started = "2026-01-01T01:00:00Z";
  host.results.context.run.finished = gemm.results.context.run.finished = "2026-01-01T03:00:00Z";
  conv.results.context.run.finished = "2026-01-01T01:30:00Z";

  const std::vector<NamedResults> joined = join_parts({host, gemm, conv});

  ASSERT_EQ(joined.size(), 1u);
  const record::Context& context = joined[0].results.context;
  EXPECT_EQ(context.calibration->event_floor_kernel_s, 2e-6);
  ASSERT_EQ(context.further_calibrations.size(), 1u);
  EXPECT_EQ(context.further_calibrations[0].event_floor_kernel_s, 3e-6);
  EXPECT_EQ(context.run.joined_files, 3);
  EXPECT_THAT(record::time_text(context.run), testing::EndsWith(" to 2026-01-01T03:00:00Z"));
  EXPECT_EQ(record::time_text(gemm.results.context.run), "2026-01-01T02:00:00Z");
}

TEST(JoinParts, KeepsTheSameBenchmarksApart) {
  EXPECT_THAT(files_of(join_parts({file("gemm"), file("gemm")})),
              ElementsAre(ElementsAre("gemm.json"), ElementsAre("gemm.json")));
}

TEST(JoinParts, KeepsMachinesApartThatAreNotAlike) {
  NamedResults driver = file("sync"), cpu = file("memory"), host = file("host");
  driver.results.context.device->driver_version = "590.00";
  cpu.results.context.host.cpu = "Another CPU";
  host.results.context.device.reset();

  EXPECT_EQ(join_parts({file("gemm"), driver, cpu, host, file("fusion", "NVIDIA Synthetic 2")}).size(), 5u);
}

TEST(JoinParts, PutsTwoRunsOfSeveralFilesTogetherEachForItself) {
  const std::vector<NamedResults> joined = join_parts({file("gemm"), file("sync"), file("gemm"), file("sync")});

  EXPECT_THAT(files_of(joined),
              ElementsAre(ElementsAre("gemm.json", "sync.json"), ElementsAre("gemm.json", "sync.json")));
}

TEST(JoinParts, NamesBothProfilesAndKnowsEveryLibrary) {
  NamedResults gemm = file("gemm"), conv = file("conv");
  conv.results.context.run.profile = "standard";
  gemm.results.context.libraries = {{"cublas", "13.0", "13.0"}, {"cudnn", "9.1", ""}};
  conv.results.context.libraries = {{"cudnn", "9.1", "9.2"}, {"nccl", "2.1", ""}};

  const std::vector<NamedResults> joined = join_parts({gemm, conv});

  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].results.context.run.profile, "quick and standard");
  const std::vector<record::Library> libraries = joined[0].results.context.libraries;
  ASSERT_EQ(libraries.size(), 3u);
  EXPECT_EQ(libraries[1].loaded, "9.2");
}

// Three processes of three benchmarks, with samples of about that time.
record::ResultSet samples_from(double first_s) {
  record::ResultSet results;
  for (int process = 0; process < 3; ++process) {
    for (const char* name : {"a", "b", "c"}) {
      record::Row row;
      row.name = name;
      row.process = process;
      record::Series& series = row.series.emplace_back();
      series.samples_s = {first_s, first_s * 1.01, first_s * (1.02 + process)};
      results.rows.push_back(std::move(row));
    }
  }
  return results;
}

TEST(Copies, HaveTheSamplesOfMostRows) {
  record::ResultSet copy = samples_from(1e-6), other = samples_from(1.1e-6);
  const Prints prints = prints_of(samples_from(1e-6));
  EXPECT_EQ(prints.size(), 9U);
  copy.rows.resize(6);
  copy.rows[0].series[0].samples_s[1] = 2;

  EXPECT_TRUE(is_copy(prints_of(copy), prints));
  EXPECT_FALSE(is_copy(prints_of(other), prints));
  EXPECT_FALSE(is_copy({}, prints)) << "nothing was measured";
}

TEST(Copies, OfSuitesHaveTheLocationsOfMostProcesses) {
  const auto prints = [](double first_s) { return prints_of(suite_of(samples_from(first_s), "x")); };

  EXPECT_EQ(prints(1e-6).size(), 9U);
  EXPECT_TRUE(is_copy(prints(1e-6), prints(1e-6)));
  EXPECT_FALSE(is_copy(prints(1e-6), prints(1.1e-6)));
}

TEST(SeenResults, NameTheFirstOfWhichAnotherIsACopy) {
  SeenResults seen;

  EXPECT_EQ(seen.copy_of("first", prints_of(samples_from(1e-6))), "");
  EXPECT_EQ(seen.copy_of("other", prints_of(samples_from(1.1e-6))), "");
  EXPECT_EQ(seen.copy_of("again", prints_of(samples_from(1e-6))), "first");
  EXPECT_EQ(seen.copy_of("and again", prints_of(samples_from(1e-6))), "first");
}

}  // namespace
}  // namespace cupel::figures
