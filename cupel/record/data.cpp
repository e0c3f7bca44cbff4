#include "cupel/record/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::record::detail {
namespace {

std::string text_of(const Json& value, const std::string& between) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_array()) return units::joined(value.get<std::vector<std::string>>(), between);
  if (!value.is_number_float()) return value.is_null() ? "" : value.dump();
  return std::isfinite(value.get<double>()) ? fmt::format("{}", value.get<double>()) : "";
}

using Member = std::pair<std::string, Json::json_pointer>;  // by its title

std::vector<Member> columns_of(const std::string& columns) {
  std::vector<Member> members;
  for (const std::string& column : units::split(columns, ',')) {
    const std::size_t parted = column.find('=');
    std::string title = column.substr(0, parted);
    std::ranges::replace(title, '/', '_');
    members.emplace_back(std::move(title), "/" + (parted == column.npos ? column : column.substr(parted + 1)));
  }
  return members;
}

}  // namespace

Json picked(const Json& object, const std::string& members) {
  Json result = Json::object();
  for (const auto& [title, member] : columns_of(members)) {
    result[title] = object.contains(member) ? object.at(member) : Json();
  }
  return result;
}

std::string csv(const Json& objects, const std::string& columns, const std::string& between) {
  const std::vector<Member> members = columns_of(columns);
  std::string text;
  for (const auto& [title, member] : members) text += (text.empty() ? "" : ",") + title;
  text += "\n";
  for (const Json& object : objects) {
    std::vector<std::string> fields;
    for (const auto& [title, member] : members) {
      fields.push_back(object.contains(member) ? csv_cell(object.at(member), between) : "");
    }
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

std::string csv_cell(const Json& value, const std::string& between) {
  return value.is_number() ? text_of(value, between) : csv_field(text_of(value, between));
}

std::string csv_field(std::string_view text) {
  const std::string shown = units::visible(text);
  // U+FF1D, U+FF0B, U+FF0D and U+FF20 are the full-width forms, which spreadsheets take for the plain ones.
  for (const char* formula : {"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"}) {
    if (shown.starts_with(formula)) return csv_field("'" + shown);
  }
  if (shown.find_first_of(",\"';") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace cupel::record::detail
