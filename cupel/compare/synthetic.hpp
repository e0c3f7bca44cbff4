// Two suites against each other, for tests.
#pragma once

#include <utility>
#include <vector>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"

namespace cupel::compare {

/// The second suite against the first.
inline std::vector<Comparison> compare(const std::vector<figures::Suite>& suites, const Policy& policy = {}) {
  const std::size_t contender = 1;
  return std::move(compare_all(match(suites), 0, {&contender, 1}, policy).front());
}

/// The verdict after swapping the sides.
inline Verdict mirrored(Verdict verdict) {
  switch (verdict) {
    case Verdict::slower:
      return Verdict::faster;
    case Verdict::faster:
      return Verdict::slower;
    case Verdict::missing:
      return Verdict::added;
    case Verdict::added:
      return Verdict::missing;
    default:
      return verdict;
  }
}

}  // namespace cupel::compare
