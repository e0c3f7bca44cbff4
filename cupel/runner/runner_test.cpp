#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

#include "cupel/record/floor.hpp"
#include "cupel/runner/collect.hpp"
#include "cupel/runner/gate_program.hpp"
#include "cupel/runner/gate_run.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/plan.hpp"
#include "cupel/runner/schedule.hpp"
#include "cupel/runner/select.hpp"
#include "cupel/runner/settings.hpp"
#include "cupel/runner/shortest_work.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

record::Listing listing_of(const std::vector<std::string>& names) {
  record::Listing listing;
  for (const std::string& name : names) {
    record::ListedBenchmark benchmark;
    benchmark.name = name;
    listing.benchmarks.push_back(benchmark);
  }
  return listing;
}

std::vector<std::string> names_of(const std::vector<record::ListedBenchmark>& benchmarks) {
  std::vector<std::string> names;
  for (const record::ListedBenchmark& benchmark : benchmarks) names.push_back(benchmark.name);
  return names;
}

TEST(Select, TakesWhatAnyFilterFindsAndNoneExcludes) {
  const record::Listing listing = listing_of({"a/x/n:1", "a/y/n:1", "a/y/n:2", "a/z/n:1"});

  EXPECT_THAT(names_of(select(listing, {{}, {"/x/", "/y/", "-n:2"}, {}})), ElementsAre("a/x/n:1", "a/y/n:1"));
  EXPECT_THAT(names_of(select(listing, {{}, {"-n:1"}, {}})), ElementsAre("a/y/n:2"));
  EXPECT_EQ(select(listing, {}).size(), 4u);
}

TEST(Select, TakesWhatBelongsToAnyOfTheAdvice) {
  record::Listing listing = listing_of({"a/x", "a/y", "a/z"});
  listing.benchmarks[1].advice = {{"pin-memory", record::Role::before, "", ""}};
  listing.benchmarks[2].advice = {{"graphs", record::Role::after, "", ""}};

  EXPECT_THAT(names_of(select(listing, {{}, {}, {"graphs", "none"}})), ElementsAre("a/z"));
}

TEST(Select, RefusesWhatIsNoRegularExpression) {
  EXPECT_THROW(select(listing_of({"a"}), {{}, {"("}, {}}), std::invalid_argument);
}

TEST(ExactFilter, MatchesEachNameWholeWhateverItIsMadeOf) {
  const std::vector<std::string> names{"BM_a/8", R"(re.*[x](y)+?^$|{2}\d)", "vector<std::array<int, 4>>{}", "-dash"};
  const std::regex filter(exact_filter(names), std::regex::extended);  // as Google Benchmark compiles it

  for (const std::string& name : names) {
    EXPECT_TRUE(std::regex_search(name, filter)) << name;
    EXPECT_FALSE(std::regex_search(name + "4", filter)) << name;
  }
}

TEST(Settings, AreTheSameWhenReadBackFromTheirNotes) {
  Settings settings, again;
  settings.device = "GPU-5f1c";
  settings.rounds = 5;
  settings.noise_goal = 0.001;
  settings.max_wall_s = 0.1;
  settings.min_samples = 10;
  settings.max_samples = 20;
  settings.allow_managed = true;
  settings.allow_multicast = true;
  settings.zeros = true;
  settings.data = "/data/photographs";
  settings.data_bytes = 1 << 30;
  settings.clean_data = true;

  for (const auto& [flag, value] : notes(settings)) EXPECT_TRUE(apply_note(again, flag, value)) << flag;

  EXPECT_EQ(child_flags(again), child_flags(settings));
  EXPECT_FALSE(apply_note(again, "--rounds", "five"));
  EXPECT_FALSE(apply_note(again, "host", "no device"));
}

