// The gate for other people's tools.
#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "cupel/record/json_text.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

using record::detail::Json;
using record::detail::lines;

// GitHub shows ten annotations of a kind for each step; the rest are in the other outputs.
constexpr std::size_t kAnnotations = 10;

// Escapes the characters that part a workflow command. Source: actions/toolkit, command.ts.
std::string command_data(const std::string& text) { return replaced(shorten(text, 1000), {{'%', "%25"}}); }

std::string command_property(const std::string& text) {
  return replaced(command_data(text), {{':', "%3A"}, {',', "%2C"}});
}

std::string command(const char* level, const std::string& title, const std::string& text) {
  return fmt::format("::{} title={}::{}\n", level, command_property(title), command_data(text));
}

bool has_time(const gate::GateRow& row) {
  const std::optional<double>& value = row.row.contender.value;
  return row.row.metric.empty() && value && std::isfinite(*value);
}

constexpr double kNanoseconds = 1e9;

}  // namespace

std::string gate_annotations(const GateReport& report) {
  std::string out;
  std::size_t shown = 0;
  const gate::GateResult& result = report.result;
  for (const gate::GateRow* row : worst_first(result)) {
    if (row->outcome != gate::Outcome::regression && row->outcome != gate::Outcome::incomplete) continue;
    if (++shown >= kAnnotations) break;
    out += command("error", gate_name(*row),
                   fmt::format("{} {} {}", verdict_text(*row), change_text(row->row), remark(*row)));
  }
  const bool passed = result.outcome == gate::Outcome::passed;
  return out + command(passed ? "notice" : "error", "cupel gate", headline(result) + ": " + counts_text(result));
}

std::string gate_custom_smaller_is_better(const GateReport& report) {
  Json list = Json::array();
  for (const gate::GateRow& row : report.result.rows) {
    if (!has_time(row)) continue;
    Json object{{"name", gate_name(row)}, {"unit", "ns"}, {"value", *row.row.contender.value * kNanoseconds}};
    if (row.row.sigma) object["range"] = "+- " + units::format_percent(*row.row.sigma);
    object["extra"] = fmt::format("{} {}", verdict_text(row), change_text(row.row));
    list.push_back(std::move(object));
  }
  return lines(list, 1) + "\n";
}

std::string gate_bencher(const GateReport& report) {
  Json root = Json::object();
  for (const gate::GateRow& row : report.result.rows) {
    if (!has_time(row)) continue;
    const double value = *row.row.contender.value * kNanoseconds;
    Json metric{{"value", value}};
    if (row.row.sigma) {
      metric["lower_value"] = value * std::exp(-*row.row.sigma);
      metric["upper_value"] = value * std::exp(*row.row.sigma);
    }
    root[gate_name(row)]["latency"] = std::move(metric);
  }
  return lines(root, 1) + "\n";
}

}  // namespace cupel::report
