// A second host thread: a pageable copy keeps its caller, so both directions at once take two of them.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace cupel::bench::transfer {

/// Runs `job` on its own thread each time it is started.
class Companion {
 public:
  explicit Companion(std::function<void()> job);
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  /// The job begins. Not again before finish().
  void start();

  /// Waits until the job is done; throws what it threw.
  void finish();

 private:
  enum class Phase { idle, busy, done, end };
  void serve();
  void wait_while(Phase phase);
  void move_to(Phase next);

  std::function<void()> job_;
  std::exception_ptr error_;
  std::atomic<Phase> phase_ = Phase::idle;
  std::thread thread_;
};

}  // namespace cupel::bench::transfer
