// Benchmarks with known noise, for tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cupel/figures/names.hpp"
#include "cupel/record/record.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::figures {

/// Draws times of processes about `time_s`, log-normal with this sd.
inline std::vector<double> noisy_times(stats::Random& random, int processes, double time_s, double sigma) {
  std::vector<double> times;
  for (int i = 0; i < processes; ++i) times.push_back(time_s * std::exp(sigma * random.normal()));
  return times;
}

/// Makes the rows of a benchmark whose processes have one sample each.
inline std::vector<record::Row> rows_of(const std::string& name, const std::vector<double>& times_s) {
  std::vector<record::Row> rows;
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    record::Row& row = rows.emplace_back();
    row.name = name;
    row.family = family_of(name);
    row.process = static_cast<int>(i);
    record::Series series;
    series.mode = record::Mode::cold;
    series.samples_s = {times_s[i]};
    row.series = {series};
  }
  return rows;
}

inline void append(record::ResultSet& results, std::vector<record::Row> rows) {
  for (record::Row& row : rows) results.rows.push_back(std::move(row));
}

}  // namespace cupel::figures
