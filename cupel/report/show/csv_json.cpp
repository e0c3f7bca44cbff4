#include "cupel/report/show/csv_json.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>

namespace cupel::report {
namespace {

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

std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (byte < 0x20) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string json_strings(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + json_string(text);
  return list + "]";
}

// One object, member by member.
class Object {
 public:
  void add(const char* key, const std::string& json) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", json_string(key), json);
  }
  void add_string(const char* key, const std::string& text) {
    if (!text.empty()) add(key, json_string(text));
  }
  void add_number(const char* key, const std::optional<double>& value) {
    if (const std::string text = number(value); !text.empty()) add(key, text);
  }
  std::string str() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string numbers(const std::vector<double>& values) {
  std::string list = "[";
  for (const double value : values) list += (list.size() > 1 ? ", " : "") + number(value);
  return list + "]";
}

std::string counters(const figures::Figure& summary) {
  Object all;
  for (const figures::CounterValue& counter : summary.counters) {
    Object one;
    one.add_number("value", counter.value);
    one.add_string("unit", counter.unit);
    all.add(counter.name.c_str(), one.str());
  }
  return all.str();
}

std::string object(const figures::Figure& summary) {
  Object params, result;
  for (const auto& [key, value] : summary.params) params.add_string(key.c_str(), value);
  result.add_string("name", summary.name);
  result.add_string("family", summary.family);
  result.add_string("operation", summary.operation);
  result.add("params", params.str());
  result.add_string("mode", record::to_string(summary.mode));
  result.add("figure", summary.is_main ? "true" : "false");
  result.add("ok", std::to_string(summary.ok));
  result.add("skipped", std::to_string(summary.skipped));
  result.add("failed", std::to_string(summary.failed));
  result.add_string("reason", summary.reason);
  if (summary.time) {
    result.add_number("time_s", summary.time->location_s);
    result.add_number("low_s", summary.time->low_s);
    result.add_number("high_s", summary.time->high_s);
    if (summary.time->low_s) {
      result.add_number("level", summary.time->level);
      result.add_string("interval", summary.time->across_processes ? "processes" : "samples");
    }
    result.add("processes_s", numbers(summary.time->processes_s));
  }
  if (summary.rate) {
    result.add_string("quantity", summary.rate->quantity);
    result.add_number("per_second", summary.rate->per_second);
    result.add_number("limit_per_second", summary.rate->limit_per_second);
    result.add_number("share_of_limit", summary.rate->share_of_limit());
  }
  result.add_string("limit", (summary.limit ? summary.limit->name : ""));
  result.add("advice", json_strings(summary.advice));
  result.add("flags", json_strings(summary.caveats));
  result.add("counters", counters(summary));
  result.add_string("note", summary.note);
  return result.str();
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
  std::string text = "[";
  for (const figures::Figure& summary : summaries) text += (text.size() > 1 ? ",\n " : "\n ") + object(summary);
  return text + (summaries.empty() ? "]\n" : "\n]\n");
}

}  // namespace cupel::report
