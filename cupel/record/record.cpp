#include "cupel/record/record.hpp"

#include <algorithm>

namespace cupel::record {

std::int64_t Workload::amount(std::string_view quantity) const {
  if (quantity == "bytes") return bytes();
  if (quantity == "flops") return flops;
  return quantity == "items" ? items : 0;
}

std::vector<double> Series::corrected_s() const {
  std::vector<double> corrected;
  corrected.reserve(samples_s.size());
  for (const double sample : samples_s) {
    corrected.push_back(std::max(0.0, sample - correction_s));
  }
  return corrected;
}

std::string time_text(const RunInfo& run) {
  const bool is_span = run.joined_files > 1 && !run.finished.empty();
  return is_span ? run.started + " to " + run.finished : run.started;
}

void add_note(Row& row, const std::string& text) { row.note += (row.note.empty() ? "" : "; ") + text; }

std::string processes_text(const RunInfo& run) {
  const std::string all = std::to_string(run.processes) + (run.processes == 1 ? " process" : " processes");
  return run.whole_processes ? "unfinished: " + std::to_string(*run.whole_processes) + " of " + all : all;
}

}  // namespace cupel::record
