// Host times of what is too dear or too rare for a sampler: one sample a round, or one a process.
#pragma once

#include <utility>

#include "cupel/harness/run.hpp"

namespace cupel::bench::conv {

/// Keeps a host time as this round's only sample.
inline void keep_one(const record::Workload& work, double time_s) {
  record::Series series;
  series.samples_s = {time_s};
  harness::keep(work, std::move(series), time_s);
}

/// Keeps a host time in the round in which it was taken: the first call with this flag, which starts as false.
inline void keep_once(bool& kept, double time_s) {
  if (!std::exchange(kept, true)) keep_one({.items = 1}, time_s);
}

}  // namespace cupel::bench::conv
