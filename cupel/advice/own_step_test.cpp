#include "cupel/advice/own_step.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cupel/advice/words.hpp"
#include "cupel/record/record.hpp"

namespace cupel::advice {
namespace {

// 64 samples a call.
record::Row row(const std::string& name, std::vector<std::pair<std::string, std::string>> params, double time_s) {
  record::Row row;
  row.name = name;
  row.family = "pytorch";
  row.params = std::move(params);
  row.workload.items = 64;
  row.series.resize(1);
  row.series[0].samples_s = {time_s, time_s, time_s};
  return row;
}

record::Row rung(const std::string& net, const std::string& change, double time_s) {
  return row("pytorch/step/net:" + net + "/batch:64/add:" + change, {{"net", net}, {"batch", "64"}, {"add", change}},
             time_s);
}

record::Row loader(const std::string& workers, double time_s) {
  return row("pytorch/loader/workers:" + workers, {{"workers", workers}}, time_s);
}

std::vector<figures::Figure> figures_of(std::vector<record::Row> rows) {
  return figures::figures_of(record::ResultSet{{}, std::move(rows)});
}

TEST(LoaderAndStep, HoldsTheBestLoaderAgainstTheStepOfItsNetWithAllChanges) {
  const auto figures = figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "tf32", 7e-3),
                                   rung("resnet18_224", "graph", 8e-3), rung("resnet18_32", "nothing", 2e-3),
                                   rung("resnet18_32", "graph", 1e-3), loader("0", 640e-3), loader("16", 32e-3)});

  const auto found = loader_and_step(figures);

  ASSERT_TRUE(found);
  EXPECT_NEAR(found->loader_per_s, 2000, 1);
  EXPECT_EQ(found->workers, "16");
  EXPECT_NEAR(found->step_per_s, 8000, 1);
  EXPECT_EQ(found->step, "net:resnet18_224 batch:64");
  EXPECT_NEAR(found->step_s, 8e-3, 1e-5);
  EXPECT_TRUE(found->loader_binds());
  EXPECT_EQ(found->workers_wanted(), 64);
}

TEST(LoaderAndStep, SaysWhereTheLoadersThreadsWaitedForACpu) {
  for (const double share : {0.0, 0.5}) {
    record::Row waiting = loader("16", 32e-3);
    waiting.counters[record::kCpuWait] = {share, "1", record::Better::none, false};
    const auto found = loader_and_step(
        figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "graph", 8e-3), std::move(waiting)}));

    ASSERT_TRUE(found);
    EXPECT_EQ(found->loader_is_busy, share > 0);
    EXPECT_EQ(loader_words(*found).find("16 busy workers load") != std::string::npos, share > 0);
  }
}

TEST(LoaderAndStep, WantsWorkersAsFastAsTheOneThatIsTheProgramItself) {
  LoaderAndStep found;
  found.loader_per_s = 100;
  found.step_per_s = 450;
  found.workers = "0";
  EXPECT_EQ(found.workers_wanted(), 5);
  found.workers = "2";
  EXPECT_EQ(found.workers_wanted(), 9);
}

TEST(LoaderAndStep, DoesNotBindWhereTheLoaderGivesMore) {
  const auto found = loader_and_step(
      figures_of({rung("resnet18_224", "nothing", 64e-3), rung("resnet18_224", "graph", 40e-3), loader("16", 32e-3)}));

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->loader_binds());
}

TEST(LoaderAndStep, IsNothingWhereOneOfThemIsLacking) {
  EXPECT_FALSE(loader_and_step(figures_of({loader("16", 32e-3)})));
  EXPECT_FALSE(
      loader_and_step(figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "graph", 8e-3)})));
}

