#include "bench/transfer/companion.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace cupel::bench::transfer {
namespace {

TEST(Companion, RunsItsJobOnceForEachStart) {
  int runs = 0;
  Companion companion([&] { ++runs; });

  for (int i = 1; i <= 1000; ++i) {
    companion.start();
    companion.finish();
    ASSERT_EQ(runs, i);
  }
}

TEST(Companion, RunsItsJobOnAnotherThread) {
  std::thread::id runner;
  Companion companion([&] { runner = std::this_thread::get_id(); });

  companion.start();
  companion.finish();

  EXPECT_NE(runner, std::thread::id());
  EXPECT_NE(runner, std::this_thread::get_id());
}

TEST(Companion, ThrowsInFinishWhatTheJobThrewAndCanGoOn) {
  bool fails = true;
  Companion companion([&] {
    if (fails) throw std::runtime_error("no");
  });

  companion.start();
  EXPECT_THROW(companion.finish(), std::runtime_error);
  fails = false;
  companion.start();
  EXPECT_NO_THROW(companion.finish());
}

TEST(Companion, EndsWellWithoutFinish) {
  int runs = 0;
  {
    Companion companion([&] { ++runs; });
    companion.start();
  }
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace cupel::bench::transfer
