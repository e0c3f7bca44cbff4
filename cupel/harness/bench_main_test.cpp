#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cupel/harness/instrument.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/harness/session.hpp"
#include "cupel/host/shared_library.hpp"
#include "cupel/record/journal.hpp"
#include "cupel/record/json.hpp"

namespace cupel::harness {
namespace {

// The name of what a benchmark has loaded, as a library would be.
std::string g_loaded;

class FakeInstrument : public Instrument {
 public:
  std::string unavailable() override { return ""; }
  void describe(record::Context& context) override {
    context.device.emplace().name = "a device";
    complete(context);
  }
  void complete(record::Context& context) override { context.libraries = {{"lazy", "1.0", g_loaded}}; }
  void before(const std::string&) override {}
  bool after(record::Telemetry&) noexcept override { return false; }
  bool lost(const std::exception&) noexcept override { return is_lost; }

  bool is_lost = false;
};

void register_all() {
  add("fake/loads", [](benchmark::State& state) {
    g_loaded = "1.2";
    sample_host(state, {.items = 1}, [] {});
  });
}

TEST(BenchMain, RecordsLibrariesThatABenchmarkLoaded) {
  forget_registered();
  const std::string out = testing::TempDir() + "bench_main_test.json";
  const std::string journal = testing::TempDir() + "bench_main_test.journal";
  std::vector<std::string> arguments = {"fake", "--cupel_out=" + out, "--cupel_journal=" + journal, "--cupel_rounds=1"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  FakeInstrument instrument;

  const int code = bench_main(static_cast<int>(argv.size()), argv.data(), register_all, &instrument);

  EXPECT_EQ(code, 0);
  const record::ResultSet results = record::read(out);
  ASSERT_EQ(results.context.libraries.size(), 1u);
  EXPECT_EQ(results.context.libraries.front().loaded, "1.2");
  const record::Journal told = record::read_journal(journal);
  ASSERT_TRUE(told.context && told.ended);
  EXPECT_EQ(told.context->libraries.at(0).loaded, "1.2");
  std::remove(out.c_str());
  std::remove(journal.c_str());
  forget_registered();
}

void register_one() {
  add("fake/nothing", [](benchmark::State& state) { sample_host(state, {.items = 1}, [] {}); });
}

TEST(BenchMain, MeasuresAsOftenInOneProcessAsItIsCalled) {
  for (int call = 0; call < 3; ++call) {
    forget_registered();
    std::vector<std::string> arguments = {"fake", "--cupel_rounds=1"};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());

    EXPECT_EQ(bench_main(static_cast<int>(argv.size()), argv.data(), register_one, nullptr), 0) << call;
  }
  forget_registered();
}

void register_one_without_optimisation() {
  add(
      "fake/slow", [](benchmark::State& state) { sample_host(state, {.items = 1}, [] {}); }, Compiled::unoptimised);
}

void register_one_of_zeros() {
  add(
      "fake/zeros",
      [](benchmark::State& state) {
        set_unusual(record::kOfZeros);
        sample_host(state, {.items = 1}, [] {});
      },
      Compiled::optimised);
}

record::ResultSet results_of(void (*register_all)()) {
  forget_registered();
  const std::string out = testing::TempDir() + "bench_main_test.results.json";
  std::vector<std::string> arguments = {"fake", "--cupel_out=" + out, "--cupel_rounds=2"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  bench_main(static_cast<int>(argv.size()), argv.data(), register_all, nullptr);
  forget_registered();
  record::ResultSet results = record::read(out);
  std::remove(out.c_str());
  return results;
}

TEST(BenchMain, RecordsWhetherTheFamilysOwnCodeIsOptimisedAndWhatOfItsWorkIsUnusual) {
  EXPECT_EQ(results_of(register_one_without_optimisation).context.run.unoptimised, std::vector<std::string>{"fake"});
  const record::ResultSet results = results_of(register_one_of_zeros);
  EXPECT_TRUE(results.context.run.unoptimised.empty());
  EXPECT_EQ(results.rows.at(0).unusual, "inputs are zeros");
}

void register_one_whose_library_is_missing() {
  add("fake/lacks", [](benchmark::State&) { throw host::Unavailable("libx was not found"); });
}

TEST(BenchMain, SkipsWhatALibraryIsMissingFor) {
  FakeInstrument device;
  for (Instrument* instrument : {static_cast<Instrument*>(&device), static_cast<Instrument*>(nullptr)}) {
    forget_registered();
    const std::string journal = testing::TempDir() + "bench_main_test.lacks";
    std::vector<std::string> arguments = {"fake", "--cupel_journal=" + journal};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());

    const int code =
        bench_main(static_cast<int>(argv.size()), argv.data(), register_one_whose_library_is_missing, instrument);

    const record::Journal told = record::read_journal(journal);
    ASSERT_EQ(told.rows.size(), 1u) << code;
    EXPECT_EQ(told.rows.front().status, record::Status::skipped);
    EXPECT_EQ(told.rows.front().reason, "libx was not found");
    std::remove(journal.c_str());
  }
  forget_registered();
}

TEST(BenchMain, TakesALostDeviceForAFailureWhateverTheExceptionSays) {
  forget_registered();
  const std::string journal = testing::TempDir() + "bench_main_test.lacks";
  std::vector<std::string> arguments = {"fake", "--cupel_journal=" + journal};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  FakeInstrument broken;
  broken.is_lost = true;

  const int code =
      bench_main(static_cast<int>(argv.size()), argv.data(), register_one_whose_library_is_missing, &broken);

  EXPECT_EQ(code, record::kChildDeviceLost);
  const record::Journal told = record::read_journal(journal);
  ASSERT_EQ(told.rows.size(), 1u);
  EXPECT_EQ(told.rows.front().status, record::Status::failed);
  std::remove(journal.c_str());
  forget_registered();
}

void register_one_that_is_interrupted() {
  add("fake/interrupted", [](benchmark::State&) { throw Interrupted("while it made its inputs"); });
}

TEST(BenchMain, GivesNoRowOfWhatWasInterruptedBeforeItMeasured) {
  forget_registered();
  const std::string out = testing::TempDir() + "bench_main_test.interrupted.json";
  const std::string journal = testing::TempDir() + "bench_main_test.interrupted";
  std::vector<std::string> arguments = {"fake", "--cupel_out=" + out, "--cupel_journal=" + journal, "--cupel_rounds=1"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());

  bench_main(static_cast<int>(argv.size()), argv.data(), register_one_that_is_interrupted, nullptr);

  EXPECT_TRUE(record::read(out).rows.empty());
  EXPECT_TRUE(record::read_journal(journal).rows.empty());
  std::remove(out.c_str());
  std::remove(journal.c_str());
  forget_registered();
}

// The first of two, in whatever order they come.
void register_two_of_which_the_first_loses_the_device() {
  for (const char* name : {"fake/one", "fake/other"}) {
    add(name, [](benchmark::State&) { throw DeviceLost("a peer hangs"); });
  }
}

TEST(BenchMain, EndsAtABenchmarkAfterWhichTheDeviceIsBeyondUse) {
  forget_registered();
  const std::string journal = testing::TempDir() + "bench_main_test.lost";
  std::vector<std::string> arguments = {"fake", "--cupel_journal=" + journal};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  FakeInstrument instrument;

  const int code = bench_main(static_cast<int>(argv.size()), argv.data(),
                              register_two_of_which_the_first_loses_the_device, &instrument);

  EXPECT_EQ(code, record::kChildDeviceLost);
  const record::Journal told = record::read_journal(journal);
  ASSERT_EQ(told.rows.size(), 1u);
  EXPECT_EQ(told.rows.front().status, record::Status::failed);
  EXPECT_EQ(told.rows.front().reason, "a peer hangs");
  std::remove(journal.c_str());
  forget_registered();
}

std::vector<std::string> g_order;

void register_a_pair() {
  for (const record::Role role : {record::Role::before, record::Role::after}) {
    const std::string name = std::string("fake/") + record::to_string(role);
    add(name, [name](benchmark::State& state) {
      g_order.push_back(name);
      sample_host(state, {.items = 1}, [] {}, {.calls = 1, .few = true});
    }).advice("some-advice", role, "scenario", role == record::Role::after ? "after" : "");
  }
}

// Drift within a process would else fall on the same side in all processes of a quick run.
TEST(BenchMain, SwapsBeforeAndAfterFromProcessToProcessWhereEachHasOneRound) {
  std::vector<std::vector<std::string>> orders;
  for (const char* process : {"--cupel_process=0", "--cupel_process=1", "--cupel_process=2"}) {
    forget_registered();
    g_order.clear();
    std::vector<std::string> arguments = {"fake", process};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    EXPECT_EQ(bench_main(static_cast<int>(argv.size()), argv.data(), register_a_pair, nullptr), 0);
    orders.push_back(g_order);
  }
  forget_registered();

  const std::vector<std::string> forwards{"fake/before", "fake/after"}, backwards{"fake/after", "fake/before"};
  EXPECT_EQ(orders, (std::vector{forwards, backwards, forwards}));
}

}  // namespace
}  // namespace cupel::harness
