// The SM clock, seen from the device itself, and the wait for it to recover.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <optional>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// Tells whether a reading is at the mark: 0.5 % below it at most, or a step and a half of 15 MHz, whichever is more.
/// Below 3 GHz one step of 15 MHz is more than 0.5 %, so a clock one step lower would never pass; the half step allows
/// for reading error.
bool has_recovered(double hz, double mark_hz);

/// The highest clock that held for three readings in a row, and never more than the board declares: a pair of H100s
/// that declare 1980 MHz ran at up to 2085 for a while, now and then, and is not to be waited for there.
class ClockMark {
 public:
  /// Makes a mark without a clock. declared_hz: the most that the board declares; nothing where it does not say.
  explicit ClockMark(std::optional<double> declared_hz) : declared_hz_(declared_hz) {}

  /// Returns the clock of the mark; 0 while there is none.
  double hz() const { return hz_; }
  /// Tells whether a reading is as high as the board declares: no higher mark is to be found then.
  bool is_highest(double hz) const { return declared_hz_ && has_recovered(hz, *declared_hz_); }
  /// Makes `hz` the mark, or what the board declares if that is less.
  void set(double hz);

  /// Begins a wait for the clock.
  void wait() { in_a_row_ = 0; }
  /// Takes a reading of that wait. True when three in a row were at the mark: the lowest of them is the new one if it
  /// is higher.
  bool saw(double hz);
  /// Ends the wait without three readings at the mark. After three such waits in a row the last reading is the mark:
  /// the device may have been given a lower clock since.
  void give_up();

 private:
  std::optional<double> declared_hz_;
  double hz_ = 0;
  double last_hz_ = 0, held_hz_ = 0;  // of the wait: the last reading, the lowest of those in a row
  int in_a_row_ = 0, given_up_ = 0;
};

/// Runs a kernel that counts clock cycles over nanoseconds of the device's timer. Works where NVML does not.
class SmClock {
 public:
  /// Reads the clock of the current device.
  SmClock();

  /// Returns the SM clock in Hz over about 200 us. Waits for the stream.
  double read_hz(cudaStream_t stream);

  /// Waits until three readings in a row are at the mark, 400 ms at most; false when the time ran out.
  bool settle(cudaStream_t stream);

  /// Wakes the device and finds the mark, at the start of a process. 100 ms at least, unless the clock is as high as
  /// the board declares before; 2 s at most.
  void warm_up(cudaStream_t stream);

  /// Tells whether the last reading is older than `ago`.
  bool last_looked_at_before(std::chrono::milliseconds ago) const {
    return std::chrono::steady_clock::now() - looked_at_ > ago;
  }
  /// Returns the clock that the device recovers to, in Hz.
  double mark_hz() const { return mark_.hz(); }

 private:
  struct Reading {
    unsigned long long cycles;
    unsigned long long ns;
  };
  cuda::PinnedBuffer<Reading> reading_;
  Reading* device_reading_ = nullptr;
  std::chrono::steady_clock::time_point looked_at_{};
  ClockMark mark_;
};

}  // namespace cupel::timing
