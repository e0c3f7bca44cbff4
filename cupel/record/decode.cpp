#include "cupel/record/decode.hpp"

#include <algorithm>
#include <limits>

#include "cupel/record/visit.hpp"
#include "cupel/units/date.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/nearest.hpp"

namespace cupel::record::detail {
namespace {

std::string must_be(const std::string& wanted, const Json& value) {
  return "must be " + wanted + ", is " + kind(value);
}

bool is_time(const std::string& text) { return units::utc_of(text).has_value(); }

constexpr double kUint64End = 18446744073709551616.0;  // 2^64

// A count from 0 to `largest`. 5.0 is one too: some tools write every number so.
template <typename Count>
void read_count(const Json& value, const Path& path, Reading& reading, Count& target) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<Count>::max());
  const bool is_real = value.is_number_float();
  const double real = is_real ? value.get<double>() : 0;
  if (!value.is_number() || real != std::trunc(real)) {
    reading.problems.add(path, must_be("a whole number", value));
  } else if (real < 0 || (value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0)) {
    reading.problems.add(path, "must not be negative");
  } else if (real >= kUint64End ||
             (is_real ? static_cast<std::uint64_t>(real) : value.get<std::uint64_t>()) > kLargest) {
    reading.problems.add(path, "is too large");
  } else {
    target = is_real ? static_cast<Count>(real) : value.get<Count>();
  }
}

// "is missing: add "cupel_gate_policy": 1".
std::string missing_text(std::string_view key, Rule rule) {
  if (rule.only_value == 0) return "is missing";
  return "is missing: add \"" + std::string(key) + "\": " + std::to_string(rule.only_value);
}

// "is not a known key; did you mean busy?".
std::string unknown_text(const std::string& key, const std::vector<std::string>& known) {
  const std::string meant = units::meant_by(key, known);
  return "is not a known key; " + (meant.empty() ? "known are " + units::joined(known) : "did you mean " + meant + "?");
}

}  // namespace

Json::json_pointer Path::pointer() const {
  if (parent_ == nullptr) return Json::json_pointer();
  return index_ ? parent_->pointer() / *index_ : parent_->pointer() / std::string(key_);
}

void Problems::add(const Path& where, std::string_view what) {
  std::string problem = printable(place_text(where.pointer()) + std::string(what));
  if (!collect_) {
    throw Invalid{std::move(problem)};
  }
  if (found_.size() < kMost) found_.push_back(std::move(problem));
}

FieldReader::FieldReader(const Json& value, const Path& path, Reading& reading) : path_(path), reading_(reading) {
  if (!check_object(value, path, reading)) return;
  object_ = value.get_ptr<const Json::object_t*>();
  taken_.resize(object_->size());
}

const Json* FieldReader::take(std::string_view key, Rule rule) {
  if (object_ == nullptr) return nullptr;
  if (reading_.refuses_unknown) known_.emplace_back(key);
  const Json* value = find(key);
  if (value != nullptr && !value->is_null()) return value;
  if (rule.required) refuse(key, missing_text(key, rule));
  return nullptr;
}

const Json* FieldReader::find(std::string_view key) {
  for (std::size_t i = 0; i < taken_.size(); ++i, ++next_) {
    if (next_ >= taken_.size()) next_ = 0;
    const auto& [name, value] = object_->begin()[static_cast<std::ptrdiff_t>(next_)];
    if (name == key) {
      taken_[next_] = true;
      return &value;
    }
  }
  return nullptr;
}

void FieldReader::finish() {
  if (object_ == nullptr) return;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    const auto& [key, value] = object_->begin()[static_cast<std::ptrdiff_t>(i)];
    if (reading_.refuses_unknown) refuse(key, unknown_text(key, known_));
    const std::size_t skipped = reading_.root == nullptr ? 0 : reading_.root->pointer().to_string().size();
    reading_.keep(Path(path_, key).pointer().to_string().substr(skipped), value);
  }
}

void decode(const Json& value, const Path& path, Reading& reading, bool& target, Rule) {
  if (value.is_boolean()) {
    target = value.get<bool>();
  } else {
    reading.problems.add(path, must_be("true or false", value));
  }
}

void decode(const Json& value, const Path& path, Reading& reading, int& target, Rule) {
  read_count(value, path, reading, target);
}

