#include "cupel/advice/claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::advice {
namespace {

using figures::synthetic::add_pair;
using record::ResultSet;

std::optional<ClaimCheck> held(const ResultSet& results, const std::string& id) {
  for (const AdviceResult& result : advise(results, catalogue::built_in())) {
    if (result.id == id) return check_claim(result, *catalogue::built_in().find(id));
  }
  return std::nullopt;
}

TEST(Claim, OfAGainIsHeldAgainstTheScenariosThatItIsToldByAndAgainstSteps) {
  ResultSet results;
  add_pair(results, "pin-memory", "h2d", 6);
  EXPECT_FALSE(held(results, "pin-memory"));
  add_pair(results, "pin-memory", "loader/compute:equal", 1.12);
  add_pair(results, "pin-memory", "loader/compute:short", 0.92, 1e-3, {1.1, 1, 0.9});  // undecided, and no 1.4
  EXPECT_EQ(held(results, "pin-memory")->held, 0);
  EXPECT_EQ(held(results, "pin-memory")->of, 2);

  figures::synthetic::add_waterfall(results);  // 7 ms without it, 4 with it

  EXPECT_EQ(held(results, "pin-memory")->held, 1);
  EXPECT_EQ(held(results, "pin-memory")->of, 3);
  EXPECT_NEAR(held(results, "pin-memory")->least, 0.92, 0.01);
  EXPECT_NEAR(held(results, "pin-memory")->greatest, 1.75, 0.01);
}

TEST(Claim, InWordsIsHeldAgainstTheVerdicts) {
  ResultSet results;
  add_pair(results, "activations", "a", 0.8);
  add_pair(results, "activations", "b", 1.001);
  add_pair(results, "activations", "c", 1.2);
  add_pair(results, "launch-blocking", "launch", 0.5);
  add_pair(results, "avoid-sync", "step/host_us:5", 1.001);

  EXPECT_EQ(held(results, "activations")->held, 1);
  EXPECT_EQ(held(results, "activations")->of, 3);
  EXPECT_EQ(held(results, "launch-blocking")->held, 1);
  EXPECT_EQ(held(results, "avoid-sync")->held, 0);
}

TEST(Claim, OfWhatCostsNothingIsHeldWhereItDoesNotHarm) {
  ResultSet results;
  add_pair(results, "deterministic", "a", 0.8);
  add_pair(results, "deterministic", "b", 1.001);
  catalogue::Catalogue one = catalogue::built_in();
  std::erase_if(one.rows, [](const catalogue::CatalogueRow& row) { return row.id != "deterministic"; });
  one.rows[0].claim_says = "free";

  const std::optional<ClaimCheck> claim = check_claim(advise(results, one).at(0), one.rows[0]);

  EXPECT_EQ(claim->held, 1);
  EXPECT_EQ(claim->of, 2);
}

TEST(Claim, IsNotHeldWhereNothingWasMeasuredOrClaimed) {
  ResultSet results;
  add_pair(results, "graphs", "s", 2);

  EXPECT_FALSE(held(results, "graphs"));
  EXPECT_FALSE(held(results, "use-the-gpu"));
}

TEST(Claim, OfTheCatalogueSaysWhatIsKnown) {
  for (const catalogue::CatalogueRow& row : catalogue::built_in().rows) {
    EXPECT_THAT(row.claim_says, testing::MatchesRegex("([0-9.]+x|pays|costs|free|first|sign)?")) << row.id;
  }
}

}  // namespace
}  // namespace cupel::advice
