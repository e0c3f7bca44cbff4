// What each piece of advice takes from a step, as a table: by which part of the profile, from which rows.
#pragma once

#include <string>
#include <vector>

#include "cupel/foretell/step.hpp"

namespace cupel::foretell {

struct Rule {
  const char* piece;  ///< as step/waterfall and the catalogue name it
  const char* part;   ///< of the profile
  const char* rows;   ///< of the results, as patterns; empty: none are wanted
  const char* how;    ///< the gain, in words
  bool (*is_on)(const record::StepProfile&);
  Saving (*saving)(const Step&);  ///< throws NoRows
};

/// In the order of the waterfall.
const std::vector<Rule>& rules();

/// Pieces about which the profile of a step and micro-benchmarks say nothing, by the reason.
struct Silence {
  const char* why;
  std::vector<std::string> pieces;  ///< ids in the catalogue, or names
};
const std::vector<Silence>& silences();

}  // namespace cupel::foretell