void decode(const Json& value, const Path& path, Reading& reading, std::int64_t& target, Rule) {
  read_count(value, path, reading, target);
}

void decode(const Json& value, const Path& path, Reading& reading, std::uint64_t& target, Rule) {
  read_count(value, path, reading, target);
}

void decode(const Json& value, const Path& path, Reading& reading, double& target, Rule rule) {
  if (!value.is_number()) {
    reading.problems.add(path, must_be("a number", value));
  } else if (const double number = value.get<double>(); number < 0 && !rule.any_sign) {
    reading.problems.add(path, "must not be negative");
  } else {
    target = number;
  }
}

void decode(const Json& value, const Path& path, Reading& reading, std::string& target, Rule rule) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text == nullptr) {
    reading.problems.add(path, must_be("a string", value));
  } else if (text->empty() && rule.not_empty) {
    reading.problems.add(path, "must not be empty");
  } else if (rule.is_time && !text->empty() && !is_time(*text)) {
    reading.problems.add(path, "must be a time that there is, as 2026-11-20T06:35:00Z");
  } else if (check_text(*text, path, reading)) {
    target = *text;
  }
}

// Called by its whole name: an unqualified visit() would also find std::visit().
void decode(const Json& value, const Path& path, Reading& reading, std::pair<std::string, std::string>& param, Rule) {
  FieldReader fields(value, path, reading);
  detail::visit(fields, param);
  fields.finish();
}

Json encode(const std::pair<std::string, std::string>& param) {
  FieldWriter fields;
  detail::visit(fields, param);
  return fields.take();
}

std::optional<std::size_t> read_name(const Json& value, const Path& path, Reading& reading,
                                     std::span<const char* const> names) {
  const auto* text = value.get_ptr<const std::string*>();
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text != nullptr && *text == names[i]) return i;
    known += (i > 0 ? ", " : "") + std::string(names[i]);
  }
  reading.problems.add(path, "must be one of " + known);
  return std::nullopt;
}

bool check_list(const Json& value, const Path& path, Reading& reading) {
  if (!value.is_array()) reading.problems.add(path, must_be("a list", value));
  return value.is_array();
}

bool check_object(const Json& value, const Path& path, Reading& reading) {
  if (!value.is_object()) reading.problems.add(path, must_be("an object", value));
  return value.is_object();
}

bool check_text(std::string_view text, const Path& path, Reading& reading) {
  if (has_control(text)) {
    reading.problems.add(path, "holds a control character");
    return false;
  }
  return true;
}

void check(const Series& series, const Path& path, Reading& reading) {
  if (series.calls_per_sample < 1) reading.problems.add(Path(path, "calls_per_sample"), "must be at least 1");
  std::uint64_t total = 0;
  for (const std::int64_t size : series.round_sizes) {
    total += std::min<std::uint64_t>(static_cast<std::uint64_t>(size), series.samples_s.size() + 1);
  }
  if (!series.round_sizes.empty() && total != series.samples_s.size()) {
    reading.problems.add(Path(path, "round_sizes"), "must add up to the number of samples_s");
  }
  for (const std::vector<double>& of_rank : series.samples_by_rank_s) {
    if (of_rank.size() == series.samples_s.size()) continue;
    reading.problems.add(Path(path, "samples_by_rank_s"), "must have as many of each rank as there are samples_s");
    return;
  }
}

void check(const Workload& work, const Path& path, Reading& reading) {
  constexpr std::int64_t kLargest = INT64_MAX / 4;  // so that their sum is a number too
  if (work.bytes_read > kLargest || work.bytes_written > kLargest || work.bytes_moved > kLargest) {
    reading.problems.add(path, "holds a number of bytes that is too large");
  }
}

void check(const Row& row, const Path& path, Reading& reading) {
  if (row.status != Status::ok && !row.series.empty()) {
    reading.problems.add(Path(path, "series"), std::string("must be empty when status is ") + to_string(row.status));
  }
}

bool FieldWriter::says_something(const Json& value, Rule rule) {
  if (value.is_null()) return false;
  if (const auto* text = value.get_ptr<const std::string*>())
    return !text->empty() && (!rule.is_time || is_time(*text));
  if (value.is_array()) return !value.empty();
  const bool is_zero = value == 0 || value == false;
  return !(rule.zero_is_absent && is_zero);
}

}  // namespace cupel::record::detail
