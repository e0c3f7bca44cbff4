#include "cupel/advice/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::advice {
namespace {

using figures::synthetic::add;
using figures::synthetic::add_pair;
using record::ResultSet;
using record::Role;
using testing::ElementsAre;

std::vector<std::string> ranked(const ResultSet& results) {
  std::vector<std::string> ids;
  for (const AdviceResult& result : advise(results, catalogue::built_in())) {
    if (result.verdict == AdviceVerdict::pays) ids.push_back(std::to_string(result.place.rank) + " " + result.id);
  }
  return ids;
}

TEST(Order, RanksByTheGainOnTheLargestWork) {
  ResultSet results;
  add_pair(results, "fuse-reduce", "bytes:4096", 200);
  add_pair(results, "fuse-reduce", "bytes:65536", 2);
  add_pair(results, "fuse-pointwise", "bytes:4096", 3);
  add_pair(results, "fuse-pointwise", "bytes:65536", 4);

  EXPECT_THAT(ranked(results), ElementsAre("1 fuse-pointwise", "2 fuse-reduce"));
}

TEST(Order, LeavesWhatHasNoRankOutOfWhatToChangeFirst) {
  ResultSet results;
  add_pair(results, "pin-memory", "s", 3);
  add_pair(results, "non-blocking", "s", 2);  // of one cause
  add_pair(results, "graphs", "s", 1.5);
  add_pair(results, "reuse-buffers", "s", 30);  // inside one call
  const std::vector<AdviceResult> all = advise(results, catalogue::built_in());

  const std::vector<const AdviceResult*> first = first_changes(all, 5);

  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0]->id, "pin-memory");
  EXPECT_EQ(first[1]->id, "graphs");
  EXPECT_EQ(first_changes(all, 1).size(), 1u);
}

TEST(Order, CountsAtHowManyOfTheLargestSizesItIsThatGain) {
  ResultSet results;
  add_pair(results, "fuse-reduce", "of:a/bytes:4096", 3);
  add_pair(results, "fuse-reduce", "of:a/bytes:65536", 2);
  add_pair(results, "fuse-reduce", "of:b/bytes:4096", 3);
  add_pair(results, "fuse-reduce", "of:b/bytes:65536", 1);

  const AdviceResult result = advise(results, catalogue::built_in()).front();

  EXPECT_EQ(result.id, "fuse-reduce");
  EXPECT_EQ(result.gains.largest_told, 1);
  EXPECT_EQ(result.gains.largest_sizes, 2);
}

TEST(Order, MakesPiecesOfOneCauseOneEntryAndTimeInsideOneCallNone) {
  ResultSet results;
  add_pair(results, "pageable-async", "h2d", 100);
  add_pair(results, "pin-memory", "h2d", 3);
  add_pair(results, "graphs", "complete", 2);
  add_pair(results, "non-blocking", "loader", 1.5);
  add_pair(results, "host-callbacks", "enqueue", 50);

  EXPECT_THAT(ranked(results),
              ElementsAre("1 pin-memory", "1 non-blocking", "2 graphs", "0 pageable-async", "0 host-callbacks"));
}

TEST(Order, PoolsNoTwoPrecisionsIntoOneGain) {
  ResultSet results;
  add_pair(results, "mixed-precision", "square", 1);
  add(results, {"made/tf32", {"mixed-precision", Role::after, "square", "tf32"}, 0.5e-3});
  add(results, {"made/fp16", {"mixed-precision", Role::after, "square", "fp16"}, 0.05e-3});
  add_pair(results, "channels-last", "layer:a/precision:fp16", 3);
  add_pair(results, "channels-last", "layer:b/precision:tf32", 1.5);

  for (const AdviceResult& result : advise(results, catalogue::built_in())) {
    if (result.verdict != AdviceVerdict::pays) continue;
    ASSERT_EQ(result.gains.parts.size(), 2u) << result.id;
    EXPECT_EQ(result.gains.parts[1].precision, "tf32");
    EXPECT_NEAR(result.gains.parts[1].least, result.id == "channels-last" ? 1.5 : 2, 0.01);
    EXPECT_EQ(*result.gains.least_gain, result.gains.parts[1].least);
  }
}

