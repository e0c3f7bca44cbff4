#include "cupel/bands/bands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "cupel/figures/published_uuid.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/record/series.hpp"

namespace cupel::bands {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Key;

figures::Suite suite(const std::string& uuid, double time_s, const std::string& started = "2026-11-20T12:00:00Z") {
  figures::Suite made;
  made.context.run.started = started;
  made.context.device.emplace();
  made.context.device->name = "NVIDIA H200";
  made.context.device->uuid = uuid;
  made.context.device->sm_count = 132;
  figures::Benchmark benchmark;
  benchmark.name = "memory/copy/bytes:1024";
  benchmark.family = "memory";
  benchmark.modes = {{record::Mode::cold, {time_s, time_s * 1.01, time_s * 1.02}, 30}};
  made.benchmarks = {benchmark};
  return made;
}

constexpr const char* kOne = "GPU-11111111-2222-3333-4444-555555555555";
constexpr const char* kOther = "GPU-99999999-2222-3333-4444-555555555555";
// printf %s UUID | sha256sum | head -c 8
constexpr const char* kOneKnown = "GPU-b97e2a67";
constexpr const char* kOtherKnown = "GPU-1e9d07b1";

TEST(Bands, TakeTheMedianOverProcessesOfEachBoard) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  add(bands, suite(kOther, 2e-5));
  const Band& band = bands.benchmarks.at("memory/copy/bytes:1024");
  EXPECT_EQ(bands.model, "NVIDIA H200, 132 SMs");
  EXPECT_EQ(band.family, "memory");
  EXPECT_EQ(band.mode, record::Mode::cold);
  EXPECT_DOUBLE_EQ(band.boards.at(kOneKnown).time_s, 1.01e-5);
  EXPECT_NEAR(band.boards.at(kOneKnown).between, 0.01, 1e-4);
  EXPECT_DOUBLE_EQ(band.boards.at(kOtherKnown).time_s, 2.02e-5);
  EXPECT_EQ(bands.boards.at(kOneKnown).facts.at("SMs"), "132");
}

TEST(Bands, TakeABoardsNewResultInPlaceOfItsOld) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  add(bands, suite(kOne, 3e-5, "2026-11-21T12:00:00Z"));
  EXPECT_EQ(bands.boards.size(), 1u);
  EXPECT_EQ(bands.boards.at(kOneKnown).measured, "2026-11-21T12:00:00Z");
  EXPECT_DOUBLE_EQ(bands.benchmarks.at("memory/copy/bytes:1024").boards.at(kOneKnown).time_s, 3.03e-5);
}

TEST(Bands, KnowABoardByItsPublishedUuidToo) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  add(bands, suite(figures::published_uuid(kOne), 3e-5, "2026-11-21T12:00:00Z"));
  EXPECT_EQ(bands.boards.size(), 1u);
  EXPECT_DOUBLE_EQ(bands.benchmarks.at("memory/copy/bytes:1024").boards.at(kOneKnown).time_s, 3.03e-5);
}

TEST(Bands, LeaveOutWhatFailedOrHasNoTime) {
  figures::Suite with = suite(kOne, 1e-5);
  with.benchmarks.push_back(with.benchmarks.front());
  with.benchmarks[0].name = "failed";
  with.benchmarks[0].failed = 1;
  with.benchmarks[1].name = "disturbed";
  with.benchmarks[1].modes.clear();
  Bands bands;
  add(bands, with);
  EXPECT_TRUE(bands.benchmarks.empty());
}

TEST(Bands, LeaveOutTheFamilyHostWhichSaysNothingOfAGpu) {
  figures::Suite with = suite(kOne, 1e-5);
  with.benchmarks.push_back(with.benchmarks.front());
  with.benchmarks[1].name = "host/memcpy/bytes:1024";
  with.benchmarks[1].family = "host";
  Bands bands;
  add(bands, with);
  EXPECT_THAT(bands.benchmarks, ElementsAre(Key("memory/copy/bytes:1024")));

  with.benchmarks.erase(with.benchmarks.begin());
  EXPECT_THROW(add(bands, with), std::invalid_argument);
  bands.benchmarks["host/memcpy/bytes:1024"] = {.family = "host", .boards = {{kOneKnown, {1e-5, 0}}}};
  EXPECT_EQ(bands_from_json(to_json(bands), "of an older cupel").benchmarks.size(), 1u);
}

