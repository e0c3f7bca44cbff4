#include "cupel/report/show/csv_json.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "cupel/record/json_text.hpp"

namespace cupel::report {
namespace {

using record::detail::Json;
using record::detail::lines;
using record::detail::put;

std::string number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ";") + part;
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

Json counters(const figures::Figure& summary) {
  Json all = Json::object();
  for (const figures::CounterValue& counter : summary.counters) {
    Json one = Json::object();
    put(one, "value", counter.value);
    put(one, "unit", counter.unit);
    all[counter.name] = std::move(one);
  }
  return all;
}

Json object(const figures::Figure& summary) {
  Json result, params = Json::object();
  for (const auto& [key, value] : summary.params) put(params, key.c_str(), value);
  put(result, "name", summary.name);
  put(result, "family", summary.family);
  put(result, "operation", summary.operation);
  put(result, "params", params);
  put(result, "mode", record::to_string(summary.mode));
  put(result, "figure", summary.is_main);
  put(result, "ok", summary.ok);
  put(result, "skipped", summary.skipped);
  put(result, "failed", summary.failed);
  put(result, "reason", summary.reason);
  if (summary.time) {
    put(result, "time_s", summary.time->location_s);
    put(result, "low_s", summary.time->low_s);
    put(result, "high_s", summary.time->high_s);
    if (summary.time->low_s) {
      put(result, "level", summary.time->level);
      put(result, "interval", summary.time->across_processes ? "processes" : "samples");
    }
    put(result, "processes_s", summary.time->processes_s);
  }
  if (summary.rate) {
    put(result, "quantity", summary.rate->quantity);
    put(result, "per_second", summary.rate->per_second);
    put(result, "limit_per_second", summary.rate->limit_per_second);
    put(result, "share_of_limit", summary.rate->share_of_limit());
  }
  put(result, "limit", summary.limit ? summary.limit->name : "");
  put(result, "advice", summary.advice);
  put(result, "flags", summary.caveats);
  put(result, "counters", counters(summary));
  put(result, "note", summary.note);
  return result;
}

}  // namespace

std::string csv(const std::vector<figures::Figure>& summaries) {
  std::string text =
      "name,family,mode,figure,ok,skipped,failed,time_s,low_s,high_s,level,interval,quantity,per_second,limit_per_"
      "second,share_of_limit,limit,advice,flags,reason\n";
  for (const figures::Figure& summary : summaries) {
    const figures::Estimate* time = summary.time ? &*summary.time : nullptr;
    const figures::Rate* rate = summary.rate ? &*summary.rate : nullptr;
    const bool interval = time != nullptr && time->low_s.has_value();
    const std::vector<std::string> fields{summary.name,
                                          summary.family,
                                          record::to_string(summary.mode),
                                          summary.is_main ? "1" : "0",
                                          std::to_string(summary.ok),
                                          std::to_string(summary.skipped),
                                          std::to_string(summary.failed),
                                          time != nullptr ? number(time->location_s) : "",
                                          time != nullptr ? number(time->low_s) : "",
                                          time != nullptr ? number(time->high_s) : "",
                                          interval ? number(time->level) : "",
                                          !interval                ? ""
                                          : time->across_processes ? "processes"
                                                                   : "samples",
                                          rate != nullptr ? rate->quantity : "",
                                          rate != nullptr ? number(rate->per_second) : "",
                                          rate != nullptr ? number(rate->limit_per_second) : "",
                                          rate != nullptr ? number(rate->share_of_limit()) : "",
                                          (summary.limit ? summary.limit->name : ""),
                                          join(summary.advice),
                                          join(summary.caveats),
                                          summary.reason};
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(fields[i]);
    text += "\n";
  }
  return text;
}

std::string json(const std::vector<figures::Figure>& summaries) {
  Json list = Json::array();
  for (const figures::Figure& summary : summaries) list.push_back(object(summary));
  return lines(list, 1) + "\n";
}

}  // namespace cupel::report
