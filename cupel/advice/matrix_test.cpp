#include "cupel/advice/matrix.hpp"

#include <gtest/gtest.h>

#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::advice {
namespace {

namespace synthetic = figures::synthetic;

using synthetic::add_pair;

std::vector<AdviceResult> machine(double graphs, double pinning, double waiting) {
  record::ResultSet results;
  add_pair(results, "graphs", "s", graphs);
  add_pair(results, "pin-memory", "s", pinning);
  add_pair(results, "avoid-sync", "s", waiting);
  return advise(results, catalogue::built_in());
}

const AdviceMatrixRow& row(const std::vector<AdviceMatrixRow>& rows, const std::string& id) {
  for (const AdviceMatrixRow& candidate : rows) {
    if (candidate.id == id) return candidate;
  }
  throw std::out_of_range(id);
}

TEST(AdviceMatrix, HasOnlyWhatWasDecidedSomewhereBestFirst) {
  const auto rows = advice_matrix({machine(2, 3, 1.001), machine(2, 4, 1.001)});

  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].id, "pin-memory");
  EXPECT_EQ(rows[2].id, "avoid-sync");
  EXPECT_EQ(rows[0].cells[0].rank, 1);
  EXPECT_EQ(rows[2].cells[0].rank, 0);
}

TEST(AdviceMatrix, MarksWhereTheVerdictDiffers) {
  const std::vector<std::vector<AdviceResult>> machines{machine(2, 3, 1.001), machine(2, 3, 1.5)};

  const auto rows = advice_matrix(machines);

  EXPECT_TRUE(row(rows, "avoid-sync").verdict_differs);
  EXPECT_FALSE(row(rows, "graphs").verdict_differs);
}

TEST(AdviceMatrix, PutsFirstWhatIsRankedFirst) {
  std::vector<std::vector<AdviceResult>> machines{machine(2, 3, 1.2)};
  for (AdviceResult& result : machines[0]) {
    if (result.id == "avoid-sync") result.place.number = 1;
    if (result.id == "graphs" || result.id == "pin-memory") result.place.number = result.id == "graphs" ? 3 : 2;
  }

  const auto rows = advice_matrix(machines);

  EXPECT_EQ(rows[0].id + " " + rows[1].id + " " + rows[2].id, "avoid-sync pin-memory graphs");
}

TEST(AdviceMatrix, MarksOnlyPiecesThatSwapPlaces) {
  const std::vector<std::vector<AdviceResult>> machines{machine(2, 3, 1.2), machine(3, 2, 1.2)};

  const auto rows = advice_matrix(machines);

  EXPECT_TRUE(row(rows, "graphs").rank_differs);
  EXPECT_TRUE(row(rows, "pin-memory").rank_differs);
  EXPECT_FALSE(row(rows, "avoid-sync").rank_differs);
}

TEST(AdviceMatrix, DoesNotTakeAPieceMoreAboveForASwap) {
  const std::vector<std::vector<AdviceResult>> machines{machine(2, 1.001, 1.2), machine(2, 3, 1.2)};

  const auto rows = advice_matrix(machines);

  EXPECT_EQ(row(rows, "graphs").cells[0].rank, 1);
  EXPECT_EQ(row(rows, "graphs").cells[1].rank, 2);
  EXPECT_FALSE(row(rows, "graphs").rank_differs);
}

}  // namespace
}  // namespace cupel::advice
