// The gate for services that keep histories, in their own formats; what they draw as a band is one sd between
// processes.
#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <utility>

#include "cupel/gate/words.hpp"
#include "cupel/record/json_text.hpp"
#include "cupel/report/gate/exports.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {

using record::detail::Json;
using record::detail::lines;

namespace {

bool has_time(const gate::GateRow& row) {
  const std::optional<double>& value = row.row.contender.value;
  return row.row.metric.empty() && value && std::isfinite(*value);
}

constexpr double kNanoseconds = 1e9;

}  // namespace

std::string gate_custom_smaller_is_better(const gate::GateReport& report) {
  Json list = Json::array();
  for (const gate::GateRow& row : report.result.rows) {
    if (!has_time(row)) continue;
    Json object{{"name", gate_name(row)}, {"unit", "ns"}, {"value", *row.row.contender.value * kNanoseconds}};
    if (row.row.sigma) object["range"] = "+- " + units::format_percent(*row.row.sigma);
    object["extra"] = fmt::format("{} {}", verdict_text(row), gate::change_text(row.row));
    list.push_back(std::move(object));
  }
  return lines(list, 1) + "\n";
}

std::string gate_bencher(const gate::GateReport& report) {
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
