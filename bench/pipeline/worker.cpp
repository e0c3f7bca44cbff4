#include "bench/pipeline/worker.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>

#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"

namespace cupel::bench::pipeline {
namespace {

void wait(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0 && errno == EINTR) {
  }
}

// Whether there was something within the time.
bool wait(sem_t& semaphore, double limit_s) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const auto ns = static_cast<std::int64_t>(limit_s * 1e9) + until.tv_nsec;
  until.tv_sec += ns / 1'000'000'000;
  until.tv_nsec = ns % 1'000'000'000;
  int result = 0;
  do result = sem_timedwait(&semaphore, &until);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

const char* to_string(WorkerKind kind) { return kind == WorkerKind::thread ? "thread" : "process"; }

Worker::Worker(const Recipe& recipe, const Place& place)
    : recipe_(recipe),
      place_(place),
      memory_(Mapping::anonymous(sizeof(Shared))),
      shared_(new (memory_.bytes().data()) Shared{}),
      channel_(
          make_channel(place.handover, static_cast<std::size_t>(recipe.batch * sample_bytes(recipe)), place.depth)) {
  if (place.kind == WorkerKind::thread && place.handover != Handover::ring) {
    throw std::invalid_argument("Worker: a thread hands over by the ring");
  }
  harness::usable_cpus();  // as they are before any thread is pinned
  constexpr int kShared = 1;
  sem_init(&shared_->go, kShared, 0);
  sem_init(&shared_->room, kShared, static_cast<unsigned>(place.depth));
  sem_init(&shared_->done, kShared, 0);
  if (place.kind == WorkerKind::thread) {
    thread_ = std::thread([this] { work(); });
    return;
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    run_as_process();
  }
  pid_ = pid;
  channel_->be_consumer();
}

Worker::~Worker() {
  ask_to_end();
  if (thread_.joinable()) thread_.join();
  if (pid_) end_process();
}

void Worker::ask_to_end() {
  if (shared_->ending.exchange(true)) return;
  sem_post(&shared_->go);
  sem_post(&shared_->room);
}

void Worker::start_epoch(std::int64_t epoch) {
  shared_->epoch = epoch;
  sem_post(&shared_->go);
}

std::span<const std::byte> Worker::take() {
  wait_for_batch();
  if (shared_->failed) fail(shared_->what);
  std::span<const std::byte> batch;
  try {
    batch = channel_->take(taken_++, place_.limit_s);
  } catch (const std::runtime_error& error) {
    fail(error.what() + how_it_ended());
  }
  sem_post(&shared_->room);
  return batch;
}

double Worker::cpu_s() const {
  clockid_t clock{};
  timespec time{};
  if (!pid_ || ended_ || clock_getcpuclockid(*pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Never returns, and leaves nothing of its parent's running: no destructor, no exit handler.
void Worker::run_as_process() {
  signal(SIGINT, SIG_IGN);  // Ctrl-C goes to all; the parent ends its workers
  signal(SIGTERM, SIG_DFL);
  channel_->be_worker();
  const OwnProcess own;
  work(&own);
  _exit(0);
}

void Worker::work(const OwnProcess* own) noexcept {
  // Who made it may be pinned to one processor.
  pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &harness::usable_cpus());
  try {
    BatchMaker maker = own == nullptr ? BatchMaker(recipe_) : BatchMaker(recipe_, *own);
    for (wait(shared_->go); !shared_->ending; wait(shared_->go)) make_epoch(maker);
  } catch (const std::exception& error) {
    std::strncpy(shared_->what, error.what(), sizeof(shared_->what) - 1);
    shared_->failed = true;
    sem_post(&shared_->done);
  }
}

void Worker::make_epoch(BatchMaker& maker) {
  const std::int64_t epoch = shared_->epoch;
  const std::vector<std::int64_t> order = order_of_epoch(recipe_, epoch);
  for (std::int64_t b = place_.number; b < batches_of_epoch(recipe_); b += place_.workers) {
    wait(shared_->room);
    if (shared_->ending) return;
    const std::span<const std::int64_t> indices = batch_of(recipe_, order, b);
    maker.make(indices, epoch, channel_->begin(made_));
    const double sleep_s = recipe_.throttle.hand_over_sleep_s * static_cast<double>(indices.size());
    if (sleep_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s));
    channel_->send(made_++, [this] { sem_post(&shared_->done); });
  }
}

// Looks now and then whether a process that gives nothing is still there, and computes: such a one is slow, as among
// many threads on few processors, and does not hang.
void Worker::wait_for_batch() {
  constexpr double kLook_s = 0.05, kComputing_s = 1e-3;
  double used_s = cpu_s();
  for (auto start = harness::Clock::now(); !wait(shared_->done, kLook_s);) {
    if (const std::string ending = how_it_ended(); !ending.empty()) fail("gave no batch" + ending);
    if (const double now_s = cpu_s(); now_s > used_s + kComputing_s) {
      used_s = now_s;
      start = harness::Clock::now();
    }
    if (harness::seconds_since(start) > place_.limit_s) {
      fail("gave no batch for " + std::to_string(place_.limit_s) + " s: it hangs");
    }
  }
}

void Worker::fail(const std::string& what) const {
  std::string who = "worker " + std::to_string(place_.number);
  if (pid_) who += " (process " + std::to_string(*pid_) + ")";
  throw WorkerFailed(who + ": " + what);
}

// Empty while it runs.
std::string Worker::how_it_ended() const {
  int status = 0;
  if (!pid_) return "";
  if (!ended_ && waitpid(*pid_, &status, WNOHANG) == *pid_) ended_ = status;
  if (!ended_) return "";
  if (WIFSIGNALED(*ended_)) return "; it was ended by signal " + std::to_string(WTERMSIG(*ended_));
  return "; it ended with " + std::to_string(WEXITSTATUS(*ended_));
}

void Worker::end_process() {
  channel_.reset();  // who writes to it is let go
  constexpr double kGrace_s = 0.3;
  for (const auto start = harness::Clock::now(); how_it_ended().empty() && harness::seconds_since(start) < kGrace_s;) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  if (ended_) return;
  kill(*pid_, SIGKILL);
  waitpid(*pid_, nullptr, 0);
}

}  // namespace cupel::bench::pipeline
