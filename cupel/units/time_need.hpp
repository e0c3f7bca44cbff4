// The time that measuring takes: what there is no way around, and sampling, which can be cut.
#pragma once

#include <algorithm>

namespace cupel::units {

struct TimeNeed {
  double least_s = 0;     ///< with the fewest samples
  double sampling_s = 0;  ///< what all the samples take beyond that

  /// With this share of the sampling, from 0 to 1.
  double at(double share) const { return least_s + share * sampling_s; }

  TimeNeed& operator+=(const TimeNeed& more) {
    least_s += more.least_s;
    sampling_s += more.sampling_s;
    return *this;
  }
};

inline TimeNeed operator*(double times, const TimeNeed& need) {
  return {times * need.least_s, times * need.sampling_s};
}

/// The share of the sampling that there is time for, from 0 to 1.
inline double sampling_share(double time_s, const TimeNeed& need) {
  if (time_s >= need.at(1)) return 1;
  return std::max(0.0, (time_s - need.least_s) / need.sampling_s);
}

}  // namespace cupel::units
