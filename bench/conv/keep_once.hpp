// One sample a process, of what happens only once in it.
#pragma once

#include <utility>

#include "cupel/harness/run.hpp"

namespace cupel::bench::conv {

/// Keeps a host time in the round in which it was taken: the first call with this flag, which starts as false.
inline void keep_once(bool& kept, double time_s) {
  if (std::exchange(kept, true)) return;
  record::Series series;
  series.samples_s = {time_s};
  harness::keep({.items = 1}, std::move(series), time_s);
}

}  // namespace cupel::bench::conv
