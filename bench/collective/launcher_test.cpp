// Ranks are faked by scripts, so that all of it is seen without a GPU.
#include "bench/collective/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/collective/patience.hpp"
#include "cupel/host/shared_library.hpp"

namespace cupel::bench::collective {
namespace {

using testing::HasSubstr;

RankProgram script(const std::string& text) { return {.program = "/bin/sh", .arguments = {"-c", text}}; }

class Launcher : public testing::Test {
 protected:
  Launcher() : folder_(std::filesystem::temp_directory_path() / ("cupel-launcher-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Launcher() override { std::filesystem::remove_all(folder_); }

  // One that writes its number, and that of what it started, and then sleeps for ever.
  RankProgram sleeper() const {
    return script("sleep 1000 & echo $$ $! > " + file() + ".new; mv " + file() + ".new " + file() + "; wait");
  }

  // Throws nothing; what was thrown is in outcome.
  void run(const std::vector<RankProgram>& ranks, double limit_s = 60) {
    const auto start = std::chrono::steady_clock::now();
    try {
      run_ranks(ranks, rendezvous, limit_s);
    } catch (const CollectiveFailed& failed) {
      outcome = failed.what();
      cannot_run = host::cannot_run(failed);
    }
    took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // The numbers that a sleeper wrote; waits for them.
  std::vector<pid_t> sleepers() const {
    for (int i = 0; i < 1000 && !std::filesystem::exists(file()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::ifstream in(file());
    std::vector<pid_t> numbers;
    for (pid_t number = 0; in >> number;) numbers.push_back(number);
    return numbers;
  }

  // Whether it is gone, or nothing but a number that somebody has yet to take note of.
  static bool is_gone(pid_t process) {
    for (int i = 0; i < 500; ++i) {
      std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
      std::string number, name, state;
      if (!(stat >> number >> name >> state) || state == "Z") return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  void expect_nobody_left() const {
    const std::vector<pid_t> left = sleepers();
    ASSERT_EQ(left.size(), 2u);
    for (const pid_t process : left) EXPECT_TRUE(is_gone(process)) << process;
  }

  std::string file() const { return (folder_ / "sleeper").string(); }

  std::filesystem::path folder_;
  Rendezvous rendezvous = Rendezvous::make(2);
  std::string outcome;
  bool cannot_run = false;
  double took_s = 0;
};

// So that the sleeper has written before the other one ends.
std::string after(const std::string& file, const std::string& act) {
  return "until [ -e " + file + " ]; do sleep 0.01; done; " + act;
}

// A rank that is killed while its peer has yet to take the memory it made, as NCCL makes it.
TEST_F(Launcher, LeavesNoSharedMemoryOfARankThatItKills) {
  const std::string segment = "/dev/shm/nccl-cupel-launcher-" + std::to_string(getpid()), ready = file();
  const std::string maps_it =
      "exec python3 -c 'import mmap, os, time\n"
      "held = os.open(\"" +
      segment +
      "\", os.O_CREAT | os.O_RDWR)\n"
      "os.ftruncate(held, 4096)\n"
      "memory = mmap.mmap(held, 4096)\n"
      "open(\"" +
      ready +
      "\", \"w\").close()\n"
      "time.sleep(1000)'";

  run({script(maps_it), script("while [ ! -e " + ready + " ]; do sleep 0.01; done; exit 3")});

  EXPECT_THAT(outcome, HasSubstr("rank 1 ended with 3"));
  EXPECT_TRUE(std::filesystem::exists(ready));
  EXPECT_FALSE(std::filesystem::exists(segment));
}

TEST_F(Launcher, ComesBackWhenAllRanksHaveEndedWell) {
  run({script("exit 0"), script("sleep 0.1")});

  EXPECT_EQ(outcome, "");
  EXPECT_GE(took_s, 0.1);
}

TEST_F(Launcher, RunsAsManyRanksAsAMachineHasGpus) {
  for (const int count : {1, 3, 5, 8}) {
    std::vector<RankProgram> ranks;
    for (int rank = 0; rank < count; ++rank) {
      ranks.push_back(script("touch " + file() + "." + std::to_string(count) + "." + std::to_string(rank)));
    }

    EXPECT_NO_THROW(run_ranks(ranks, Rendezvous::make(count), 60));

    for (int rank = 0; rank < count; ++rank) {
      EXPECT_TRUE(std::filesystem::exists(file() + "." + std::to_string(count) + "." + std::to_string(rank)));
    }
  }
}

TEST_F(Launcher, EndsTheOthersWhenARankDies) {
  run({sleeper(), script(after(file(), "kill -KILL $$"))});

  EXPECT_EQ(outcome, "a rank failed: rank 1 was ended by a signal: Killed");
  EXPECT_LT(took_s, 20);
  expect_nobody_left();
}

TEST_F(Launcher, EndsTheOthersWhenARankAborts) {
  run({script(after(file(), "kill -ABRT $$")), sleeper()});

  EXPECT_THAT(outcome, HasSubstr("rank 0 was ended by a signal: Aborted"));
  expect_nobody_left();
}

TEST_F(Launcher, SaysWithWhichCodeARankEnded) {
  run({sleeper(), script(after(file(), "exit 3"))});

  EXPECT_EQ(outcome, "a rank failed: rank 1 ended with 3");
  expect_nobody_left();
}

TEST_F(Launcher, EndsRanksThatHang) {
  run({sleeper(), script("exit 0")}, 1);

  EXPECT_EQ(outcome, "the ranks were not done within 1 s, and were ended");
  EXPECT_LT(took_s, 20);
  expect_nobody_left();
}

// As NCCL puts it where a container's /dev/shm is full.
TEST_F(Launcher, SaysWhatARankSaidOfItsFailureAndNotWhoWaitedForIt) {
  rendezvous.fail(0, AnotherFailed());
  rendezvous.fail(1, std::runtime_error("NCCL: unhandled system error: No space left on device"));

  run({script("exit 4"), script("sleep 0.2; exit 4")});

  EXPECT_EQ(outcome, "a rank failed: rank 1: NCCL: unhandled system error: No space left on device");
}

// The rank that only saw its peer leave tells later; what it tells is no failure of its own.
TEST_F(Launcher, SaysThatARankCannotRunHereWhateverTheOthersMakeOfItsEnd) {
  rendezvous.fail(1, host::Unavailable("NCCL was not found"));
  rendezvous.fail(0, std::runtime_error("NCCL: a remote process exited"));

  run({script("exit 1"), script("exit 1")});

  EXPECT_EQ(outcome, "a rank cannot run here: rank 1: NCCL was not found");
  EXPECT_TRUE(cannot_run);
}

TEST_F(Launcher, TakesAFailureForOneThoughAnotherRankThenCannotRun) {
  rendezvous.fail(0, std::runtime_error("elements are wrong"));
  rendezvous.fail(1, host::Unavailable("NCCL was not found"));

  run({script("exit 1"), script("exit 1")});

  EXPECT_EQ(outcome, "a rank failed: rank 0: elements are wrong");
  EXPECT_FALSE(cannot_run);
}

TEST_F(Launcher, SaysThatAProgramIsNotThere) {
  run({{.program = "/not/there"}, sleeper()});

  EXPECT_EQ(outcome, "a rank failed: rank 0 could not be started");
}

TEST_F(Launcher, ChangesTheEnvironmentOfARankAlone) {
  setenv("NCCL_P2P_DISABLE", "1", 1);
  RankProgram changed = script("[ \"$NCCL_SHM_DISABLE$NCCL_P2P_DISABLE\" = 2 ]");
  changed.environment = {{"NCCL_P2P_DISABLE", ""}, {"NCCL_SHM_DISABLE", "2"}};

  run({changed, script("[ \"$NCCL_SHM_DISABLE$NCCL_P2P_DISABLE\" = 1 ]")});

  EXPECT_EQ(outcome, "");
}

TEST_F(Launcher, LeavesNoRankWhenItIsKilledItself) {
  const pid_t launcher = fork();
  if (launcher == 0) {
    run_ranks({script("exec " + std::string("sh -c 'echo $$ $$ > ") + file() + ".new; mv " + file() + ".new " + file() +
                      "; exec sleep 1000'")},
              rendezvous, 1000);
    _exit(0);
  }
  ASSERT_EQ(sleepers().size(), 2u);

  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);

  expect_nobody_left();
}

}  // namespace
}  // namespace cupel::bench::collective