TEST(Order, PoolsNoTwoFamiliesIntoOneGain) {
  ResultSet results;
  add_pair(results, "mixed-precision", "square", 1);
  add(results, {"gemm/fp16", {"mixed-precision", Role::after, "square", "fp16"}, 0.1e-3});
  add(results, {"conv/tf32", {"mixed-precision", Role::before, "res2", ""}, 1e-3});
  add(results, {"conv/fp16", {"mixed-precision", Role::after, "res2", "fp16"}, 0.5e-3});

  const std::vector<AdviceResult> all = advise(results, catalogue::built_in());
  const auto result = std::ranges::find(all, "mixed-precision", &AdviceResult::id);
  ASSERT_NE(result, all.end());
  ASSERT_EQ(result->gains.parts.size(), 2u);
  EXPECT_EQ(result->gains.parts[0].family, "conv");
  EXPECT_NEAR(result->gains.parts[0].least, 2, 0.01);
  EXPECT_NEAR(result->gains.parts[1].least, 10, 0.1);
  EXPECT_EQ(*result->gains.least_gain, result->gains.parts[0].least);
}

TEST(Order, RanksByTheScenarioThatThePieceIsToldBy) {
  ResultSet results;
  add_pair(results, "pin-memory", "h2d", 6);
  EXPECT_NEAR(*advise(results, catalogue::built_in())[0].gains.least_gain, 6, 0.01);
  add_pair(results, "pin-memory", "loader/compute:equal", 1.5);
  add_pair(results, "graphs", "complete", 2);

  EXPECT_THAT(ranked(results), ElementsAre("1 graphs", "2 pin-memory"));
}

TEST(Order, CountsOnlyWhatThePieceIsToldBy) {
  ResultSet results;
  for (const char* scenario : {"h2d", "d2h", "bidirectional"}) add_pair(results, "pin-memory", scenario, 6);
  EXPECT_THAT(ranked(results), ElementsAre("1 pin-memory"));
  add_pair(results, "pin-memory", "loader/compute:equal", 1.1);
  for (const char* compute : {"short", "long"})
    add_pair(results, "pin-memory", std::string("loader/compute:") + compute, 1.05, 1e-3, {1.05, 1, 0.95});

  const AdviceResult result = advise(results, catalogue::built_in()).front();

  EXPECT_EQ(result.id, "pin-memory");
  EXPECT_EQ(result.counts.pays, 1);
  EXPECT_EQ(result.counts.undecided, 2);
  EXPECT_EQ(result.place.group, AdviceGroup::few);
  EXPECT_EQ(result.place.rank, 0);
}

TEST(Order, GivesNoRankWhereTheLargestSizeIsUndecided) {
  ResultSet results;
  add_pair(results, "fuse-reduce", "bytes:64", 3);
  add_pair(results, "fuse-reduce", "bytes:128", 2);
  add_pair(results, "fuse-reduce", "bytes:256", 1.05, 1e-3, {1.05, 1, 0.95});
  add_pair(results, "graphs", "complete", 1.5);

  EXPECT_THAT(ranked(results), ElementsAre("1 graphs", "0 fuse-reduce"));
}

TEST(Order, GivesNoRankToBytesToOneStageAndToWhatSomebodyHadToChoose) {
  ResultSet results;
  add_pair(results, "cpu-threads", "load", 40);
  add_pair(results, "gpu-preprocessing", "photographs", 30);
  add_pair(results, "graphs", "complete", 2);
  figures::synthetic::add_fragmentation(results, 128);

  EXPECT_THAT(ranked(results), ElementsAre("1 graphs", "0 gpu-preprocessing", "0 cpu-threads", "0 fragmentation"));
}

