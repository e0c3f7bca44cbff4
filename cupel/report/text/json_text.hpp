// JSON written member by member, for programs to read: shortest digits that read back as the same double, in any
// locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::report {

/// "null" where there is no value, or it is not finite.
std::string json_number(const std::optional<double>& value);

std::string json_list(const std::vector<std::string>& elements);

std::string json_strings(const std::vector<std::string>& texts);

/// One object. Members stand in the order in which they are added.
class JsonObject {
 public:
  /// json: a value as it is to stand there.
  JsonObject& raw(std::string_view key, std::string_view json);
  JsonObject& text(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, const std::optional<double>& value);
  JsonObject& whole(std::string_view key, std::int64_t value);
  JsonObject& flag(std::string_view key, bool value);

  std::string str() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace cupel::report
