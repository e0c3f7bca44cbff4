// What the small JSON files of a gate (policy, calibration, history) are read with. For cupel/gate and cupel/history.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/gate/policy.hpp"
#include "cupel/record/fields.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/parse.hpp"

namespace cupel::gate {

enum class UnknownKeys { refused, passed_over };

/// "2026-11-20". A day that its month does not have is none.
bool is_date(std::string_view text);

/// A pattern; what is none is a problem.
record::Pattern compiled(const std::string& text, const record::detail::Path& path, record::detail::Reading& reading);

/// `key` says which version of its format the file has; any but 1 is a problem.
void require_version_1(record::detail::Fields& fields, std::string_view key);

/// Keys of a fingerprint; those without a value are left out.
record::detail::Value keys_value(const std::vector<figures::Key>& keys);
figures::Key read_key(const record::detail::Value& value, const record::detail::Path& path,
                      record::detail::Reading& reading);

/// Calls take(element, path) for each element of a list of objects; anything else is a problem.
template <typename Take>
void for_each(const record::detail::Value& value, const record::detail::Path& path, record::detail::Reading& reading,
              Take take) {
  using namespace record::detail;
  const Array* array = value.as<Array>();
  const Numbers* numbers = value.as<Numbers>();
  if (array == nullptr && (numbers == nullptr || !numbers->empty())) {
    reading.problems.add(path, "must be a list of objects");
    return;
  }
  if (array == nullptr) return;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const Path here(path, i);
    take((*array)[i], here);
  }
}

/// Throws record::ReadError that begins with the origin: "ci/gate.json: /tolerance: must be ...".
template <typename T, typename Read>
T read_document(std::string_view text, const std::string& origin, Read read, UnknownKeys unknown) {
  using namespace record::detail;
  const Parsed parsed = parse(text);
  if (!parsed.error.empty()) throw record::ReadError(origin + ": " + parsed.error);
  Problems problems(false);
  Reading reading{problems, {}, 0};
  const Path root("");
  try {
    T result = read(parsed.value, root, reading);
    if (unknown == UnknownKeys::refused && !reading.unknown.empty()) {
      throw Invalid{reading.unknown.front().key + ": is not a known key"};
    }
    return result;
  } catch (const Invalid& invalid) {
    throw record::ReadError(origin + ": " + invalid.problem);
  }
}

}  // namespace cupel::gate
