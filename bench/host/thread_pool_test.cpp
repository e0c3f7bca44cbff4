#include "bench/host/thread_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cupel/harness/cpus.hpp"

namespace cupel::bench::host {
namespace {

using testing::ElementsAre;

TEST(ThreadPool, GivesEachThreadItsIndexOnceARun) {
  ThreadPool pool(5);
  std::vector<int> calls(5, 0);

  // 3000 runs: some find the workers watching, some asleep.
  for (int run = 0; run < 3000; ++run) {
    pool.run([&](int index) { ++calls[static_cast<std::size_t>(index)]; });
    ASSERT_EQ(std::accumulate(calls.begin(), calls.end(), 0), 5 * (run + 1));
  }

  EXPECT_THAT(calls, ElementsAre(3000, 3000, 3000, 3000, 3000));
}

TEST(ThreadPool, KeepsItsThreadsFromRunToRun) {
  ThreadPool pool(3);
  const auto threads = [&pool] {
    std::vector<std::thread::id> ids(3);
    pool.run([&](int index) { ids[static_cast<std::size_t>(index)] = std::this_thread::get_id(); });
    return ids;
  };

  const auto first = threads();
  const auto second = threads();

  EXPECT_EQ(first, second);
  EXPECT_EQ(std::set<std::thread::id>(first.begin(), first.end()).size(), 3u);
  EXPECT_EQ(first.front(), std::this_thread::get_id());
}

TEST(ThreadPool, OfOneIsTheCaller) {
  ThreadPool pool(1);
  int calls = 0;

  pool.run([&](int index) { calls += index + 1; });

  EXPECT_EQ(pool.size(), 1);
  EXPECT_EQ(calls, 1);
}

TEST(ThreadPool, WakesThreadsThatHaveFallenAsleep) {
  ThreadPool pool(2);
  std::atomic<int> calls = 0;

  for (int run = 0; run < 3; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool.run([&](int) { ++calls; });
  }

  EXPECT_EQ(calls, 6);
}

TEST(ThreadPool, LetsItsThreadsRunWhereAPinnedCallerMayNot) {
  const int all = harness::usable_cpu_count();
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  const cpu_set_t before = harness::usable_cpus();
  ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(here), &here), 0);
  int seen_by_worker = 0;
  {
    ThreadPool pool(2);

    pool.run([&](int index) {
      cpu_set_t mine;
      pthread_getaffinity_np(pthread_self(), sizeof(mine), &mine);
      if (index == 1) seen_by_worker = CPU_COUNT(&mine);
    });
  }
  pthread_setaffinity_np(pthread_self(), sizeof(before), &before);

  EXPECT_EQ(seen_by_worker, all);
}

TEST(ThreadPool, OfNobodyIsRefused) { EXPECT_THROW(ThreadPool(0), std::invalid_argument); }

}  // namespace
}  // namespace cupel::bench::host