TEST(Bands, ForgetTimesOfAnotherModeButTakeNoSustainedOnes) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  figures::Suite other = suite(kOther, 2e-5);
  other.benchmarks.push_back(other.benchmarks.front());
  other.benchmarks[1].modes.clear();  // skipped
  record::Mode& mode = other.benchmarks[0].modes[0].mode;

  mode = record::Mode::sustained;
  EXPECT_THROW(add(bands, other), std::invalid_argument);
  EXPECT_EQ(bands.boards.size(), 1u);
  EXPECT_EQ(bands.benchmarks.begin()->second.boards.count(kOneKnown), 1u);

  mode = record::Mode::hot;
  add(bands, other);
  EXPECT_EQ(bands.benchmarks.begin()->second.boards.size(), 1u);
  EXPECT_EQ(bands.benchmarks.begin()->second.boards.count(kOneKnown), 0u);
}

TEST(Bands, KeepTheModeByWhichOthersAreKnownWhereABoardHasBoth) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  figures::Suite other = suite(kOther, 2e-5);
  std::vector<figures::Locations>& modes = other.benchmarks[0].modes;
  modes.insert(modes.begin(), {record::Mode::hot, {5e-6, 5e-6, 5e-6}, 30});
  add(bands, other);
  const Band& band = bands.benchmarks.begin()->second;
  EXPECT_EQ(band.mode, record::Mode::cold);
  EXPECT_DOUBLE_EQ(band.boards.at(kOtherKnown).time_s, 2.02e-5);
  EXPECT_EQ(band.boards.count(kOneKnown), 1u);
}

TEST(Bands, RefuseAnotherModelAndWhatIsNoBoard) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  figures::Suite other = suite(kOther, 1e-5);
  other.context.device->sm_count = 114;
  EXPECT_THROW(add(bands, other), std::invalid_argument);
  EXPECT_THROW(add(bands, suite(std::string(kOne) + "," + kOther, 1e-5)), std::invalid_argument);
  other.context.device.reset();
  EXPECT_THROW(add(bands, other), std::invalid_argument);
}

TEST(Bands, AreJoinedBoardByBoard) {
  Bands shipped, own;
  add(shipped, suite(kOne, 1e-5));
  add(own, suite(kOne, 2e-5));
  add(own, suite(kOther, 3e-5));
  const Bands both = joined(shipped, own);
  EXPECT_EQ(both.boards.size(), 2u);
  EXPECT_DOUBLE_EQ(both.benchmarks.begin()->second.boards.at(kOneKnown).time_s, 2.02e-5);
}

TEST(Bands, AreJoinedByTheModeOfMoreBoards) {
  Bands shipped, own;
  add(shipped, suite(kOne, 1e-5));
  add(shipped, suite(kOther, 2e-5));
  figures::Suite hot = suite("GPU-77777777-2222-3333-4444-555555555555", 3e-5);
  hot.benchmarks[0].modes[0].mode = record::Mode::hot;
  add(own, hot);
  EXPECT_EQ(joined(shipped, own).benchmarks.begin()->second.boards.size(), 2u);
  EXPECT_EQ(joined(own, shipped).benchmarks.begin()->second.boards.size(), 2u);
  EXPECT_EQ(joined(own, shipped).benchmarks.begin()->second.mode, record::Mode::cold);
}

TEST(Bands, AreReadAsTheyWereWritten) {
  Bands bands;
  add(bands, suite(kOne, 1e-5));
  const std::string text = to_json(bands);
  EXPECT_EQ(to_json(bands_from_json(text, "bands.json")), text);
}

TEST(Bands, SayWhatIsWrongWithAFile) {
  const auto problem = [](const std::string& text) {
    try {
      bands_from_json(text, "bands.json");
    } catch (const files::ReadError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(problem(R"({"cupel_bands":2,"model":"m","boards":{},"benchmarks":{}})"),
            "bands.json: field /cupel_bands: must be 1, the version this cupel reads");
  EXPECT_EQ(problem(R"({"cupel_bands":1,"model":"m","boards":{},"benchmarks":{"a":{"family":"a","mode":"cold",)"
                    R"("boards":{"b":[0,0]}}}})"),
            "bands.json: field /benchmarks/a/boards/b: must be a time above 0 and the sd between processes");
}

TEST(Bands, ThatAreBuiltInCanBeRead) {
  ASSERT_FALSE(texts().empty());
  for (const std::string_view text : texts()) {
    const Bands bands = bands_from_json(text, "built in");
    EXPECT_GE(bands.boards.size(), 3u);
    for (const auto& [name, band] : bands.benchmarks) {
      for (const auto& [board, _] : band.boards) EXPECT_TRUE(bands.boards.contains(board)) << name << " " << board;
    }
    EXPECT_THAT(built_in(bands.model), ElementsAre(Field(&Bands::model, bands.model)));
  }
  EXPECT_EQ(built_in().size(), texts().size());
  EXPECT_THAT(built_in("a model that is not known"), IsEmpty());
}

}  // namespace
}  // namespace cupel::bands
