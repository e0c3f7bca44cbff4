// The tie between a benchmark and a piece of advice.
#pragma once

#include <string>

#include "cupel/record/names.hpp"

namespace cupel::record {

/// The side of a piece of advice on which a benchmark stands. A variant is neither the thing warned of nor the thing
/// advised.
enum class Role { before, after, variant };
constexpr auto names_of(Role) { return std::array{"before", "after", "variant"}; }

/// Ties a benchmark to a row of the advice catalogue. Rows of one `id` and `scenario` are the same work and are
/// compared.
struct AdviceTag {
  std::string id;  ///< e.g. "pin-memory"
  Role role = Role::variant;
  std::string scenario;  ///< e.g. "h2d/bytes:4096"; equal for before and after
  std::string variant;   ///< names one of several afters or variants; may be empty
  bool operator==(const AdviceTag&) const = default;
};

}  // namespace cupel::record
