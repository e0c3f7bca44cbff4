#include "cupel/record/json_number.hpp"

namespace cupel::record::detail {
namespace {

bool is_digit(const char* at, const char* end) { return at != end && *at >= '0' && *at <= '9'; }

// Behind the digits; null where there is none.
const char* behind_digits(const char* at, const char* end) {
  if (!is_digit(at, end)) return nullptr;
  while (is_digit(at, end)) ++at;
  return at;
}

// Behind the digits of a whole number, which has no 0 ahead of others.
const char* behind_whole(const char* at, const char* end) {
  if (at != end && *at == '0') return is_digit(at + 1, end) ? nullptr : at + 1;
  return behind_digits(at, end);
}

const char* behind_exponent(const char* at, const char* end) {
  if (at != end && (*at == '-' || *at == '+')) ++at;
  return behind_digits(at, end);
}

}  // namespace

Number number_at(std::string_view text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  const char* const whole = behind_whole(text.starts_with('-') ? begin + 1 : begin, end);
  const char* at = whole;
  if (at != nullptr && at != end && *at == '.') at = behind_digits(at + 1, end);
  if (at != nullptr && at != end && (*at == 'e' || *at == 'E')) at = behind_exponent(at + 1, end);
  if (at == nullptr) return {};
  return {static_cast<std::size_t>(at - begin), at == whole};
}

bool begins_number(std::string_view text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  const char* const whole = behind_whole(text.starts_with('-') ? begin + 1 : begin, end);
  return whole != nullptr && (whole == end || *whole != '.' || is_digit(whole + 1, end));
}

}  // namespace cupel::record::detail
