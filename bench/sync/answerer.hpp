// A thread in the device's place: it is asked, is busy or sleeps for a while, and answers. What waiting for it costs is
// what waking costs on this host, without a device, its interrupt and its driver.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace cupel::bench::sync {

class Answerer {
 public:
  /// How it passes the time until it answers.
  enum class Passes {
    awake,   ///< watches the clock: nobody but who waits has to be woken
    asleep,  ///< sleeps on a timer, as near to the time as the kernel can: it is woken, and then wakes who waits
  };
  /// How wait() learns of the answer.
  enum class Learns {
    spinning,  ///< reads a word again and again
    woken,     ///< sleeps in the kernel until it is told
  };

  /// Throws std::system_error where the system has no thread left.
  Answerer(Passes passes, Learns learns);
  ~Answerer();
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  /// It answers `after` from now. Not again before wait().
  void ask(std::chrono::nanoseconds after);

  /// Until it has answered.
  void wait();

  /// Answers so far.
  std::uint64_t answered() const { return answered_; }

 private:
  void serve();
  void pass_until(std::int64_t at_ns) const;
  void answer();

  Passes passes_;
  Learns learns_;
  std::uint64_t asked_ = 0;
  std::atomic<std::int64_t> at_ns_;  // of CLOCK_MONOTONIC: when to answer; or kNothing, or kEnd
  std::atomic<std::uint64_t> answered_ = 0;
  std::mutex mutex_;  // of the answer to who sleeps
  std::condition_variable told_;
  std::thread thread_;
};

}  // namespace cupel::bench::sync