TEST(Settings, ThatCannotBeRunAreRefusedWhereverTheyComeFrom) {
  const auto refused = [](const std::function<void(Settings&)>& change) {
    Settings settings;
    change(settings);
    try {
      check(settings);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused([](Settings&) {}), "");
  EXPECT_EQ(refused([](Settings& s) { s.processes = 2147483647; }), "processes: 2147483647 lies outside of 1 to 1000");
  EXPECT_NE(refused([](Settings& s) { s.profile = "huge"; }), "");
  for (const char* flag : {"--rounds", "--max-samples", "--min-samples", "--data-bytes"}) {
    EXPECT_NE(refused([&](Settings& s) { apply_note(s, flag, "0"); }), "") << flag;
  }
  for (const char* value : {"nan", "inf", "-1", "1e300"}) {
    for (const char* flag : {"--max-wall", "--noise-goal"}) {
      EXPECT_NE(refused([&](Settings& s) { apply_note(s, flag, value); }), "") << flag << value;
    }
  }
}

TEST(Output, IsNamedAfterTheDeviceInLettersThatAnyFileSystemTakes) {
  record::Context context;
  EXPECT_EQ(machine_slug(context), "host");
  context.device.emplace();
  context.device->name = "NVIDIA GeForce RTX 4090 (\xc2\xb5)";
  EXPECT_EQ(machine_slug(context), "nvidia-geforce-rtx-4090");
}

TEST(Output, TakesANewNameWhereTheFirstIsTaken) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "T-host.json") << "x";

  EXPECT_EQ(write_under_free_name({}, folder.path(), "T"), folder.path() / "T-host-2.json");
  std::string kept;
  std::ifstream(folder.path() / "T-host.json") >> kept;
  EXPECT_EQ(kept, "x");
}

TEST(ScratchFolder, IsRemovedByTheNextOneWhereItsRunWasKilled) {
  const ScratchFolder mine;
  ::setenv("TMPDIR", mine.path().c_str(), 1);
  const pid_t killed = ::fork();
  if (killed == 0) {
    const ScratchFolder left;
    std::ofstream(left.path() / "journal") << "x";
    ::_exit(0);
  }
  ::waitpid(killed, nullptr, 0);
  const ScratchFolder another;
  EXPECT_EQ(std::distance(fs::directory_iterator(mine.path()), {}), 1);
  fs::create_directory(mine.path() / "cupel-folder");
  const ScratchFolder next;

  EXPECT_TRUE(fs::exists(another.path()));
  EXPECT_TRUE(fs::exists(mine.path() / "cupel-folder"));
  ::unsetenv("TMPDIR");
}

