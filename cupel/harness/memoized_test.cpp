#include "cupel/harness/memoized.hpp"

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace cupel::harness {
namespace {

struct Shape {
  std::int64_t rows = 1, columns = 1;
  bool training = false;
  auto operator<=>(const Shape&) const = default;
};

int plans = 0;

// As a plan does, it holds everything that it was made of.
Shape plan_for(const Shape& shape) {
  ++plans;
  return shape;
}

TEST(Memoized, IsMadeOnceForTheSameArguments) {
  plans = 0;

  const Shape& first = memoized<plan_for>(Shape{3, 5});
  const Shape& again = memoized<plan_for>(Shape{3, 5});

  EXPECT_EQ(plans, 1);
  EXPECT_EQ(&first, &again);
}

// Smaller, larger and smaller again, as sizes are swept.
TEST(Memoized, IsAnotherForArgumentsThatDifferInOneField) {
  for (const Shape& shape : {Shape{8, 4}, Shape{64, 4}, Shape{8, 4}, Shape{8, 64}, Shape{8, 4, true}, Shape{8, 4}}) {
    EXPECT_EQ(memoized<plan_for>(shape), shape);
  }
}

TEST(Memoized, StaysWhereItIsAsOthersAreMade) {
  const Shape* first = &memoized<plan_for>(Shape{1, 1});
  for (std::int64_t rows = 2; rows < 100; ++rows) memoized<plan_for>(Shape{rows, 1});

  EXPECT_EQ(first, &memoized<plan_for>(Shape{1, 1}));
  EXPECT_EQ(*first, (Shape{1, 1}));
}

std::string forward(int layer) { return "forward " + std::to_string(layer); }
std::string backward(int layer) { return "backward " + std::to_string(layer); }

TEST(Memoized, IsOfItsOwnFunction) {
  EXPECT_EQ(memoized<forward>(1), "forward 1");
  EXPECT_EQ(memoized<backward>(1), "backward 1");
}

int tries = 0;
int made_at_the_second_try(int value) {
  if (++tries == 1) throw std::runtime_error("not yet");
  return value;
}

TEST(Memoized, KeepsNothingOfWhatThrew) {
  EXPECT_THROW(memoized<made_at_the_second_try>(7), std::runtime_error);

  EXPECT_EQ(memoized<made_at_the_second_try>(7), 7);
  EXPECT_EQ(tries, 2);
}

int made_of_nothing = 0;
int without_arguments() { return ++made_of_nothing; }

TEST(Memoized, IsMadeOnceAProcessWithoutArguments) {
  EXPECT_EQ(memoized<without_arguments>(), 1);
  EXPECT_EQ(memoized<without_arguments>(), 1);
}

}  // namespace
}  // namespace cupel::harness
