#include "cupel/timing/clock_mark.hpp"

#include <algorithm>

namespace cupel::timing {
namespace {

constexpr double kSteady = 0.005;
constexpr double kStep_hz = 15e6;  // of the SM clock: what nvidia-smi -q -d SUPPORTED_CLOCKS lists is that far apart
constexpr int kInARow = 3;
constexpr int kWaitsToBelieve = 3;

}  // namespace

bool has_recovered(double hz, double mark_hz) { return hz >= mark_hz - std::max(kSteady * mark_hz, 1.5 * kStep_hz); }

void ClockMark::set(double hz) { hz_ = std::min(hz, declared_hz_.value_or(hz)); }

bool ClockMark::saw(double hz) {
  in_a_row_ = has_recovered(hz, hz_) ? in_a_row_ + 1 : 0;
  held_hz_ = in_a_row_ > 1 ? std::min(held_hz_, hz) : hz;
  last_hz_ = hz;
  if (in_a_row_ < kInARow) return false;
  given_up_ = 0;
  set(std::max(hz_, held_hz_));
  return true;
}

void ClockMark::give_up() {
  if (++given_up_ >= kWaitsToBelieve) set(last_hz_);
}

}  // namespace cupel::timing
