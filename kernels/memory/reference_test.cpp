#include "kernels/memory/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "kernels/memory/parts.hpp"
#include "kernels/memory/permutation.hpp"

namespace cupel::kernels::memory {
namespace {

class Order : public testing::TestWithParam<std::int64_t> {};

TEST_P(Order, HoldsEveryNumberOnce) {
  const std::int64_t size = GetParam();
  const Permutation permutation(size, 5);
  std::vector<std::int64_t> seen;
  for (std::int64_t i = 0; i < size; ++i) seen.push_back(permutation(i));

  std::sort(seen.begin(), seen.end());

  std::vector<std::int64_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

TEST_P(Order, OfAChainComesBackToItsStartAfterEveryNodeOnce) {
  const std::int64_t nodes = GetParam();
  const auto next = reference::chain(nodes, 5);
  const std::int64_t start = Permutation(nodes, 5)(0);

  std::int64_t node = next[static_cast<std::size_t>(start)], steps = 1;
  for (; node != start && steps <= nodes; ++steps) node = next[static_cast<std::size_t>(node)];

  EXPECT_EQ(steps, nodes);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Order, testing::Values(1, 2, 3, 4, 5, 127, 128, 129, 1000, 65'536, 65'537));

// Neighbours in a random order of n are n / 3 apart on average; in a regular one they are a constant apart.
TEST(Order, HasNeighboursThatLieApart) {
  constexpr std::int64_t kSize = 1 << 16;
  const Permutation permutation(kSize, 7);
  double distance = 0;
  std::vector<std::int64_t> distances;
  for (std::int64_t i = 0; i + 1 < kSize; ++i) {
    distances.push_back(permutation(i + 1) - permutation(i));
    distance += static_cast<double>(std::abs(distances.back()));
  }
  std::sort(distances.begin(), distances.end());
  const auto different = std::unique(distances.begin(), distances.end()) - distances.begin();

  EXPECT_NEAR(distance / kSize, kSize / 3.0, kSize / 10.0);
  EXPECT_GT(different, kSize / 8);
}

TEST(NodeAfter, FollowsTheReferencesChain) {
  constexpr std::int64_t kNodes = 1000;
  const Permutation order(kNodes, 3);
  const auto next = reference::chain(kNodes, 3);

  EXPECT_EQ(node_after(order, kNodes, 1), next[static_cast<std::size_t>(order(0))]);
  EXPECT_EQ(node_after(order, kNodes, 2 * kNodes + 1), node_after(order, kNodes, 1));
}

TEST(Sum, WrapsAround) {
  const std::vector<std::uint32_t> words = {0xFFFFFFFFu, 3};
  EXPECT_EQ(reference::sum(words), 2u);
}

TEST(Parts, CoverAllTilesOnceAndDifferByOneAtMost) {
  for (const std::int64_t tiles : {7, 528, 1024, 3072}) {
    std::int64_t next = 0;
    for (std::int64_t p = 0; p < 7; ++p) {
      const Part part = part_of(tiles, 7, p);
      EXPECT_EQ(part.first, next);
      EXPECT_GE(part.end - part.first, tiles / 7);
      EXPECT_LE(part.end - part.first, (tiles + 6) / 7);
      next = part.end;
    }
    EXPECT_EQ(next, tiles);
  }
}

// Three tiles of ones, tens and hundreds; the first part has one tile, the second two.
TEST(SumOfTurns, CountsATileAsOftenAsItsPartCameByIt) {
  std::vector<std::uint32_t> words(3 * kTileWords, 1);
  std::fill(words.begin() + kTileWords, words.begin() + 2 * kTileWords, 10);
  std::fill(words.begin() + 2 * kTileWords, words.end(), 100);

  EXPECT_EQ(reference::sum_of_turns(words, std::vector<std::uint64_t>{0, 0}), 0u);
  EXPECT_EQ(reference::sum_of_turns(words, std::vector<std::uint64_t>{2, 0}), 2u * kTileWords);
  EXPECT_EQ(reference::sum_of_turns(words, std::vector<std::uint64_t>{0, 1}), 10u * kTileWords);
  EXPECT_EQ(reference::sum_of_turns(words, std::vector<std::uint64_t>{1, 5}), 231u * kTileWords);
}

TEST(Triad, AddsTheScaledSecondToTheFirst) {
  const std::vector<double> a = {1, 2}, b = {10, 20};
  std::vector<double> out(2);
  reference::triad(a, b, 0.5, out);
  EXPECT_EQ(out, (std::vector<double>{6, 12}));
}

TEST(Gather, TakesEveryStridethWord) {
  const std::vector<std::uint32_t> in = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::uint32_t> out(3);
  reference::gather(in, 3, out);
  EXPECT_EQ(out, (std::vector<std::uint32_t>{0, 3, 6}));
}

}  // namespace
}  // namespace cupel::kernels::memory
