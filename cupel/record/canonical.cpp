#include "cupel/record/canonical.hpp"

#include <algorithm>

#include "cupel/record/json_number.hpp"
#include "cupel/record/visit.hpp"
#include "cupel/units/date.hpp"

namespace cupel::record::detail {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// A character of a string that stands for itself.
bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

double read_double(CanonicalText& text, Rule rule) {
  const std::string_view digits = text.number(false);
  double value = 0;
  const bool is_read = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
  if (!is_read || (value < 0 && !rule.any_sign)) text.refuse();
  return value;
}

}  // namespace

void CanonicalText::pass_blanks() {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
}

bool CanonicalText::has_ended() {
  pass_blanks();
  return fits_ && rest_.empty();
}

bool CanonicalText::is_next(char c) {
  pass_blanks();
  return fits_ && rest_.starts_with(c);
}

bool CanonicalText::takes(char c) {
  const bool is_there = is_next(c);
  if (is_there) rest_.remove_prefix(1);
  return is_there;
}

bool CanonicalText::takes_word(std::string_view word) {
  const bool is_there = is_next(word.front()) && rest_.starts_with(word);
  if (is_there) rest_.remove_prefix(word.size());
  return is_there;
}

std::string_view CanonicalText::string() {
  expect('"');
  if (!fits_) return {};
  const auto end = std::ranges::find_if_not(rest_, is_plain);
  const std::string_view found = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
  rest_.remove_prefix(found.size());
  if (!rest_.starts_with('"')) return refuse(), std::string_view();
  rest_.remove_prefix(1);
  return found;
}

std::string_view CanonicalText::number(bool whole) {
  pass_blanks();
  const Number number = fits_ ? number_at(rest_) : Number{};
  const std::string_view found = rest_.substr(0, number.size);
  if (found.empty() || (whole && (!number.is_whole || found.front() == '-'))) return refuse(), std::string_view();
  rest_.remove_prefix(found.size());
  return found;
}

void decode(CanonicalText& text, bool& target, Rule) {
  target = text.takes_word("true");
  if (!target && !text.takes_word("false")) text.refuse();
}

void decode(CanonicalText& text, double& target, Rule rule) { target = read_double(text, rule); }

void decode(CanonicalText& text, std::string& target, Rule rule) {
  target = text.string();
  const bool is_refused = target.empty() ? rule.not_empty : rule.is_time && !units::utc_of(target);
  if (is_refused) text.refuse();
}

// Samples are most of a result: none of their memory is spare.
void decode(CanonicalText& text, std::vector<double>& target, Rule rule) {
  std::vector<double>& numbers = text.scratch();
  numbers.clear();
  text.elements('[', ']', [&] { numbers.push_back(read_double(text, rule)); });
  target.assign(numbers.begin(), numbers.end());
}

// By its whole name: an unqualified visit() would also find std::visit().
void decode(CanonicalText& text, std::pair<std::string, std::string>& param, Rule) {
  CanonicalFields fields(text);
  detail::visit(fields, param);
  fields.finish();
}

}  // namespace cupel::record::detail
