#include "cupel/record/record.hpp"

#include <algorithm>

#include "cupel/record/visit.hpp"

namespace cupel::record {
namespace {

template <typename E>
const char* name_of(E value) {
  return detail::names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace

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

void add_note(Row& row, const std::string& text) { row.note += (row.note.empty() ? "" : "; ") + text; }

std::string processes_text(const RunInfo& run) {
  const std::string all = std::to_string(run.processes) + (run.processes == 1 ? " process" : " processes");
  return run.whole_processes ? "unfinished: " + std::to_string(*run.whole_processes) + " of " + all : all;
}

const char* to_string(Status status) { return name_of(status); }
const char* to_string(Role role) { return name_of(role); }
const char* to_string(Mode mode) { return name_of(mode); }
const char* to_string(Stop stop) { return name_of(stop); }
const char* to_string(Engine engine) { return name_of(engine); }
const char* to_string(Better better) { return name_of(better); }

}  // namespace cupel::record
