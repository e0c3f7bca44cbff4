// Faults under a loader: each has a clear outcome, and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include "bench/pipeline/loader.hpp"
#include "bench/pipeline/shared_memory.hpp"
#include "bench/pipeline/test_folder.hpp"
#include "cupel/harness/instrument.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/record/child.hpp"

namespace cupel::bench::pipeline {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr Handover kHandovers[] = {Handover::ring, Handover::shared_memory, Handover::descriptor, Handover::pipe};

// Names in /dev/shm that this process's workers have made.
std::size_t shared_memory_left() {
  std::size_t count = 0;
  const std::string mine = shared_memory_prefix();
  for (const auto& entry : fs::directory_iterator("/dev/shm"))
    count += entry.path().filename().string().starts_with(mine);
  return count;
}

class Faults : public testing::Test {
 protected:
  Faults() : set_(folder_.path(), {.bytes = 1}), recipe_{.data = &set_, .batch = 2, .side = 32} {}
  ~Faults() override {
    EXPECT_EQ(shared_memory_left(), 0u);
    EXPECT_TRUE(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD) << "a worker is left";
  }

  // The error that an epoch fails with; empty if it does not.
  std::string failure(const LoaderOptions& options) const {
    try {
      Loader loader(recipe_, options);
      for (loader.start_epoch(0); loader.has_next();) loader.next();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder folder_;
  DataSet set_;
  Recipe recipe_;
};

TEST_F(Faults, ATruncatedImageIsNamedWithWhereItEnds) {
  const fs::path file = set_.file(7);
  const auto size = fs::file_size(file) / 2;
  // Half of it is zeros, as after a copy that broke off.
  fs::resize_file(file, size);
  fs::resize_file(file, static_cast<std::uintmax_t>(set_.sample(7).bytes));
  recipe_.read = ReadBy::file;

  const std::string expected =
      file.string() + ": ends at byte " + std::to_string(set_.sample(7).bytes) + ", a JPEG's end marker was expected";
  EXPECT_EQ(failure({}), expected);
  EXPECT_EQ(failure({.kind = WorkerKind::thread, .workers = 2}).substr(10), expected);
  EXPECT_THAT(failure({.kind = WorkerKind::process, .workers = 2}), EndsWith("): " + expected));
}

TEST_F(Faults, AShorterFileIsNamedWithWhatWasExpected) {
  fs::resize_file(set_.file(7), 1000);
  recipe_.read = ReadBy::file;

  EXPECT_THAT(failure({.kind = WorkerKind::process, .workers = 2}),
              EndsWith(set_.file(7).string() + ": ends at byte 1000, " + std::to_string(set_.sample(7).bytes) +
                       " were expected"));
}

TEST_F(Faults, AFileThatVanishedIsNamed) {
  fs::remove(set_.file(7));
  recipe_.read = ReadBy::file;

  const std::string expected = set_.file(7).string() + ": No such file or directory; " +
                               std::to_string(set_.sample(7).bytes) + " bytes were expected";
  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    EXPECT_THAT(failure({.kind = kind, .workers = 3}), EndsWith(expected));
  }
}

TEST_F(Faults, AWorkerThatDiesIsNamedWithItsSignal) {
  recipe_.throttle.read_sleep_s = 5e-3;
  for (const Handover by : kHandovers) {
    Loader loader(recipe_, {.kind = WorkerKind::process, .workers = 2, .handover = by});
    loader.start_epoch(0);
    loader.next();
    kill(*loader.workers()[1]->pid(), SIGKILL);

    try {
      while (loader.has_next()) loader.next();
      FAIL() << "the epoch went on without worker 1";
    } catch (const WorkerFailed& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("worker 1 (process "), HasSubstr("ended by signal 9")))
          << to_string(by);
    }
  }
}

TEST_F(Faults, AWorkerThatHangsIsNamedAndKilled) {
  for (const Handover by : kHandovers) {
    Loader loader(recipe_, {.kind = WorkerKind::process, .workers = 2, .handover = by, .limit_s = 0.3});
    loader.start_epoch(0);
    loader.next();
    kill(*loader.workers()[0]->pid(), SIGSTOP);

    EXPECT_THROW(while (loader.has_next()) loader.next(), WorkerFailed) << to_string(by);
  }
}

TEST_F(Faults, AHangSaysForHowLong) {
  recipe_.throttle.read_sleep_s = 100;

  EXPECT_THAT(failure({.kind = WorkerKind::process, .workers = 1, .limit_s = 0.2}),
              HasSubstr("gave no batch for 0.200000 s: it hangs"));
}

TEST_F(Faults, AWorkerThatComputesForLongIsSlowAndDoesNotHang) {
  recipe_.samples = 1;
  recipe_.throttle.decode_times = 1000;  // a second

  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    EXPECT_EQ(failure({.kind = kind, .workers = 1, .limit_s = 0.2}), "") << to_string(kind);
  }
}

// ---- A thread that hangs: nobody can kill it, so all of this is in a child
// -------------------------------------------

struct Ended {
  int status = 0;  // as waitpid gives it
  std::string said;
};