TEST(Output, IsRefusedWhereTheDiskIsTooSmall) {
  const ScratchFolder folder;

  EXPECT_THROW(check_folder(folder.path(), std::int64_t{1} << 62), OutputError);
  EXPECT_NO_THROW(check_folder(folder.path(), 1));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

Plan plan_of(const std::vector<std::string>& names) {
  Plan plan;
  plan.families.push_back({"a", "/bin/false", listing_of(names).benchmarks});
  return plan;
}

record::Row row_of(const std::string& name) {
  record::Row row;
  row.name = name;
  return row;
}

TEST(StageResults, OfLaterProcessesStandBehindTheEarlierOnesOnBothSides) {
  const auto results_of = [](const std::vector<int>& processes) {
    record::ResultSet results;
    for (const int process : processes) results.rows.emplace_back().process = process;
    return results;
  };
  StageResults measured, later;
  measured.base = results_of({0, 1});
  measured.contender = results_of({0, 1, 2});
  later.base = results_of({0});
  later.contender = results_of({0, 1});
  later.interrupted = true;
  append(std::move(later), measured);
  const auto processes = [](const record::ResultSet& results) {
    std::vector<int> all;
    for (const record::Row& row : results.rows) all.push_back(row.process);
    return all;
  };
  EXPECT_THAT(processes(measured.base), ElementsAre(0, 1, 3));
  EXPECT_THAT(processes(measured.contender), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(processes_of(measured.contender), 5);
  EXPECT_EQ(processes_of({}), 0);
  EXPECT_TRUE(measured.interrupted);
}

TEST(Collection, KeepsOneRowForEachPlannedBenchmarkAndProcess) {
  const Plan plan = plan_of({"a/x", "a/y"});
  Collection collection(plan);

  collection.add(plan.families[0], 0, {row_of("a/y"), row_of("a/y"), row_of("a/stranger")});

  ASSERT_EQ(collection.results().rows.size(), 1u);
  EXPECT_EQ(collection.results().rows[0].family, "a");
  EXPECT_THAT(collection.missing(plan.families[0], 0), ElementsAre("a/x"));
  EXPECT_THAT(collection.missing(plan.families[0], 1), ElementsAre("a/x", "a/y"));
}

TEST(Collection, SortsByThePlanThenByProcess) {
  const Plan plan = plan_of({"a/y", "a/x"});
  Collection collection(plan);
  collection.add(plan.families[0], 1, {row_of("a/x"), row_of("a/y")});
  collection.add(plan.families[0], 0, {row_of("a/x"), row_of("a/y")});

  collection.sort();

  std::vector<std::string> order;
  for (const record::Row& row : collection.results().rows) order.push_back(row.name + std::to_string(row.process));
  EXPECT_THAT(order, ElementsAre("a/y0", "a/y1", "a/x0", "a/x1"));
}

record::Context context_with(const std::vector<record::EventPair>& pairs) {
  record::Context context;
  context.calibration.emplace();
  record::set_shortest_work(*context.calibration, {0.5e-6, 1.5e-6, "assumed"});
  context.calibration->event_pairs = pairs;
  return context;
}

TEST(Collection, TakesOneFloorOffTheRowsOfAllProcesses) {
  const Plan plan = plan_of({"a/x"});
  Collection collection(plan);
  record::Row row = row_of("a/x");
  row.series.resize(1);
  row.series[0].mode = record::Mode::cold;
  row.series[0].engine = record::Engine::kernel;
  row.series[0].samples_s = {20e-6};
  collection.add(plan.families[0], 0, {row});
  collection.add(plan.families[0], 1, {row});
  collection.add(context_with({{0, 0, 2.5e-6, 2.8e-6}}));
  collection.add(context_with({{1, 0, 2.7e-6, 2.8e-6}}));

  collection.apply_floor();

  for (const record::Row& seen : collection.results().rows) {
    EXPECT_NEAR(seen.series.at(0).correction_s, 2.1e-6, 1e-12) << seen.process;
  }
  EXPECT_EQ(collection.results().context.calibration->event_pairs.size(), 2u);
}

TEST(Collection, PutsWhatCuptiReadBeforeTheTable) {
  const Plan plan = plan_of({"a/x"});
  Collection collection(plan);
  collection.add(context_with({{0, 0, 2.5e-6, 2.8e-6}}));
  collection.set_shortest_work({0.6e-6, 1.4e-6, "CUPTI in this run"});

  collection.apply_floor();

  EXPECT_NEAR(collection.results().context.calibration->event_floor_kernel_s, 1.9e-6, 1e-12);
  EXPECT_NEAR(collection.results().context.calibration->event_floor_copy_s, 1.4e-6, 1e-12);
  EXPECT_EQ(collection.results().context.calibration->shortest_source, "CUPTI in this run");
}

fs::path script(const ScratchFolder& folder, const std::string& name, const std::string& text) {
  const fs::path path = folder.path() / name;
  std::ofstream(path) << "#!/bin/sh\n" << text << '\n';
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(ShortestWork, IsReadByTheFirstFamilyThatCanTell) {
  const ScratchFolder folder;
  Plan plan = plan_of({"a/x"});
  plan.families[0].benchmarks[0].needs_device = true;
  plan.families[0].executable = script(folder, "cannot_tell", "exit 5");
  EXPECT_FALSE(read_shortest_work(plan));

  plan.families.push_back(plan.families[0]);
  plan.families[1].executable = script(folder, "tells", "echo 5e-07,1.5e-06");

  ASSERT_TRUE(read_shortest_work(plan));
  EXPECT_EQ(read_shortest_work(plan)->kernel_s, 5e-7);
}

TEST(Plan, ExpectsOfAProcessEveryBenchmarkAndItsStart) {
  Plan plan = plan_of({"a/x", "a/y"});
  for (record::ListedBenchmark& benchmark : plan.families[0].benchmarks) benchmark.seconds = 0.5;
  plan.families[0].benchmarks[0].needs_device = true;
  plan.families[0].benchmarks[1].device_bytes = 77;

  EXPECT_DOUBLE_EQ(plan.families[0].process_s(), kDeviceStart_s + 1.0);
  EXPECT_EQ(plan.families[0].device_bytes(), 77);
}

// Ten host benchmarks of 1 s, 0.2 s of it with the fewest samples: 10.05 s a process, 2.05 s of it the least.
Plan plan_to_fit(int processes) {
  Plan plan = plan_of(std::vector<std::string>(10, "a/x"));
  for (record::ListedBenchmark& benchmark : plan.families[0].benchmarks) {
    benchmark.seconds = 1;
    benchmark.least_seconds = 0.2;
  }
  plan.families[0].max_wall_s = 0.6;
  plan.settings.processes = plan.most_processes = processes;
  return plan;
}

TEST(FitBudget, LeavesAPlanThatFitsAsItIs) {
  const Plan plan = fit_budget(plan_to_fit(5), 60);

  EXPECT_EQ(plan.settings.max_wall_s, std::nullopt);
  EXPECT_EQ(plan.settings.processes, 5);
  EXPECT_THAT(plan.cuts, IsEmpty());
}

TEST(FitBudget, CutsSamplingFirst) {
  const Plan plan = fit_budget(plan_to_fit(5), 5 * (0.05 + 2 + 4));

  EXPECT_EQ(plan.settings.max_wall_s, 0.3) << "half of the sampling, which is 8 s a process";
  EXPECT_EQ(plan.settings.processes, 5);
  EXPECT_DOUBLE_EQ(plan.families[0].process_s(), 0.05 + 2 + 4);
  EXPECT_THAT(plan.cuts, ElementsAre("sampling of one benchmark ends after 0.3 s"));
}

TEST(FitBudget, CutsNoProcessForARoundingError) {
  for (int tenths = 130; tenths < 300; ++tenths) {  // from 4.05 s a process on, a quarter of the sampling
    const Plan plan = fit_budget(plan_to_fit(3), 0.1 * tenths);

    EXPECT_EQ(plan.settings.processes, 3) << tenths;
  }
}

TEST(FitBudget, CutsProcessesWhereAQuarterOfTheSamplingIsLeft) {
  const Plan plan = fit_budget(plan_to_fit(5), 13);

  EXPECT_EQ(plan.settings.max_wall_s, 0.15);
  EXPECT_EQ(plan.settings.processes, 3) << "of 4.05 s each";
  EXPECT_EQ(plan.most_processes, 5);
  EXPECT_THAT(plan.cuts, ElementsAre(HasSubstr("0.15 s"), "about 3 of 5 processes"));
}

TEST(FitBudget, CutsTheSamplingOfTheLastProcessToTheFewestSamples) {
  Plan plan = fit_budget(plan_to_fit(5), 3.05);

  EXPECT_EQ(plan.settings.max_wall_s, 0.075) << "an eighth: 1 s of 8";
  EXPECT_EQ(plan.settings.processes, 1);
  plan = fit_budget(plan_to_fit(5), 2.05);
  EXPECT_EQ(plan.settings.max_wall_s, 0);
  EXPECT_DOUBLE_EQ(plan.families[0].process_s(), 2.05);
  EXPECT_DOUBLE_EQ(plan.least_s(), 2.05);
  EXPECT_THAT(plan.cuts, ElementsAre("the fewest samples of each benchmark", "about 1 of 5 processes"));
}

TEST(FitBudget, ExpectsNoLessWithAShorterWallOfWhatIsNotSampling) {
  Plan plan = plan_to_fit(2);
  plan.settings.max_wall_s = 0.005;
  for (record::ListedBenchmark& benchmark : plan.families[0].benchmarks) benchmark.seconds = 0.201;

  plan = fit_budget(std::move(plan), 3);

  EXPECT_EQ(plan.settings.processes, 1) << "two take the least, 4.1 s";
}

Plan two_families() {
  Plan plan = plan_of({"a/x"});
  plan.families.push_back(plan.families[0]);
  plan.families[1].name = "b";
  return plan;
}

TEST(Schedule, SharesTheTimeByWhatEachIsExpectedToNeed) {
  Plan plan = two_families();
  plan.families[0].benchmarks[0].seconds = plan.families[0].benchmarks[0].least_seconds = 3 - kHostStart_s;
  plan.families[1].benchmarks[0].seconds = plan.families[1].benchmarks[0].least_seconds = 1 - kHostStart_s;
  const Schedule schedule(plan);

  EXPECT_DOUBLE_EQ(schedule.share_s(0, 40, {1, 1}, 0), 30);
  EXPECT_DOUBLE_EQ(schedule.share_s(0, 2, {1, 1}, 0), 1.5)
      << "too little for either, but for one not at the other's cost";
  EXPECT_DOUBLE_EQ(schedule.share_s(0, 40, {1, 0}, 0), 40);
  EXPECT_DOUBLE_EQ(schedule.share_s(0, 40, {0.5, 1}, 0), 24) << "half of it is measured already";
  EXPECT_DOUBLE_EQ(schedule.share_s(0, 40, {1, 1}, 1), 15);
}

TEST(Schedule, TakesTimeFromSamplingBeforeItTakesItFromWhatCannotBeCut) {
  Schedule schedule(two_families());
  schedule.learn(0, {8, 0});
  schedule.learn(1, {2, 8});

  EXPECT_DOUBLE_EQ(schedule.share_s(0, 14, {1, 1}, 0), 8);
  EXPECT_DOUBLE_EQ(schedule.share_s(1, 14, {1, 1}, 0), 6);
}

TEST(Schedule, StartsAsManyProcessesAsEndInTimeByWhatWasSeen) {
  Schedule schedule(two_families());
  schedule.learn(0, {2, 4});
  EXPECT_FALSE(schedule.knows_all());
  schedule.learn(1, {1, 0});

  EXPECT_TRUE(schedule.knows_all());
  EXPECT_EQ(schedule.more_processes(3.9), 0) << "with a quarter of the sampling it is 4 s a process";
  EXPECT_EQ(schedule.more_processes(8.1), 2);
  EXPECT_EQ(schedule.more_processes(-1), 0);
}

TEST(Filters, TakeASizeAsTablesHaveIt) {
  const auto chooses = [](const char* filter, const char* name) { return Filters({filter}).choose({name}); };

  EXPECT_TRUE(chooses("bytes:64 MiB", "transfer/h2d/bytes:67108864"));
  EXPECT_TRUE(chooses("bytes:1.50 GiB", "a/bytes:1610612736"));
  EXPECT_TRUE(chooses("bytes:(4 KiB|1 MiB)$", "a/bytes:1048576"));
  EXPECT_FALSE(chooses("bytes:1 MiB", "a/bytes:10485760"));
  EXPECT_FALSE(chooses("-bytes:4 KiB", "a/bytes:4096"));
  EXPECT_TRUE(chooses("of MiB", "of MiB"));
}

}  // namespace
}  // namespace cupel::runner
