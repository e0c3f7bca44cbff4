#include "cupel/advice/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/advice/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/synthetic.hpp"
#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::advice {
namespace {

using figures::synthetic::add_pair;
using record::ResultSet;
using testing::ElementsAre;

struct Judged {
  explicit Judged(const ResultSet& results)
      : advice(advise(results, catalogue::built_in())),
        figures(figures::figures_of(results)),
        answer(answer_of(advice, figures)) {}

  std::vector<AdviceResult> advice;
  std::vector<figures::Figure> figures;
  Answer answer;
};

std::vector<std::string> changes_of(const Answer& answer) {
  std::vector<std::string> all;
  for (const Change& change : answer.changes) all.push_back(change.piece->id + " " + change.where);
  return all;
}

// 64 samples a call.
void add_loader(ResultSet& results, const std::string& name, std::vector<std::pair<std::string, std::string>> params,
                double time_s) {
  for (record::Row row : figures::rows_of(name, {time_s, time_s, time_s})) {
    row.params = params;
    row.workload.items = 64;
    results.rows.push_back(std::move(row));
  }
}

// PyTorch's step of a net to which a change was added.
void add_step(ResultSet& results, const std::string& net, const std::string& change, double time_s) {
  for (record::Row row :
       figures::rows_of("pytorch/step/net:" + net + "/batch:8/add:" + change, {time_s, time_s, time_s})) {
    row.params = {{"net", net}, {"batch", "8"}, {"add", change}};
    results.rows.push_back(std::move(row));
  }
}

TEST(Answer, HasTheStepsTimesWithoutEachChangeAndWithIt) {
  ResultSet results;
  figures::synthetic::add_waterfall(results);
  const Judged judged(results);

  ASSERT_TRUE(judged.answer.step);
  EXPECT_NEAR(judged.answer.step->nothing_s, 12e-3, 1e-5);
  EXPECT_NEAR(judged.answer.step->everything_s, 4e-3, 1e-5);
  EXPECT_TRUE(judged.answer.step->alone);
  ASSERT_FALSE(judged.answer.changes.empty());
  EXPECT_EQ(judged.answer.changes[0].piece->id, "channels-last");
  EXPECT_EQ(judged.answer.changes[0].where, "in a step");
  EXPECT_NEAR(judged.answer.changes[0].without_s, 9e-3, 1e-5);
  EXPECT_NEAR(judged.answer.changes[0].with_s, 4e-3, 1e-5);
  EXPECT_NEAR(judged.answer.changes[0].ratio, 2.25, 0.01);
}

TEST(Answer, PutsALoaderThatBindsBeforeTheStepAndOneThatDoesNotBehindIt) {
  for (const double loader_s : {32e-3, 1e-3}) {
    ResultSet results;
    figures::synthetic::add_waterfall(results);
    add_pair(results, "loader-workers", "s", 8, 1e-2);
    add_pair(results, "fuse-reduce", "s", 3);
    for (const char* change : {"nothing", "graph"})
      add_loader(results, std::string("step/waterfall/net:resnet18_224/batch:64/add:") + change,
                 {{"net", "resnet18_224"}, {"batch", "64"}, {"add", change}}, 8e-3);
    add_loader(results, "pipeline/load/workers:16", {{"workers", "16"}}, loader_s);
    const Judged judged(results);
    const std::vector<std::string> changes = changes_of(judged.answer);

    EXPECT_EQ(judged.answer.loader.has_value(), loader_s > 8e-3);
    const auto place = std::ranges::find(changes, "loader-workers in a loader");
    ASSERT_NE(place, changes.end());
    EXPECT_EQ(place == changes.begin(), judged.answer.loader.has_value());
    EXPECT_EQ(place + 1 == changes.end(), !judged.answer.loader.has_value());
  }
}

TEST(Answer, SaysOfALoaderOfHowManyImagesItsTimesAre) {
  ResultSet results;
  add_pair(results, "loader-workers", "s", 8, 1e-2);
  for (record::Row& row : results.rows) row.workload.items = 32;

  EXPECT_THAT(changes_of(Judged(results).answer), testing::ElementsAre("loader-workers in a loader, 32 images"));
}

TEST(Answer, SaysWhichNumberAChangeSetsInThePlaceOfAnother) {
  ResultSet results;
  add_pair(results, "loader-workers", "s", 8, 1e-2);
  for (record::Row& row : results.rows) {
    const bool is_before = row.advice.front().role == record::Role::before;
    row.name += is_before ? "/bytes:64/workers:0" : "/bytes:64/workers:16";
  }

  EXPECT_EQ(Judged(results).answer.changes.at(0).setting, "16 workers");
}

TEST(Answer, NamesTheStepOfAPieceThatAnotherThanTheRankingOneTells) {
  ResultSet results;
  figures::synthetic::add_waterfall(results);
  add_pair(results, "fused-adam", "pytorch/net:resnet18_224/batch:64", 3);
  add_pair(results, "fuse-reduce", "sum", 2);

  EXPECT_THAT(changes_of(Judged(results).answer),
              testing::IsSupersetOf({"fused-adam in a step of resnet18_224", "fuse-reduce by itself"}));
}

TEST(Answer, HasOfAnotherStepTheFiguresOfThatStepAndNotOfThePairedPoint) {
  ResultSet results;
  add_step(results, "gpt_12", "nothing", 12e-3);
  add_step(results, "gpt_12", "amp", 6e-3);
  add_step(results, "gpt_12", "graph", 3e-3);
  add_step(results, "resnet18_32", "nothing", 9e-3);
  add_step(results, "resnet18_32", "channels_last", 4e-3);
  add_pair(results, "channels-last", "pytorch/net:resnet18_32/batch:8", 3);
  const Judged judged(results);

  const auto change = std::ranges::find(judged.answer.changes, "in a step of resnet18_32", &Change::where);
  ASSERT_NE(change, judged.answer.changes.end());
  EXPECT_EQ(change->piece->id, "channels-last");
  EXPECT_NEAR(change->ratio, 9.0 / 4, 1e-6);
  EXPECT_NEAR(change->without_s, 9e-3, 1e-6);
  EXPECT_NEAR(change->with_s, 4e-3, 1e-6);
}

TEST(Answer, HasAtMostSixChangesAndCountsTheOthersThatPay) {
  ResultSet results;
  for (const char* id : {"graphs", "pin-memory", "fuse-reduce", "fuse-pointwise", "channels-last", "mixed-precision",
                         "fused-adam", "norm-bias", "host-callbacks", "keep-on-device"})
    add_pair(results, id, "s", 3);
  const Judged judged(results);

  EXPECT_EQ(judged.answer.changes.size(), kMostChanges);
  EXPECT_EQ(judged.answer.others.by_itself, 2);
  EXPECT_EQ(judged.answer.others.inside_a_call, 1);
  EXPECT_EQ(judged.answer.others.chosen, 1);
  EXPECT_EQ(judged.answer.others.all(), 4);
}

TEST(Answer, ShowsThePointThatGainsLeastOfTheLargestSizes) {
  ResultSet results;
  add_pair(results, "fuse-reduce", "of:a/bytes:4096", 9);
  add_pair(results, "fuse-reduce", "of:a/bytes:65536", 4, 2e-3);
  add_pair(results, "fuse-reduce", "of:b/bytes:65536", 2, 3e-3);
  const Judged judged(results);

  ASSERT_EQ(judged.answer.changes.size(), 1u);
  EXPECT_NEAR(judged.answer.changes[0].ratio, 2, 0.01);
  EXPECT_NEAR(judged.answer.changes[0].without_s, 6e-3, 1e-5);
  EXPECT_EQ(judged.answer.changes[0].scenario, "of:b/bytes:65536");
}

TEST(Answer, NamesTheWorstPointOfWhatCostsAndOfWhatHarms) {
  ResultSet results;
  add_pair(results, "deterministic", "small", 0.5);
  add_pair(results, "deterministic", "large", 0.25);
  add_pair(results, "fuse-norm", "softmax", 2);
  add_pair(results, "fuse-norm", "layer_norm", 0.8);
  add_pair(results, "launch-blocking", "launch", 0.01);
  const Judged judged(results);

  ASSERT_EQ(judged.answer.costs.size(), 2u);
  EXPECT_EQ(judged.answer.costs[0].worst->scenario, "large");
  EXPECT_EQ(judged.answer.costs[1].piece->id, "launch-blocking");  // inside one call
  ASSERT_EQ(judged.answer.harms.size(), 1u);
  EXPECT_EQ(judged.answer.harms[0].worst->scenario, "layer_norm");
}

TEST(Words, NameAStepAsPeopleDo) {
  EXPECT_EQ(step_words("net:resnet18_224 batch:64"), "ResNet-18 step (224 x 224, batch 64, C++)");
  EXPECT_EQ(step_words("PyTorch net:resnet50 batch:64"), "ResNet-50 step (224 x 224, batch 64, PyTorch)");
  EXPECT_EQ(step_words("net:other batch:8"), "step of other (batch 8, C++)");
  EXPECT_EQ(step_words("your model in PyTorch"), "step of your model in PyTorch");
}

}  // namespace
}  // namespace cupel::advice
