#include "bench/step/child_report.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cupel/harness/child_process.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::step {
namespace {

using nlohmann::json;

constexpr std::size_t kMostWords = 200;  // of a line that says why

// ": why", or where to look for it.
std::string why(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "; what it said is on stderr";
  const std::size_t before = text.find_last_of('\n', end), begin = before == std::string::npos ? 0 : before + 1;
  return ": " + text.substr(begin, std::min(end + 1 - begin, kMostWords));
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
  const harness::ChildOutput output = harness::run_child(program, arguments, harness::environment(), limit_s);
  if (output.exit_code == kExitNoDevice) {
    harness::skip("a second process may not use the device (compute mode exclusive?)" + why(output.text));
  }
  if (output.exit_code == kExitNoCupti) harness::skip("CUPTI cannot be used" + why(output.text));

  const std::string name = std::filesystem::path(program).filename();
  if (output.exit_code != 0) {
    throw std::runtime_error(name + " " + ending_of(output) + (output.exit_code < 128 ? why(output.text) : ""));
  }
  try {
    return child_report_from(output.text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
}

}  // namespace cupel::bench::step
