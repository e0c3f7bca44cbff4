// What the small JSON files of a gate (policy, calibration, history) are read with. For cupel/gate and cupel/history.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/gate/policy.hpp"
#include "cupel/record/fields.hpp"
#include "cupel/record/json.hpp"

namespace cupel::gate {

enum class UnknownKeys { refused, passed_over };

/// "2026-11-20". A day that its month does not have is none.
bool is_date(std::string_view text);

/// `key` says which version of its format the file has; any but 1 is a problem.
void visit_version(auto& v, const char* key) {
  int version = 1;
  v(key, version, record::detail::kRequired);
  if constexpr (requires { v.refuse(key, ""); }) {
    if (version != 1) v.refuse(key, "must be 1, the version this cupel reads");
  }
}

/// Those that have a value.
std::vector<figures::Key> known(std::vector<figures::Key> keys);

/// Throws record::ReadError that begins with the origin: "ci/gate.json: /tolerance: must be ...".
template <typename T>
T read_document(std::string_view text, const std::string& origin, UnknownKeys unknown) {
  using namespace record::detail;
  const Parsed parsed = parse(text);
  if (!parsed.error.empty()) throw record::ReadError(origin + ": " + parsed.error);
  Problems problems(false);
  Reading reading{problems};
  try {
    T result;
    decode(parsed.value, Path(), reading, result);
    if (unknown == UnknownKeys::refused && !reading.unknown.empty()) {
      throw Invalid{reading.unknown.begin().key() + ": is not a known key"};
    }
    return result;
  } catch (const Invalid& invalid) {
    throw record::ReadError(origin + ": " + invalid.problem);
  }
}

}  // namespace cupel::gate

namespace cupel::figures {

void visit(auto& v, record::detail::Is<Key> auto& key) {
  bool hard = key.hardness == Hardness::hard;
  v("name", key.name, record::detail::kRequired);
  v("value", key.value);
  v("hard", hard);
  if constexpr (requires { key.hardness = Hardness::hard; }) key.hardness = hard ? Hardness::hard : Hardness::soft;
}

}  // namespace cupel::figures

namespace cupel::record::detail {

/// What is no pattern is a problem.
void decode(const Json&, const Path&, Reading&, Pattern&, Rule = {});

}  // namespace cupel::record::detail
