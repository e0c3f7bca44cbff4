#include <gtest/gtest.h>

#include "cupel/harness/registry.hpp"
#include "cupel/harness/session.hpp"

namespace cupel::harness {

void add_unoptimised();

namespace {

TEST(Registry, TellsHowTheSourcesThatAddBenchmarksAreCompiled) {
  forget_registered();
  add("fake/optimised", [](benchmark::State&) {});
  const bool any_of_optimised = registered_unoptimised();

  add_unoptimised();

  EXPECT_FALSE(any_of_optimised);
  EXPECT_TRUE(registered_unoptimised());
  forget_registered();
  EXPECT_FALSE(registered_unoptimised());
}

}  // namespace
}  // namespace cupel::harness
