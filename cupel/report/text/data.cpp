#include "cupel/report/text/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/wrap.hpp"

namespace cupel::report {
namespace {

std::string text_of(const Json& value, const std::string& between) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_array()) return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), between));
  if (!value.is_number_float()) return value.is_null() ? "" : value.dump();
  return std::isfinite(value.get<double>()) ? fmt::format("{}", value.get<double>()) : "";
}

}  // namespace

std::string csv(const Json& objects, const std::string& columns, const std::string& between) {
  std::vector<std::string> titles;
  std::vector<Json::json_pointer> members;
  for (const std::string& column : split(columns, ',')) {
    const std::size_t parted = column.find('=');
    titles.push_back(column.substr(0, parted));
    std::ranges::replace(titles.back(), '/', '_');
    members.emplace_back("/" + (parted == column.npos ? column : column.substr(parted + 1)));
  }
  std::string text = fmt::format("{}\n", fmt::join(titles, ","));
  for (const Json& object : objects) {
    std::vector<std::string> fields;
    for (const auto& member : members) {
      const Json value = object.contains(member) ? object.at(member) : Json();
      fields.push_back(value.is_number() ? text_of(value, between) : csv_field(text_of(value, between)));
    }
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

}  // namespace cupel::report
