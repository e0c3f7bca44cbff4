#include "cupel/runner/pace.hpp"

#include <algorithm>
#include <numeric>

namespace cupel::runner {
namespace {

// Seconds of a Google Benchmark for each of the run that it reports: the runs before, of a tenth of the calls each or
// more, found out how many calls it takes. The last of them takes a hundredth to seven tenths of what is reported.
constexpr double kSearched = 1.3;

// Seconds of a benchmark in its process.
double said_s(const GateProgram& program, const record::Row& row) {
  if (row.wall_s > 0) return row.wall_s;
  double sampled_s = 0;
  for (const record::Series& series : row.series) {
    sampled_s += std::accumulate(series.samples_s.begin(), series.samples_s.end(), 0.0) *
                 static_cast<double>(series.calls_per_sample);
  }
  return program.foreign ? kSearched * sampled_s : sampled_s;
}

}  // namespace

void Pace::add(const GateProgram& program, const std::vector<record::Row>& rows, double wall_s) {
  if (rows.empty()) return;
  std::vector<double> said;
  for (const record::Row& row : rows) said.push_back(said_s(program, row));
  const double all_s = std::accumulate(said.begin(), said.end(), 0.0);
  const double share = all_s > wall_s ? wall_s / all_s : 1;  // threads count their time each
  for (std::size_t i = 0; i < rows.size(); ++i) benchmarks_[rows[i].name].add(share * said[i]);
  start_.add(std::max(0.0, wall_s - all_s));
}

double Pace::start_s(const GateProgram& program) const {
  return start_.count > 0 ? start_.value() : start_seconds(program);
}

double Pace::benchmark_s(const GateProgram& program, const GateName& name) const {
  const auto found = benchmarks_.find(name.shown);
  return found == benchmarks_.end() ? expected_seconds(program, name) : found->second.value();
}

}  // namespace cupel::runner