TEST(LoaderAndStep, AreCupelsWherePyTorchsWereNotMeasured) {
  const auto ours = [](const std::string& change, double time_s) {
    return row("step/waterfall/add:" + change + "/net:resnet18_224/batch:64",
               {{"add", change}, {"net", "resnet18_224"}, {"batch", "64"}}, time_s);
  };
  const auto load = row("pipeline/load/kind:thread/workers:8", {{"kind", "thread"}, {"workers", "8"}}, 16e-3);
  const auto decode = [](const std::string& by, double time_s) {
    return row("pipeline/decode/by:" + by, {{"by", by}}, time_s);
  };
  const auto found = loader_and_step(figures_of(
      {ours("nothing", 16e-3), ours("graph", 8e-3), load, decode("nvjpeg", 4e-3), decode("libjpeg_turbo", 32e-3)}));

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->loader_is_pytorchs || found->step_is_pytorchs);
  EXPECT_EQ(found->workers, "8");
  EXPECT_NEAR(found->loader_per_s, 4000, 1);
  EXPECT_NEAR(found->step_per_s, 8000, 1);
  EXPECT_EQ(found->decoder, "nvjpeg") << "the only one that gives more than the loader";
  EXPECT_NEAR(found->decoder_per_s, 16000, 1);

  const auto mixed =
      loader_and_step(figures_of({ours("nothing", 16e-3), ours("graph", 8e-3), load, loader("16", 32e-3)}));
  ASSERT_TRUE(mixed);
  EXPECT_TRUE(mixed->loader_is_pytorchs);
  EXPECT_NEAR(mixed->loader_per_s, 2000, 1) << "PyTorch's, though ours gives more";
}

record::Row host_row(const std::string& op, const std::string& mode, double time_s) {
  return row("pytorch/host/op:" + op + "/mode:" + mode, {{"op", op}, {"mode", mode}}, time_s);
}

TEST(LaunchHost, IsMeasuredElseAssumed) {
  const LaunchHost assumed = launch_host(figures_of({}));
  EXPECT_TRUE(assumed.is_assumed);
  EXPECT_FALSE(assumed.native_s);
  EXPECT_LT(assumed.eager_low_s, assumed.eager_high_s);

  const LaunchHost here = launch_host(
      figures_of({host_row("add", "eager", 12e-6), host_row("conv", "eager", 30e-6), host_row("add", "graph", 1e-6),
                  row("sync/launch/argument_bytes:0", {{"argument_bytes", "0"}}, 4e-6)}));
  EXPECT_FALSE(here.is_assumed);
  EXPECT_NEAR(here.eager_low_s, 12e-6, 1e-9);
  EXPECT_NEAR(here.eager_high_s, 30e-6, 1e-9);
  EXPECT_NEAR(here.native_s.value_or(0), 4e-6, 1e-9);

  record::Row step = row("step/waterfall/add:nothing/host:eager", {{"add", "nothing"}, {"host", "eager"}}, 20e-3);
  step.counters["host_per_operation"] = {14e-6, "s"};
  step.note = "the host's: PyTorch 2.11, measured here";
  EXPECT_NEAR(launch_host(figures_of({step})).eager_high_s, 14e-6, 1e-9);
  step.note = "the host's: assumed";
  EXPECT_TRUE(launch_host(figures_of({step})).is_assumed);

  const record::ResultSet rows{{}, {host_row("add", "eager", 12e-6), loader("16", 32e-3)}};
  EXPECT_NEAR(launch_host(rows).eager_high_s, 12e-6, 1e-9);
}

// A piece that is ranked by a step of this net.
std::vector<AdviceResult> ranked_by(const std::string& net) {
  AdviceResult piece;
  piece.gains.in_step.emplace().step = "PyTorch net:" + net + " batch:64";
  return {piece};
}

TEST(LoaderThatBinds, IsHeldAgainstTheStepThatRanksWhereItTakesTheLoadersImages) {
  const auto figures =
      figures_of({rung("resnet18_224", "nothing", 32e-3), rung("resnet18_224", "graph", 8e-3),
                  rung("resnet50", "nothing", 64e-3), rung("resnet50", "graph", 32e-3), loader("16", 16e-3)});

  EXPECT_TRUE(loader_that_binds({}, figures));
  EXPECT_TRUE(loader_that_binds(ranked_by("resnet18_224"), figures));
  EXPECT_TRUE(loader_that_binds(ranked_by("resnet18_32"), figures)) << "of smaller images, so that of ResNet-18";
  EXPECT_FALSE(loader_that_binds(ranked_by("resnet50"), figures)) << "whose step is slower than the loader";
  EXPECT_FALSE(loader_that_binds(ranked_by("gpt_12"), figures)) << "which takes no images";
}

// in_steps: milliseconds saved of 10 in a step of PyTorch's, and in one of ours.
AdviceResult piece(const std::string& id, double pytorch_ms, double ours_ms, bool alone = true) {
  const auto gain = [&](const char* step, double ms, bool is_pytorchs) {
    return StepGain{.step = step,
                    .change = id,
                    .ratio = 10 / (10 - ms),
                    .without_s = 1e-3 * ms,
                    .alone = alone || is_pytorchs,
                    .is_pytorchs = is_pytorchs};
  };
  AdviceResult result;
  result.id = id;
  result.gains.in_steps = {gain("net:a", 5, false), gain("PyTorch net:b", pytorch_ms, true),
                           gain("net:b", ours_ms, false)};
  result.gains.in_step = result.gains.in_steps[1];
  return result;
}

