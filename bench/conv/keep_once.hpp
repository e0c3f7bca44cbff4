// Host times of what is too dear or too rare for a sampler: one sample a round, or one a process.
#pragma once

#include "cupel/harness/run.hpp"

namespace cupel::bench::conv {

/// Keeps a host time as this round's only sample.
inline void keep_one(const record::Workload& work, double time_s) {
  record::Series series;
  series.samples_s = {time_s};
  harness::keep(work, std::move(series), time_s);
}

/// Keeps a host time of which there is one a process: in the first round of the benchmark that runs.
inline void keep_once(const record::Workload& work, double time_s) {
  if (harness::calls_of_earlier_rounds(record::Mode::host) == 0) keep_one(work, time_s);
}

}  // namespace cupel::bench::conv
