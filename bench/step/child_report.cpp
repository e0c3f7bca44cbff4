#include "bench/step/child_report.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cupel/harness/run.hpp"
#include "cupel/host/child.hpp"

namespace cupel::bench::step {
namespace {

using nlohmann::json;

// Returns the child's last line on stdout, else on stderr.
std::string why(const host::ChildResult& child) {
  const std::string told = host::last_line(child.output_text);
  return told.empty() ? host::with_last_words("", child) : ": " + told;
}

}  // namespace

// JSON has no NaN: it is written as null.
std::string to_text(const ChildReport& report) {
  return json{{"recorded_steps", report.recorded_steps}, {"loss", report.loss}, {"samples_s", report.samples_s}}.dump();
}

ChildReport child_report_from(std::string_view text) try {
  const json all = json::parse(text);
  ChildReport report;
  all.at("recorded_steps").get_to(report.recorded_steps);
  report.loss = all.at("loss").is_null() ? std::numeric_limits<double>::quiet_NaN() : all.at("loss").get<double>();
  all.at("samples_s").get_to(report.samples_s);
  if (!std::ranges::all_of(report.samples_s, [](double sample_s) { return sample_s > 0; })) {
    throw std::runtime_error("its report has a time that is not above zero");
  }
  return report;
} catch (const json::exception& error) {
  throw std::runtime_error(std::string("its output is no report: ") + error.what());
}

ChildReport report_of_child(const std::string& program, const std::vector<std::string>& arguments, double limit_s) {
  const host::ChildResult child =
      host::run_child({.program = program, .arguments = arguments, .time_limit_s = limit_s, .keep_bytes = 1 << 20});
  if (host::exited_with(child, kExitNoDevice)) {
    harness::skip("a second process may not use the device (compute mode exclusive?)" + why(child));
  }
  if (host::exited_with(child, kExitNoCupti)) harness::skip("CUPTI cannot be used" + why(child));
  if (host::exited_with(child, kExitCannotRun)) harness::skip("the profiled step cannot run here" + why(child));

  const std::string name = std::filesystem::path(program).filename();
  if (!host::exited_with(child, 0)) {
    throw std::runtime_error(name + ": " + host::ending_text(child) +
                             (child.ending == host::Ending::exited ? why(child) : ""));
  }
  try {
    return child_report_from(child.output_text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
}

}  // namespace cupel::bench::step