TEST(RankTurns, NameThosePiecesThatChangePlaces) {
  const std::vector<AdviceResult> all = {piece("graphs", 7, 0.5), piece("amp", 3, 4), piece("last", 2, 6),
                                         piece("tiny", 0.1, 0.2)};
  const std::vector<RankTurn> turns = rank_turns(all, 9);

  ASSERT_EQ(turns.size(), 3U) << "tiny changes nothing in either";
  EXPECT_EQ(turns[0].id, "graphs");
  EXPECT_EQ(turns[0].here_rank, 1);
  EXPECT_EQ(turns[0].there_rank, 3);
  EXPECT_EQ(turns[0].there.step, "net:b") << "of the same net";
  EXPECT_EQ(rank_turns(all, 1).size(), 1U);
}

TEST(RankTurns, AreNoneWhereTheOrderIsTheSameOrOneStepWasMeasured) {
  EXPECT_TRUE(rank_turns(std::vector{piece("graphs", 7, 6), piece("amp", 3, 2.9), piece("last", 2.9, 3)}, 9).empty())
      << "those that are within a tenth have no order";
  AdviceResult lone = piece("graphs", 7, 6);
  lone.gains.in_steps.resize(2);
  lone.gains.in_steps.erase(lone.gains.in_steps.begin());
  EXPECT_TRUE(rank_turns(std::vector{lone}, 9).empty());
  EXPECT_TRUE(rank_turns({}, 9).empty());
}

TEST(RankTurns, HoldNoGainOfAChangeThatWasAddedBesideOneThatWasTakenOut) {
  const std::vector<AdviceResult> all = {piece("graphs", 7, 0.5), piece("last", 2, 6), piece("amp", 3, 9, false)};
  const std::vector<RankTurn> turns = rank_turns(all, 9);

  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].id + turns[1].id, "graphslast");
}

TEST(RankTurns, AreOfAnotherStepWhereTheOneThatRanksHasNoLikeByTheOtherHost) {
  std::vector<AdviceResult> all = {piece("graphs", 7, 0.5), piece("last", 2, 6)};
  for (AdviceResult& one : all) {
    StepGain key = *one.gains.in_step;
    key.step = "PyTorch net:c";
    one.gains.in_steps.insert(one.gains.in_steps.begin(), key);
    one.gains.in_step = key;
  }
  const std::vector<RankTurn> turns = rank_turns(all, 9);

  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[0].here.step + turns[0].there.step, "PyTorch net:bnet:b");
}

TEST(OrdersByNet, AreByTheNearestStepOfEachNetButTheOneThatRanks) {
  std::vector<AdviceResult> all = {piece("graphs", 1, 2), piece("last", 2, 6), piece("never", 3, 3)};
  for (AdviceResult& one : all) {
    for (StepGain& gain : one.gains.in_steps) gain.pays = one.id != "never";
    one.gains.in_step = one.gains.in_steps[0];
  }
  const std::vector<NetOrder> orders = orders_by_net(all);

  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].net, "b");
  ASSERT_EQ(orders[0].pieces.size(), 2U) << "of those that pay";
  EXPECT_EQ(orders[0].pieces[0].id, "last");
  EXPECT_EQ(orders[0].pieces[0].gain.step, "PyTorch net:b") << "nearer than ours";
  EXPECT_EQ(measured_nets(all), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(orders_by_net_words(all), (std::vector<std::string>{"b: last 1.25x, graphs 1.11x"}));
}

TEST(OwnStep, IsToldAsItIsAndWithAllChanges) {
  const auto figures = figures_of({row("pytorch/model/add:nothing", {{"add", "nothing"}}, 42e-3),
                                   row("pytorch/model/add:amp", {{"add", "amp"}}, 30e-3),
                                   row("pytorch/model/add:graph", {{"add", "graph"}}, 18e-3)});

  const auto own = own_step(figures);

  ASSERT_TRUE(own);
  EXPECT_NEAR(own->before_s, 42e-3, 1e-6);
  EXPECT_NEAR(own->after_s, 18e-3, 1e-6);
  EXPECT_FALSE(own_step(figures_of({loader("16", 32e-3)})));
}

}  // namespace
}  // namespace cupel::advice