TEST(Order, CountsTheVariantsThatTheCatalogueNames) {
  ResultSet results;
  add_pair(results, "faster-reader", "read", 1.5);
  add(results, {"made/mmap", {"faster-reader", Role::variant, "read", "mmap"}, 2e-3});
  add(results, {"made/tar", {"faster-reader", Role::variant, "read", "tar"}, 2e-3});
  add_pair(results, "mixed-precision", "square", 4);
  add(results, {"made/fp8", {"mixed-precision", Role::after, "square", "fp8_e4m3"}, 2e-3});

  for (const AdviceResult& result : advise(results, catalogue::built_in())) {
    if (result.id == "faster-reader") {
      EXPECT_EQ(result.counts.pays, 1);
      EXPECT_EQ(result.counts.harms, 1);
    }
    if (result.id == "mixed-precision") {
      EXPECT_EQ(result.verdict, AdviceVerdict::pays);
      EXPECT_EQ(result.counts.decided(), 1);
    }
  }
}

std::vector<std::string> first(const ResultSet& results) {
  std::vector<std::string> ids;
  for (const AdviceResult& result : advise(results, catalogue::built_in())) {
    if (result.place.rank > 0)
      ids.push_back(std::to_string(result.place.rank) + (result.gains.in_step ? " step " : " ") + result.id);
  }
  return ids;
}

TEST(Order, RanksByTheTimeThatAStepTellsAndTheOthersBelowByTheirLeastGain) {
  ResultSet results;
  add_pair(results, "channels-last", "layer:a", 1.5);
  add_pair(results, "mixed-precision", "square", 16);
  add_pair(results, "pin-memory", "loader/compute:short", 0.8);  // mixed: a step tells all the same
  add_pair(results, "pin-memory", "loader/compute:long", 1.2);
  add_pair(results, "fuse-reduce", "of:a/bytes:64", 1.5);
  add_pair(results, "fuse-reduce", "of:b/bytes:64", 9);
  add_pair(results, "fuse-pointwise", "bytes:64", 2);
  EXPECT_THAT(first(results), ElementsAre("1 mixed-precision", "2 fuse-pointwise", "3 channels-last", "4 fuse-reduce"));

  figures::synthetic::add_waterfall(results);

  EXPECT_THAT(first(results), ElementsAre("1 step channels-last", "2 step pin-memory", "2 step non-blocking",
                                          "3 step mixed-precision", "4 fuse-pointwise", "5 fuse-reduce"));
  const AdviceResult best = advise(results, catalogue::built_in()).front();
  EXPECT_EQ(best.gains.in_step->step, "net:small");
  EXPECT_EQ(best.gains.in_step->change, "channels_last");
  EXPECT_NEAR(best.gains.in_step->saved_s(), 5e-3, 1e-5);
  EXPECT_NEAR(best.gains.in_step->ratio, 2.25, 0.01);
}

TEST(Order, GivesNoRankByAStepOfWhichNoFrameworkDoesTheBefore) {
  ResultSet results;
  figures::synthetic::add_step(results, "add", "nothing", 12e-3);
  figures::synthetic::add_step(results, "add", "kept_memory", 9e-3);
  figures::synthetic::add_step(results, "add", "fused_optimizer", 6e-3);
  add_pair(results, "fused-adam", "model:a", 1.5);

  EXPECT_THAT(first(results), ElementsAre("1 fused-adam"));
}

// The rungs of a waterfall as those of another family's step.
void rename_steps(ResultSet& results, const std::string& to) {
  const std::string from = "step/waterfall";
  for (record::Row& row : results.rows) {
    if (row.name.starts_with(from)) row.name.replace(0, from.size(), to);
  }
}

TEST(Order, RanksByPyTorchsStepWhereItWasMeasuredAndByTheReadersModelBeforeThat) {
  ResultSet results;
  figures::synthetic::add_step(results, "add", "nothing", 12e-3);
  figures::synthetic::add_step(results, "add", "fused_optimizer", 11e-3);
  figures::synthetic::add_step(results, "add", "graph", 3e-3);
  rename_steps(results, "pytorch/step");
  figures::synthetic::add_waterfall(results);

  EXPECT_THAT(first(results), ElementsAre("1 step graphs", "2 step fused-adam"));
  EXPECT_EQ(advise(results, catalogue::built_in()).front().gains.in_step->step, "PyTorch net:small");

  ResultSet own;
  figures::synthetic::add_step(own, "add", "nothing", 12e-3);
  figures::synthetic::add_step(own, "add", "amp", 6e-3);
  rename_steps(own, "pytorch/model");
  results.rows.insert(results.rows.end(), own.rows.begin(), own.rows.end());

  EXPECT_THAT(first(results), ElementsAre("1 step mixed-precision"));
  EXPECT_EQ(advise(results, catalogue::built_in()).front().gains.in_step->step, "your model in PyTorch");
}

