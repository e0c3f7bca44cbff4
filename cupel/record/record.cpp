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

std::string processes_text(const RunInfo& run) {
  const std::string all = std::to_string(run.processes) + (run.processes == 1 ? " process" : " processes");
  return run.whole_processes ? "unfinished: " + std::to_string(*run.whole_processes) + " of " + all : all;
}

const char* to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::skipped:
      return "skipped";
    case Status::failed:
      return "failed";
  }
  return "";
}

const char* to_string(Role role) {
  switch (role) {
    case Role::before:
      return "before";
    case Role::after:
      return "after";
    case Role::variant:
      return "variant";
  }
  return "";
}

const char* to_string(Mode mode) {
  switch (mode) {
    case Mode::cold:
      return "cold";
    case Mode::hot:
      return "hot";
    case Mode::host:
      return "host";
    case Mode::sustained:
      return "sustained";
  }
  return "";
}

const char* to_string(Stop stop) {
  switch (stop) {
    case Stop::precision:
      return "precision";
    case Stop::tick:
      return "tick";
    case Stop::count:
      return "count";
    case Stop::wall:
      return "wall";
    case Stop::fixed:
      return "fixed";
  }
  return "";
}

const char* to_string(Engine engine) {
  switch (engine) {
    case Engine::kernel:
      return "kernel";
    case Engine::copy:
      return "copy";
  }
  return "";
}

const char* to_string(Better better) {
  switch (better) {
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
    case Better::none:
      return "none";
  }
  return "";
}

}  // namespace cupel::record
