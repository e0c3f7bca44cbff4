// Samples of work that several ranks do together.
#pragma once

#include <algorithm>
#include <span>

#include "cupel/record/series.hpp"

namespace cupel::bench::collective {

/// Adds a sample: the seconds that one call took each rank; the row's is the slowest rank's. One that was timed for all
/// ranks together is kept as the row's alone.
inline void add_sample(record::Series& series, std::span<const double> by_rank_s) {
  series.samples_s.push_back(std::ranges::max(by_rank_s));
  if (by_rank_s.size() < 2) return;
  series.samples_by_rank_s.resize(by_rank_s.size());
  for (std::size_t rank = 0; rank < by_rank_s.size(); ++rank) series.samples_by_rank_s[rank].push_back(by_rank_s[rank]);
}

}  // namespace cupel::bench::collective
