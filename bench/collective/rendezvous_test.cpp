#include "bench/collective/rendezvous.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cupel::bench::collective {
namespace {

TEST(Rendezvous, HoldsEveryRankUntilAllHaveCome) {
  const Rendezvous made = Rendezvous::make(3);
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> ranks;

  for (int rank = 0; rank < 3; ++rank) {
    ranks.emplace_back([&, rank] {
      Rendezvous mine = Rendezvous::open(dup(made.descriptor()));
      for (int round = 0; round < 100; ++round) {
        ++inside;
        mine.meet(rank, 20);
        if (inside < 3 * (round + 1)) ++most;  // somebody was let go early
        mine.meet(rank, 20);
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();

  EXPECT_EQ(most, 0);
  EXPECT_EQ(inside, 300);
}

TEST(Rendezvous, SaysWhichRankDidNotCome) {
  Rendezvous made = Rendezvous::make(3);
  Rendezvous second = Rendezvous::open(dup(made.descriptor()));
  std::thread other([&] { EXPECT_THROW(second.meet(2, 0.05), NotMet); });
  std::string said;

  try {
    made.meet(0, 0.5);
  } catch (const NotMet& missing) {
    said = missing.what();
  }
  other.join();

  EXPECT_EQ(said, "rank 1 did not come within 0.5 s");
}

TEST(Rendezvous, LetsNobodyWaitForARankThatFailed) {
  Rendezvous made = Rendezvous::make(2);
  EXPECT_EQ(made.failure(), std::nullopt);
  made.fail(1, std::runtime_error("no space left on device"));

  EXPECT_THROW(made.meet(0, 1000), NotMet);
  const RankFailure failure = made.failure().value();
  EXPECT_EQ(failure.rank, 1);
  EXPECT_EQ(failure.why, "no space left on device");
  EXPECT_FALSE(failure.cannot_run);
}

TEST(Rendezvous, IsSharedWithProcesses) {
  Rendezvous made = Rendezvous::make(2);
  made.id()[5] = std::byte{42};

  const pid_t child = fork();
  if (child == 0) {
    Rendezvous mine = Rendezvous::open(made.descriptor());
    mine.add_sample(1, mine.id()[5] == std::byte{42} ? 1.5 : -1);
    mine.meet(1, 20);
    _exit(0);
  }
  made.meet(0, 20);
  int status = 0;
  waitpid(child, &status, 0);

  EXPECT_EQ(status, 0);
  EXPECT_THAT(made.samples(1), testing::ElementsAre(1.5));
  EXPECT_TRUE(made.samples(0).empty());
}

// A file that no folder has: nothing of it stays when the last process that has it open is gone.
TEST(Rendezvous, HasNoNameThatCouldBeLeftBehind) {
  const Rendezvous made = Rendezvous::make(2);
  struct stat facts {};

  ASSERT_EQ(fstat(made.descriptor(), &facts), 0);

  EXPECT_EQ(facts.st_nlink, 0u);
}

TEST(Rendezvous, RefusesMoreRanksThanItHasRoomFor) {
  EXPECT_THROW(Rendezvous::make(0), std::invalid_argument);
  EXPECT_THROW(Rendezvous::make(kMostProcesses + 1), std::invalid_argument);
}

TEST(Rendezvous, KeepsWhatFitsOfALongReasonAndRefusesSamplesBeyondItsRoom) {
  Rendezvous made = Rendezvous::make(1);
  made.fail(0, std::runtime_error(std::string(10'000, 'x')));
  for (std::size_t i = 0; i < kMostSamples; ++i) made.add_sample(0, 1);

  EXPECT_EQ(made.failure().value().why, std::string(511, 'x'));
  EXPECT_THROW(made.add_sample(0, 1), std::length_error);
}

}  // namespace
}  // namespace cupel::bench::collective
