#include "cupel/figures/waterfall.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cupel/figures/synthetic.hpp"

namespace cupel::figures {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::pair<std::string, std::string>> params_of(const std::string& name) {
  const std::regex param("([^/:]+):([^/]+)");
  std::vector<std::pair<std::string, std::string>> params;
  for (std::sregex_iterator it(name.begin(), name.end(), param), end; it != end; ++it) {
    params.emplace_back((*it)[1], (*it)[2]);
  }
  return params;
}

// Three processes each, a percent apart.
record::ResultSet steps(const std::vector<std::pair<std::string, double>>& times_s) {
  record::ResultSet results;
  for (const auto& [name, time_s] : times_s) append(results, rows_of(name, {time_s * 0.99, time_s, time_s * 1.01}));
  for (record::Row& row : results.rows) row.params = params_of(row.name);
  return results;
}

TEST(Waterfalls, HaveTheirRungsInTheOrderOfTheFileAndWhatEachGives) {
  const std::vector<Figure> figures = figures_of(steps({{"step/waterfall/add:nothing/net:a", 12e-3},
                                                        {"step/waterfall/add:tf32/net:a", 6e-3},
                                                        {"step/waterfall/add:graph/net:a", 4e-3},
                                                        {"step/waterfall/drop:tf32/net:a", 10e-3},
                                                        {"step/train/net:a", 5e-3}}));

  const std::vector<Waterfall> all = waterfalls_of(figures);

  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].operation, "step/waterfall");
  EXPECT_EQ(all[0].where, "net:a");
  ASSERT_EQ(all[0].rungs.size(), 3u);
  const Rung &nothing = all[0].rungs[0], &tf32 = all[0].rungs[1], &graph = all[0].rungs[2];
  EXPECT_EQ(nothing.change, "nothing");
  EXPECT_FALSE(nothing.gain || nothing.alone);
  EXPECT_THAT(tf32.gain->ratio(), DoubleNear(2, 1e-9));
  EXPECT_THAT(tf32.alone->ratio(), DoubleNear(2.5, 1e-9));
  EXPECT_THAT(graph.gain->ratio(), DoubleNear(1.5, 1e-9));
  EXPECT_FALSE(graph.alone);
}

TEST(Waterfalls, SayAtWhichLevelTheirIntervalsHold) {
  const std::vector<Figure> figures =
      figures_of(steps({{"step/waterfall/add:nothing", 2e-3}, {"step/waterfall/add:tf32", 1e-3}}));

  const stats::Interval interval = waterfalls_of(figures).at(0).rungs.at(1).gain->ratio_interval();

  EXPECT_NEAR(interval.level, 0.9, 1e-9);  // the widest of three against three
  EXPECT_NEAR(interval.low, 2 * 0.99 / 1.01, 1e-9);
  EXPECT_NEAR(interval.high, 2 * 1.01 / 0.99, 1e-9);
}

TEST(Waterfalls, AreApartWhereOtherParametersDiffer) {
  const std::vector<Figure> figures = figures_of(steps({{"step/waterfall/add:nothing/net:a", 1e-3},
                                                        {"step/waterfall/add:tf32/net:a", 1e-3},
                                                        {"step/waterfall/add:nothing/net:b", 1e-3},
                                                        {"step/waterfall/add:tf32/net:b", 1e-3}}));

  EXPECT_EQ(waterfalls_of(figures).size(), 2u);
}

TEST(Waterfalls, WantTwoRungsThatHaveATime) {
  const std::vector<Figure> figures =
      figures_of(steps({{"step/waterfall/add:nothing", 1e-3}, {"step/waterfall/drop:tf32", 1e-3}}));

  EXPECT_THAT(waterfalls_of(figures), IsEmpty());
}

TEST(Waterfalls, HaveTheChangesThatWereLeftOutAlone) {
  const std::vector<Figure> figures = figures_of(steps({{"step/waterfall/add:nothing", 12e-3},
                                                        {"step/waterfall/add:graph", 4e-3},
                                                        {"step/waterfall/drop:tf32", 6e-3},
                                                        {"step/waterfall/drop:amp", 8e-3},
                                                        {"step/waterfall/drop:graph", 5e-3}}));

  const std::vector<Waterfall> all = waterfalls_of(figures);

  ASSERT_EQ(all.size(), 1u);
  std::vector<std::string> changes;
  for (const Rung& rung : all[0].rungs) changes.push_back(rung.change);
  EXPECT_THAT(changes, ElementsAre("nothing", "tf32", "amp", "graph"));
  const Rung &tf32 = all[0].rungs[1], &graph = all[0].rungs[3];
  EXPECT_EQ(tf32.with, nullptr);
  EXPECT_THAT(tf32.alone->ratio(), DoubleNear(1.5, 1e-9));
  EXPECT_FALSE(tf32.gain);
  EXPECT_FALSE(graph.gain) << "it would be that of all three";
  EXPECT_THAT(graph.alone->ratio(), DoubleNear(1.25, 1e-9));
}

TEST(Waterfalls, TakeNoStepForTheWholeThatLacksALaterChange) {
  const std::vector<Figure> figures = figures_of(steps({{"step/waterfall/add:nothing", 12e-3},
                                                        {"step/waterfall/add:graph", 4e-3},
                                                        {"step/waterfall/drop:graph", 5e-3},
                                                        {"step/waterfall/drop:copies_ahead", 4e-3}}));

  EXPECT_THAT(drops_of(figures), IsEmpty());
  ASSERT_EQ(waterfalls_of(figures).size(), 1u);
  EXPECT_EQ(waterfalls_of(figures)[0].rungs.size(), 2u);
}

TEST(Waterfalls, LeaveTheOtherFigures) {
  const std::vector<Figure> figures = figures_of(steps({{"step/waterfall/add:nothing/net:a", 12e-3},
                                                        {"step/waterfall/add:tf32/net:a", 6e-3},
                                                        {"step/waterfall/drop:tf32/net:a", 10e-3},
                                                        {"step/train/net:a", 5e-3}}));

  const std::vector<Figure> others = without(waterfalls_of(figures), figures);

  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].name, "step/train/net:a");
}

}  // namespace
}  // namespace cupel::figures