// Runs `code` as a program's main; whatever it leaves in the process is gone with it. Where it blocks, SIGALRM ends it.
Ended in_a_child(const std::function<int()>& code) {
  constexpr unsigned kLimit_s = 30;
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    alarm(kLimit_s);
    dup2(ends[1], STDERR_FILENO);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    _exit(code());
  }
  close(ends[1]);
  Ended ended;
  char some[256];
  for (ssize_t got; (got = read(ends[0], some, sizeof some)) > 0;)
    ended.said.append(some, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

// A pipe in the file's place: whoever opens it to read waits until somebody opens it to write.
void make_endless(const fs::path& file) {
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
}

const Recipe* g_recipe = nullptr;  // of what is registered: a program registers by a function alone

void register_two_of_which_the_first_hangs() {
  for (const char* name : {"pipeline/one", "pipeline/other"}) {
    harness::add(name, [](benchmark::State&) {
      Loader loader(*g_recipe, {.workers = 3, .limit_s = 0.2});
      for (loader.start_epoch(0); loader.has_next();) loader.next();
    });
  }
}

TEST_F(Faults, AThreadThatHangsEndsItsProgramWithTheReason) {
  recipe_.read = ReadBy::file;
  recipe_.order = Order::sequential;
  make_endless(set_.file(2));
  g_recipe = &recipe_;

  const Ended ended = in_a_child([] {
    std::string name = "pipeline", once = "--cupel_once";
    char* arguments[] = {name.data(), once.data()};
    return harness::bench_main(2, arguments, register_two_of_which_the_first_hangs, nullptr);
  });

  EXPECT_EQ(ended.status, W_EXITCODE(record::kChildDeviceLost, 0));
  EXPECT_THAT(ended.said, EndsWith("pipeline/one: failed: worker 1: gave no batch for 0.200000 s: it hangs\n"));
}

TEST_F(Faults, AThreadThatHangsIsLeftBehindAndNoOtherWorkerStarts) {
  recipe_.read = ReadBy::file;
  recipe_.order = Order::sequential;
  make_endless(set_.file(0));

  const Ended ended = in_a_child([this] {
    {
      Loader loader(recipe_, {.workers = 2, .limit_s = 0.2});
      loader.start_epoch(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it waits for the file
    }
    std::fputs(failure({.kind = WorkerKind::process, .workers = 1}).c_str(), stderr);
    return 0;
  });

  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.said, "a thread of an earlier loader hangs in this process");
}

TEST_F(Faults, SharedMemoryThatIsTooSmallSaysHowMuchWasWanted) {
  struct statvfs room {};
  ASSERT_EQ(statvfs("/dev/shm", &room), 0);
  const auto samples = static_cast<std::int64_t>(room.f_blocks * room.f_frsize) / sample_bytes(recipe_) + 1;
  recipe_.batch = samples;

  for (const Handover by : {Handover::shared_memory, Handover::descriptor}) {
    EXPECT_THAT(failure({.kind = WorkerKind::process, .workers = 1, .handover = by}),
                AllOf(HasSubstr("/dev/shm/" + shared_memory_prefix()),
                      HasSubstr(std::to_string(samples * sample_bytes(recipe_)) +
                                " bytes were wanted: No space left on device")))
        << to_string(by);
  }
}

TEST_F(Faults, WhatAKilledProcessLeftInSharedMemoryIsSweptByTheNextOfItsNamespaceAlone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = "/" + shared_memory_prefix() + "0";  // nobody sweeps it when this process ends
    make_shared_memory(name, 4096);
    _exit(write(ends[1], name.data(), name.size()) == static_cast<ssize_t>(name.size()) ? 0 : 1);
  }
  char name[256] = {};
  ASSERT_GT(read(ends[0], name, sizeof name - 1), 0);
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  const fs::path left = "/dev/shm" + std::string(name);
  const std::string of_another_namespace = "/cupel.1." + std::to_string(child) + ".0";
  make_shared_memory(of_another_namespace, 4096);
  ASSERT_TRUE(fs::exists(left));

  EXPECT_EQ(failure({.kind = WorkerKind::process, .workers = 1}), "");

  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists("/dev/shm" + of_another_namespace));
  unlink_shared_memory(of_another_namespace);
}

TEST_F(Faults, AKilledProcessLeavesNothingInSharedMemory) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    Loader loader(recipe_, {.kind = WorkerKind::process, .workers = 2, .handover = Handover::shared_memory});
    loader.start_epoch(0);
    loader.next();
    const std::string prefix = shared_memory_prefix();
    if (write(ends[1], prefix.data(), prefix.size()) != static_cast<ssize_t>(prefix.size())) _exit(1);
    for (;;) pause();
  }
  char prefix[256] = {};
  ASSERT_GT(read(ends[0], prefix, sizeof prefix - 1), 0);
  close(ends[0]);
  close(ends[1]);
  const auto are_there = [&] {
    return std::ranges::any_of(fs::directory_iterator("/dev/shm"), [&](const fs::directory_entry& entry) {
      return entry.path().filename().string().starts_with(prefix);
    });
  };
  for (int look = 0; look < 1000 && !are_there(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(are_there()) << "the workers make the next batches meanwhile";

  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);

  for (int look = 0; look < 1000 && are_there(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(are_there());
}

// 'Z' once it has ended and nobody has waited for it, 0 once it is gone.
char state_of(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name;
  char state = 0;
  stat >> number >> name >> state;
  return state;
}

TEST_F(Faults, WorkersEndWithTheProcessThatMadeThem) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    Loader loader(recipe_, {.kind = WorkerKind::process, .workers = 1});
    const pid_t worker = *loader.workers()[0]->pid();
    if (write(ends[1], &worker, sizeof worker) != sizeof worker) _exit(1);
    pause();
  }
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  close(ends[0]);
  close(ends[1]);

  const auto is_gone = [&] { return state_of(worker) == 0 || state_of(worker) == 'Z'; };
  for (int look = 0; look < 1000 && !is_gone(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(is_gone());
}

}  // namespace
}  // namespace cupel::bench::pipeline
