#include "bench/sync/child_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace cupel::bench::sync {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChildReport, blocking, launched, ran, launches_per_sample, samples_s)

std::string to_text(const ChildReport& report) { return nlohmann::json(report).dump(); }

ChildReport child_report_from(std::string_view text) try {
  const auto report = nlohmann::json::parse(text).get<ChildReport>();
  const bool are_times = std::ranges::all_of(report.samples_s, [](double sample_s) { return sample_s > 0; });
  if (report.launches_per_sample < 1 || !are_times) throw std::runtime_error("cupel_sync_child: a count or time of 0");
  return report;
} catch (const nlohmann::json::exception& error) {
  throw std::runtime_error(std::string("cupel_sync_child: its output is no report: ") + error.what());
}

}  // namespace cupel::bench::sync
