#include "cupel/figures/states.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/stats/random.hpp"

namespace cupel::figures {
namespace {

// Processes of three rounds of four equal samples each.
std::vector<record::Series> processes_of(const std::vector<std::vector<double>>& rounds_of_each) {
  std::vector<record::Series> all;
  for (const std::vector<double>& rounds : rounds_of_each) {
    record::Series& series = all.emplace_back();
    for (const double round : rounds) {
      series.samples_s.insert(series.samples_s.end(), 4, round);
      series.round_sizes.push_back(4);
    }
  }
  return all;
}

TEST(TwoStates, AreSeenWhereProcessesOrRoundsAreInOneOrTheOther) {
  const auto by_process = two_states(
      processes_of({{30e-6, 31e-6, 30e-6}, {66e-6, 68e-6, 65e-6}, {31e-6, 32e-6, 30e-6}, {64e-6, 66e-6, 67e-6}}));
  const auto by_round = two_states(
      processes_of({{23e-6, 56e-6, 24e-6}, {57e-6, 23e-6, 55e-6}, {24e-6, 24e-6, 56e-6}, {23e-6, 55e-6, 57e-6}}));

  ASSERT_TRUE(by_process && by_round);
  EXPECT_NEAR(by_process->low_s, 30.5e-6, 1e-6);
  EXPECT_NEAR(by_process->high_s, 66e-6, 1e-6);
  EXPECT_NEAR(by_round->high_s, 56e-6, 1e-6);
}

TEST(TwoStates, AreNotOneProcessOrRoundThatIsApart) {
  EXPECT_FALSE(two_states(processes_of({{30, 31, 30}, {31, 30, 31}, {30, 31, 66}, {31, 30, 30}})));
  EXPECT_FALSE(two_states(processes_of({{30, 31, 32}, {33, 34, 35}, {36, 37, 38}, {39, 40, 41}})));
  EXPECT_FALSE(two_states(processes_of({{30, 30, 31}, {31, 30, 30}, {66, 65, 66}}))) << "too few processes to tell";
  EXPECT_FALSE(two_states(processes_of({{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}})));
}

TEST(TwoStates, AreSeldomSeenInASpreadOfOneKind) {
  stats::Random random(1);
  int seen = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::vector<double>> rounds(5, std::vector<double>(3));
    for (auto& process : rounds) {
      for (double& round : process) round = std::exp(0.3 * random.normal());
    }
    seen += two_states(processes_of(rounds)) ? 1 : 0;
  }
  EXPECT_LE(seen, 4);
}

TEST(FirstApart, IsAFirstProcessThatTookMoreThanTwiceAsLongAsAnyOther) {
  const std::vector<double> engines{1.14, 0.137, 0.138, 0.146, 0.135}, slow_later{0.14, 1.14, 0.14}, two{1.14, 0.14};
  const std::vector<double> less{0.29, 0.15, 0.14};

  EXPECT_NEAR(first_apart(engines).value_or(0), 7.8, 0.01);
  EXPECT_FALSE(first_apart(slow_later));
  EXPECT_FALSE(first_apart(two));
  EXPECT_FALSE(first_apart(less));
}

}  // namespace
}  // namespace cupel::figures
