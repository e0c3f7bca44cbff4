#include "cupel/gate/document.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace cupel::gate {
namespace {

int number(std::string_view digits) {
  int value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() ? value : -1;
}

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = number(text.substr(0, 4)), month = number(text.substr(5, 2)), day = number(text.substr(8, 2));
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2 ? 1 : 0);
}

record::Pattern compiled(const std::string& text, const record::detail::Path& path, record::detail::Reading& reading) {
  try {
    return record::Pattern(text);
  } catch (const std::invalid_argument& error) {
    reading.problems.add(path, error.what());
    throw;
  }
}

void require_version_1(record::detail::Fields& fields, std::string_view key) {
  int version = 0;
  fields.read_required(key, version);
  if (version == 1) return;
  fields.reading().problems.add(record::detail::Path(fields.path(), key), "must be 1, the version this cupel reads");
}

record::detail::Value keys_value(const std::vector<figures::Key>& keys) {
  using namespace record::detail;
  Array list;
  for (const figures::Key& key : keys) {
    if (!key.value) continue;
    list.push_back(Value{Object{{"name", Value{key.name}},
                                {"value", Value{*key.value}},
                                {"hard", Value{key.hardness == figures::Hardness::hard}}}});
  }
  return Value{std::move(list)};
}

figures::Key read_key(const record::detail::Value& value, const record::detail::Path& path,
                      record::detail::Reading& reading) {
  record::detail::Fields fields(value, path, reading);
  figures::Key key;
  bool hard = false;
  fields.read_required("name", key.name);
  fields.read("value", key.value);
  fields.read("hard", hard);
  fields.finish();
  key.hardness = hard ? figures::Hardness::hard : figures::Hardness::soft;
  return key;
}

}  // namespace cupel::gate
