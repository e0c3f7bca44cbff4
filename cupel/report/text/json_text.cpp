#include "cupel/report/text/json_text.hpp"

#include <fmt/core.h>

#include <cmath>

#include "cupel/report/text/escape.hpp"

namespace cupel::report {

std::string json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "null";
}

std::string json_list(const std::vector<std::string>& elements) {
  std::string list = "[";
  for (const std::string& element : elements) {
    if (list.size() > 1) list += ", ";
    list += element;
  }
  return list + "]";
}

std::string json_strings(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(json_string(text));
  return json_list(quoted);
}

JsonObject& JsonObject::raw(std::string_view key, std::string_view json) {
  if (!members_.empty()) members_ += ", ";
  members_ += json_string(key);
  members_ += ": ";
  members_ += json;
  return *this;
}

JsonObject& JsonObject::text(std::string_view key, std::string_view value) { return raw(key, json_string(value)); }

JsonObject& JsonObject::number(std::string_view key, const std::optional<double>& value) {
  return raw(key, json_number(value));
}

JsonObject& JsonObject::whole(std::string_view key, std::int64_t value) { return raw(key, std::to_string(value)); }

JsonObject& JsonObject::flag(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }

}  // namespace cupel::report
