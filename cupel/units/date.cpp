#include "cupel/units/date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "cupel/units/parse.hpp"

namespace cupel::units {
namespace {

// Takes a text apart from its beginning.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }

  // The first letter, if it is one of these.
  char one_of(std::string_view letters) {
    if (text_.empty() || letters.find(text_.front()) == std::string_view::npos) return 0;
    const char letter = text_.front();
    text_.remove_prefix(1);
    return letter;
  }

  // Two digits of at most that value; -1 where they are none.
  int two_digits(int most) {
    const std::string_view digits = text_.substr(0, 2);
    const bool are_digits =
        digits.size() == 2 && std::ranges::all_of(digits, [](char letter) { return letter >= '0' && letter <= '9'; });
    const int value = are_digits ? number<int>(digits).value_or(-1) : -1;
    if (value < 0 || value > most) return -1;
    text_.remove_prefix(2);
    return value;
  }

  void drop_fraction() {
    if (one_of(".") == 0) return;
    while (one_of("0123456789") != 0) {
    }
  }

 private:
  std::string_view text_;
};

// Seconds since midnight; -1 where it is no time. is_leap: the last of them is a leap second.
int seconds_of(Rest& rest, bool& is_leap) {
  const int hours = rest.two_digits(23);
  if (hours < 0 || rest.one_of(":") == 0) return -1;
  const int minutes = rest.two_digits(59);
  if (minutes < 0) return -1;
  const int seconds = rest.one_of(":") != 0 ? rest.two_digits(60) : 0;
  is_leap = seconds == 60;
  rest.drop_fraction();
  return seconds < 0 ? -1 : hours * 3600 + minutes * 60 + seconds;
}

// Seconds that the clock is ahead of UTC; nothing where that cannot be read.
std::optional<int> offset_of(Rest& rest) {
  if (rest.empty() || (rest.one_of("Zz") != 0 && rest.empty())) return 0;
  const char sign = rest.one_of("+-");
  const int hours = sign == 0 ? -1 : rest.two_digits(14);
  rest.one_of(":");
  const int minutes = rest.empty() ? 0 : rest.two_digits(59);
  if (hours < 0 || minutes < 0 || !rest.empty()) return std::nullopt;
  return (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace

std::optional<std::string> utc_of(std::string_view date) {
  std::string day(date.substr(0, 10));
  std::ranges::replace(day, '/', '-');
  if (!is_date(day)) return std::nullopt;
  Rest rest(date.substr(10));
  if (rest.empty()) return day;
  if (rest.one_of("Tt -") == 0) return std::nullopt;
  bool is_leap = false;
  const int seconds = seconds_of(rest, is_leap);
  const std::optional<int> offset = seconds < 0 ? std::nullopt : offset_of(rest);
  if (!offset) return std::nullopt;
  using namespace std::chrono;
  const year_month_day local{year(*number<int>(day.substr(0, 4))), month(*number<unsigned>(day.substr(5, 2))),
                             std::chrono::day(*number<unsigned>(day.substr(8, 2)))};
  const sys_seconds utc = sys_days(local) + std::chrono::seconds(seconds - *offset);
  if (is_leap && utc != floor<days>(utc)) return std::nullopt;  // leap seconds are the last of a day in UTC
  const year_month_day utc_day(floor<days>(utc));
  const hh_mm_ss time(utc - floor<days>(utc));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(utc_day.year()),
                static_cast<unsigned>(utc_day.month()), static_cast<unsigned>(utc_day.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text.data();
}

}  // namespace cupel::units
