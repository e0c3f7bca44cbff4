#include "cupel/gate/document.hpp"

#include <array>
#include <stdexcept>

#include "cupel/units/parse.hpp"

namespace cupel::gate {
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    return units::number<int>(text.substr(at, digits)).value_or(-1);
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2 ? 1 : 0);
}

std::vector<figures::Key> known(std::vector<figures::Key> keys) {
  std::erase_if(keys, [](const figures::Key& key) { return !key.value; });
  return keys;
}

}  // namespace cupel::gate

void cupel::record::detail::decode(const Json& value, const Path& path, Reading& reading, Pattern& target, Rule) {
  std::string text;
  decode(value, path, reading, text);
  try {
    target = Pattern(text);
  } catch (const std::invalid_argument& error) {
    reading.problems.add(path, error.what());
  }
}
