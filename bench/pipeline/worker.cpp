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
#include "cupel/harness/run.hpp"

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

constexpr double kGrace_s = 0.3;

// Nobody can kill a thread: once one hangs, this process is to end.
std::atomic<bool> g_thread_hangs = false;

}  // namespace

const char* to_string(WorkerKind kind) { return kind == WorkerKind::thread ? "thread" : "process"; }

Worker::Job::Job(const Recipe& recipe_of_it, const Place& place_of_it)
    : recipe(recipe_of_it),
      place(place_of_it),
      memory(Mapping::anonymous(sizeof(Shared))),
      shared(new (memory.bytes().data()) Shared{}),
      channel(
          make_channel(place.handover, static_cast<std::size_t>(recipe.batch * sample_bytes(recipe)), place.depth)) {
  constexpr int kShared = 1;
  sem_init(&shared->go, kShared, 0);
  sem_init(&shared->room, kShared, static_cast<unsigned>(place.depth));
  sem_init(&shared->done, kShared, 0);
  sem_init(&shared->gone, kShared, 0);
}

Worker::Worker(const Recipe& recipe, const Place& place) : job_(std::make_shared<Job>(recipe, place)) {
  if (place.kind == WorkerKind::thread && place.handover != Handover::ring) {
    throw std::invalid_argument("Worker: a thread hands over by the ring");
  }
  if (g_thread_hangs) throw harness::DeviceLost("a thread of an earlier loader hangs in this process");
  harness::usable_cpus();  // as they are before any thread is pinned
  if (place.kind == WorkerKind::thread) {
    start_thread();
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
  if (clockid_t clock{}; clock_getcpuclockid(pid, &clock) == 0) clock_ = clock;
  job_->channel->be_consumer();
}

void Worker::start_thread() {
  thread_ = std::thread([job = job_] {
    job->work();
    sem_post(&job->shared->gone);
  });
  if (clockid_t clock{}; pthread_getcpuclockid(thread_.native_handle(), &clock) == 0) clock_ = clock;
}

Worker::~Worker() {
  ask_to_end();
  if (thread_.joinable()) end_thread();
  if (pid_) end_process();
}

void Worker::ask_to_end() {
  if (job_->shared->ending.exchange(true)) return;
  sem_post(&job_->shared->go);
  sem_post(&job_->shared->room);
}

void Worker::start_epoch(std::int64_t epoch) {
  job_->shared->epoch = epoch;
  sem_post(&job_->shared->go);
}

std::span<const std::byte> Worker::take() {
  wait_for_batch();
  if (job_->shared->failed) fail(job_->shared->what);
  std::span<const std::byte> batch;
  try {
    batch = job_->channel->take(taken_++, job_->place.limit_s);
  } catch (const std::runtime_error& error) {
    fail(error.what() + how_it_ended());
  }
  sem_post(&job_->shared->room);
  return batch;
}

double Worker::cpu_s() const { return pid_ ? computed_s() : 0; }

double Worker::computed_s() const {
  timespec time{};
  if (!clock_ || ended_ || clock_gettime(*clock_, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Never returns, and leaves nothing of its parent's running: no destructor, no exit handler.
void Worker::run_as_process() {
  // Ctrl-C goes to all of a group, and so does what asks a child of cupel's to end. The parent ends its workers.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  job_->channel->be_worker();
  const OwnProcess own;
  job_->work(&own);
  _exit(0);
}

void Worker::Job::work(const OwnProcess* own) noexcept {
  // Who made it may be pinned to one processor.
  pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &harness::usable_cpus());
  try {
    BatchMaker maker = own == nullptr ? BatchMaker(recipe) : BatchMaker(recipe, *own);
    for (wait(shared->go); !shared->ending; wait(shared->go)) make_epoch(maker);
  } catch (const std::exception& error) {
    std::strncpy(shared->what, error.what(), sizeof(shared->what) - 1);
    shared->failed = true;
    sem_post(&shared->done);
  }
}

void Worker::Job::make_epoch(BatchMaker& maker) {
  const std::int64_t epoch = shared->epoch;
  const std::vector<std::int64_t> order = order_of_epoch(recipe, epoch);
  for (std::int64_t b = place.number; b < batches_of_epoch(recipe); b += place.workers) {
    wait(shared->room);
    if (shared->ending) return;
    const std::span<const std::int64_t> indices = batch_of(recipe, order, b);
    maker.make(indices, epoch, channel->begin(made));
    const double sleep_s = recipe.throttle.hand_over_sleep_s * static_cast<double>(indices.size());
    if (sleep_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s));
    channel->send(made++, [this] { sem_post(&shared->done); });
  }
}

// Whether the worker posts it. Looks now and then whether one that does not is still there, and computes: such a one is
// slow, as among many threads on few processors. False where it has ended, or neither posts nor computes for limit_s.
bool Worker::comes(sem_t& semaphore, double limit_s) const {
  constexpr double kLook_s = 0.05, kComputing_s = 1e-3;
  double used_s = computed_s();
  for (auto start = harness::Clock::now(); !wait(semaphore, kLook_s);) {
    if (!how_it_ended().empty()) return wait(semaphore, 0);  // what it posted last
    if (const double now_s = computed_s(); now_s > used_s + kComputing_s) {
      used_s = now_s;
      start = harness::Clock::now();
    }
    if (harness::seconds_since(start) > limit_s) return false;
  }
  return true;
}

void Worker::wait_for_batch() {
  if (comes(job_->shared->done, job_->place.limit_s)) return;
  if (const std::string ending = how_it_ended(); !ending.empty()) fail("gave no batch" + ending);
  const std::string what = "gave no batch for " + std::to_string(job_->place.limit_s) + " s: it hangs";
  if (pid_) fail(what);
  g_thread_hangs = true;
  throw harness::DeviceLost(called() + ": " + what);
}

std::string Worker::called() const {
  std::string who = "worker " + std::to_string(job_->place.number);
  if (pid_) who += " (process " + std::to_string(*pid_) + ")";
  return who;
}

void Worker::fail(const std::string& what) const { throw WorkerFailed(called() + ": " + what); }

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
  job_->channel.reset();  // who writes to it is let go
  for (const auto start = harness::Clock::now(); how_it_ended().empty() && harness::seconds_since(start) < kGrace_s;) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  if (ended_) return;
  kill(*pid_, SIGKILL);
  waitpid(*pid_, nullptr, 0);
}

void Worker::end_thread() {
  const double limit_s = g_thread_hangs ? kGrace_s : job_->place.limit_s;
  if (comes(job_->shared->gone, limit_s)) return thread_.join();
  g_thread_hangs = true;
  thread_.detach();
}

}  // namespace cupel::bench::pipeline
