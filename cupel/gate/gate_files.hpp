// Reads the small JSON files of a gate (policy, calibration, history). For cupel/gate and cupel/history.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/gate/policy.hpp"
#include "cupel/record/document.hpp"

namespace cupel::gate {

/// The keys that have a value.
std::vector<figures::Key> known(std::vector<figures::Key> keys);

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

/// Reads a pattern; text that is none is a problem.
void decode(const Json&, const Path&, Reading&, Pattern&, Rule = {});

}  // namespace cupel::record::detail
