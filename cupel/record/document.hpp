// Reads small JSON documents (listings, profiles of steps, policies, calibrations, histories, bands) by the lists of
// their fields. For the sources of this project; not for users of the library.
#pragma once

#include <string>
#include <string_view>

#include "cupel/files/errors.hpp"
#include "cupel/record/decode.hpp"

namespace cupel::record {

/// The treatment of keys that the list does not have.
enum class UnknownKeys { refused, passed_over };

/// Visits the field `key`, which says which version of its format the file has; any but 1 is a problem.
void visit_version(auto& v, const char* key) {
  int version = 1;
  v(key, version, detail::only(1));
  if constexpr (requires { v.refuse(key, ""); }) {
    if (version != 1) v.refuse(key, "must be 1, the version this cupel reads");
  }
}

/// Reads a document. Throws ReadError that begins with the origin: "ci/gate.json: /tolerance: must be ...". A `unknown`
/// of T keeps what is passed over. wanted: the kind of file, said where a result file was given.
template <typename T>
T read_document(std::string_view text, const std::string& origin, UnknownKeys unknown,
                const char* wanted = "another kind of file") {
  using namespace detail;
  const Parsed parsed = parse(text);
  if (!parsed.error.empty()) throw files::ReadError(origin + ": " + parsed.error);
  if (parsed.value.contains("context") && parsed.value.contains("benchmarks"))
    throw files::ReadError(origin + ": is a result file, and " + wanted + " is asked for");
  Problems problems(false);
  Reading reading{.problems = problems, .refuses_unknown = unknown == UnknownKeys::refused};
  try {
    T result;
    decode(parsed.value, Path(), reading, result);
    if constexpr (requires { result.unknown; }) result.unknown = reading.unknown_text();
    return result;
  } catch (const Invalid& invalid) {
    throw files::ReadError(origin + ": " + invalid.problem);
  }
}

}  // namespace cupel::record