TEST(Order, RanksByTheStepThatTellsMostPiecesWhereChangesWereLeftOutAlone) {
  ResultSet results;
  for (const char* net : {"few", "most", "as_many"}) {
    ResultSet one;
    figures::synthetic::add_step(one, "add", "nothing", 12e-3);
    figures::synthetic::add_step(one, "add", "copies_ahead", 4e-3);
    figures::synthetic::add_step(one, "drop", "amp", 8e-3);
    if (std::string_view(net) != "few") figures::synthetic::add_step(one, "drop", "graph", 9e-3);
    for (record::Row& row : one.rows) {
      row.params.back().second = net;
      row.name = std::string("pytorch/step/") + net + "/" + row.params[0].first + ":" + row.params[0].second;
    }
    results.rows.insert(results.rows.end(), one.rows.begin(), one.rows.end());
  }

  EXPECT_THAT(first(results), ElementsAre("1 step graphs", "2 step mixed-precision"));
  EXPECT_EQ(advise(results, catalogue::built_in()).front().gains.in_step->step, "PyTorch net:most");
}

TEST(Order, OfALoopAroundALoaderGivesNoRank) {
  ResultSet results;
  figures::synthetic::add_step(results, "add", "defaults", 12e-3);
  figures::synthetic::add_step(results, "add", "pinned_copies", 6e-3);
  rename_steps(results, "pytorch/case_study");
  figures::synthetic::add_waterfall(results);

  EXPECT_EQ(first(results).front(), "1 step channels-last");
}

TEST(Order, TellsAPieceByTheReadersFrameworkWhereThatWasMeasured) {
  ResultSet results;
  add_pair(results, "graphs", "complete/kernels:10", 3);
  add_pair(results, "graphs", "pytorch/net:small", 1.5);

  const AdviceResult graphs = advise(results, catalogue::built_in()).front();

  EXPECT_EQ(graphs.told_by, "pytorch/");
  EXPECT_NEAR(graphs.gains.least_gain.value_or(0), 1.5, 0.01);
}

TEST(Order, TakesWhatAChangeAddedWhereNoneWasLeftOut) {
  ResultSet results;
  figures::synthetic::add_step(results, "add", "nothing", 12e-3);
  figures::synthetic::add_step(results, "add", "graph", 9e-3);
  figures::synthetic::add_step(results, "add", "tf32", 4e-3);

  EXPECT_THAT(first(results), ElementsAre("1 step mixed-precision", "2 step graphs"));
}

TEST(Order, GivesNoRankByAStepThatOneProcessRan) {
  ResultSet results;
  figures::synthetic::add_step(results, "add", "nothing", 12e-3, 1);
  figures::synthetic::add_step(results, "add", "graph", 9e-3, 1);

  EXPECT_THAT(first(results), ElementsAre());
}

TEST(Order, GivesNoRankToWholeProgramsAndToWhatPaysAtFew) {
  ResultSet results;
  add_pair(results, "use-the-gpu", "products", 50);
  add_pair(results, "all-together", "net:a", 4);
  add_pair(results, "graphs", "complete", 2);
  add_pair(results, "gemm-autotune", "a", 1.1);
  add_pair(results, "gemm-autotune", "b", 1);
  add_pair(results, "gemm-autotune", "c", 1);
  add_pair(results, "fuse-reduce", "bytes:64", 9);
  add_pair(results, "fuse-reduce", "bytes:128", 9);
  add_pair(results, "fuse-reduce", "bytes:256", 1);
  add_pair(results, "fuse-reduce", "bytes:512", 1);

  EXPECT_THAT(ranked(results),
              ElementsAre("1 graphs", "0 use-the-gpu", "0 all-together", "0 fuse-reduce", "0 gemm-autotune"));
}

}  // namespace
}  // namespace cupel::advice
