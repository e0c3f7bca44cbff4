// One worker of a loader: a thread or a process that makes every n-th batch of each epoch.
#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "bench/pipeline/batch_maker.hpp"
#include "bench/pipeline/channel.hpp"
#include "bench/pipeline/shared_memory.hpp"

namespace cupel::bench::pipeline {

enum class WorkerKind { thread, process };

const char* to_string(WorkerKind kind);

/// A worker died, hangs, or could not make a batch: which one, and at what.
class WorkerFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Worker {
 public:
  struct Place {
    int number = 0;  ///< of this worker, from 0
    int workers = 1;
    int depth = 2;  ///< batches that it has under way, beside the one that the consumer holds
    WorkerKind kind = WorkerKind::thread;
    Handover handover = Handover::ring;
    double limit_s = 30;  ///< without a batch, and without computing, for so long, it hangs
  };

  /// Starts it; it waits for an epoch. A process ends with the one that made it. A thread's handover is the ring,
  /// else std::invalid_argument. Throws harness::DeviceLost where a thread of this process hangs.
  Worker(const Recipe& recipe, const Place& place);
  /// Asks it to end; kills a process that does not within 0.3 s. A thread is waited for as long as it computes, and for
  /// limit_s; one that hangs is left behind with what it uses, and no other worker starts in this process.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Ahead of the destructor, so that several end at once.
  void ask_to_end();

  void start_epoch(std::int64_t epoch);

  /// Its next batch; valid until the next call. Throws WorkerFailed; harness::DeviceLost of a thread that hangs, as
  /// nobody can kill it: this process is to end.
  std::span<const std::byte> take();

  /// CPU time of a process so far; 0 of a thread, whose time is this process's.
  double cpu_s() const;

  /// The number of a process.
  std::optional<pid_t> pid() const { return pid_; }

 private:
  // The state that both sides see; in shared memory.
  struct Shared {
    sem_t go;    // an epoch, or the end
    sem_t room;  // batches that may be made
    sem_t done;  // batches that may be taken, or a failure
    sem_t gone;  // a thread's end
    std::atomic<std::int64_t> epoch;
    std::atomic<bool> ending;
    std::atomic<bool> failed;
    char what[1024];
  };

  // The worker's own work, and all that it uses. A thread holds it, too, as it may outlive this object.
  struct Job {
    Job(const Recipe& recipe, const Place& place);
    void work(const OwnProcess* own = nullptr) noexcept;
    void make_epoch(BatchMaker& maker);

    Recipe recipe;
    Place place;
    Mapping memory;
    Shared* shared;
    std::unique_ptr<Channel> channel;
    std::int64_t made = 0;
  };

  void run_as_process();
  void start_thread();
  double computed_s() const;
  bool comes(sem_t& semaphore, double limit_s) const;
  void wait_for_batch();
  std::string called() const;
  [[noreturn]] void fail(const std::string& what) const;
  std::string how_it_ended() const;
  void end_process();
  void end_thread();

  std::shared_ptr<Job> job_;
  std::int64_t taken_ = 0;
  std::optional<clockid_t> clock_;  // of what it computes
  std::optional<pid_t> pid_;
  mutable std::optional<int> ended_;  // its status, once it was waited for
  std::thread thread_;
};

}  // namespace cupel::bench::pipeline
