#include "cupel/report/advise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cupel/compare/synthetic_advice.hpp"
#include "cupel/report/advise_words.hpp"
#include "cupel/report/table.hpp"

namespace cupel::report {
namespace {

using compare::synthetic::add_pair;
using record::ResultSet;
using testing::HasSubstr;
using testing::Not;

ResultSet several_pieces() {
  ResultSet results{compare::synthetic::context(), {}};
  add_pair(results, "pin-memory", "h2d/bytes:4096", 1.001);
  add_pair(results, "pin-memory", "h2d/bytes:1048576", 2.5);
  add_pair(results, "pin-memory", "h2d/bytes:16777216", 3);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:10", 1.5);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:1000", 3.5);
  add_pair(results, "launch-blocking", "launch", 0.125);
  add_pair(results, "avoid-sync", "step", 1.1, 1e-3, {1.05, 1, 0.95});
  return results;
}

std::string text_of(const ResultSet& results, AdviseOptions options = {}) {
  return advise({advised_file("file.json", results, compare::catalogue(), options.rules)}, compare::catalogue(),
                options);
}

TEST(AdviseText, IsAtMostAHundredColumnsWide) {
  for (const bool all : {false, true}) {
    AdviseOptions options;
    options.all = all;
    std::istringstream lines(text_of(several_pieces(), options));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100u) << line;
  }
}

TEST(AdviseText, RanksWhatPaysAndSaysHowToApplyIt) {
  const std::string text = text_of(several_pieces());

  EXPECT_LT(text.find("pin-memory  2.75x"), text.find("graphs      2.50x"));
  EXPECT_THAT(text, HasSubstr("pays from 1 MiB on"));
  EXPECT_THAT(text, HasSubstr("pin_memory=True"));
  EXPECT_THAT(text, HasSubstr("cudaHostAlloc"));
  EXPECT_THAT(text, HasSubstr("backfires"));
}

TEST(AdviseText, SaysCostsAsTimesLonger) {
  EXPECT_THAT(text_of(several_pieces()), testing::ContainsRegex("launch-blocking +8.00x"));
}

TEST(AdviseText, SaysHowManyProcessesWouldDecide) {
  EXPECT_THAT(text_of(several_pieces()), HasSubstr("processes would decide"));
}

TEST(AdviseText, SaysWhatHasNoBenchmark) {
  AdviseOptions options;
  options.benchmarked = {"pin-memory", "graphs", "nvtx-cost"};

  const std::string text = text_of(several_pieces(), options);

  EXPECT_THAT(text, HasSubstr("not in this file            nvtx-cost"));
  EXPECT_THAT(text, HasSubstr("no benchmark in this build"));
}

TEST(AdviseText, SaysThatThreeProcessesHaveNoExactInterval) {
  EXPECT_THAT(text_of(several_pieces()), HasSubstr("75 %"));
}

TEST(AdviseText, LetsNoNameActOnTheTerminal) {
  ResultSet results{compare::synthetic::context(), {}};
  results.context.device->name = "\x1b[2Jgpu";
  add_pair(results, "evil\x1b[31m\nid", "s\x1b]0;title\x07/bytes:1", 2);
  AdviseOptions options;
  options.all = true;

  for (const AdviseFormat format : {AdviseFormat::text, AdviseFormat::markdown, AdviseFormat::json}) {
    options.format = format;
    const std::string text = text_of(results, options);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
  }
}

TEST(AdviseText, HasRoomForSevenMachines) {
  std::vector<AdvisedFile> files;
  for (int m = 0; m < 7; ++m) files.push_back(advised_file("file.json", several_pieces(), compare::catalogue(), {}));

  std::istringstream lines(advise(files, compare::catalogue(), {}));

  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100u) << line;
}

TEST(AdviseText, IsTheSameForTheSameFile) { EXPECT_EQ(text_of(several_pieces()), text_of(several_pieces())); }

TEST(AdviseDigest, NamesTheThreeThatPayMost) {
  EXPECT_EQ(advice_digest(several_pieces()), "Pays most here: pin-memory 2.75x, graphs 2.50x.");
}

TEST(AdviseDigest, SaysWhenNothingPaysAndWhenNothingIsDecided) {
  ResultSet same, noisy, untagged;
  add_pair(same, "graphs", "s", 1.001);
  add_pair(noisy, "graphs", "s", 1.1, 1e-3, {1.3, 1, 0.7});
  compare::synthetic::add(untagged, {"made/x", {}});
  untagged.rows[0].advice.clear();
  untagged.rows.resize(1);

  EXPECT_EQ(advice_digest(same), "None of the advice measured here pays.");
  EXPECT_EQ(advice_digest(noisy), "No advice could be decided: more processes would.");
  EXPECT_EQ(advice_digest(untagged), "");
}

TEST(AdviseWords, GiveACostAsTheReciprocal) {
  EXPECT_EQ(figure(0.125, compare::AdviceKind::cost), "8.00x");
  EXPECT_EQ(figure(0.125, compare::AdviceKind::gain), "0.125x");
}

}  // namespace
}  // namespace cupel::report
