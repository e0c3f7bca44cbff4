#include "cupel/record/canonical.hpp"

#include <algorithm>
#include <array>

#include "cupel/record/json_number.hpp"
#include "cupel/record/visit.hpp"
#include "cupel/units/date.hpp"

namespace cupel::record::detail {
namespace {

// The characters of a string that stand for themselves.
constexpr auto kPlain = [] {
  std::array<bool, 256> is_plain{};
  for (int c = ' '; c <= '~'; ++c) is_plain[c] = c != '"' && c != '\\';
  return is_plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

double read_double(CanonicalText& text, Rule rule) {
  const double value = text.number();
  if (value < 0 && !rule.any_sign) text.refuse();
  return value;
}

}  // namespace

bool CanonicalText::has_ended() {
  pass_blanks();
  return fits_ && rest_.empty();
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

double CanonicalText::number() {
  pass_blanks();
  double value = 0;
  const bool begins = fits_ && begins_number(rest_);
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + (begins ? rest_.size() : 0), value);
  if (error != std::errc()) return refuse(), 0;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::string_view CanonicalText::whole_number() {
  pass_blanks();
  const Number number = fits_ ? number_at(rest_) : Number{};
  const std::string_view found = rest_.substr(0, number.size);
  if (found.empty() || !number.is_whole || found.front() == '-') return refuse(), std::string_view();
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
