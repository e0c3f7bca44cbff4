// Warnings: the words that mark a figure with which something may be wrong, and the one sentence that each stands for.
#pragma once

#include <array>
#include <string>

#include "cupel/record/names.hpp"

namespace cupel::figures {

/// The kinds of caveats that a figure may have; meaning_of() says each in words.
enum class Warning {
  failed,
  skipped,
  below_floor,
  disturbed,
  cut_short,
  busy,
  unsettled,
  above_limit,
  unusual,
  two_states,
  cold_start
};

constexpr auto names_of(Warning) {
  return std::array{"failed",      "skipped",         "below floor",  "disturbed",  "cut short", "busy",
                    "not settled", "above the limit", "unusual work", "two states", "cold start"};
}
using record::to_string;

/// Returns the sentence of a warning: "too short to be told from the cost of measuring it": no capital, no full stop.
const char* meaning_of(Warning warning);

/// Returns the name and its meaning: "below floor: too short to be told from the cost of measuring it".
std::string with_meaning(Warning warning);

}  // namespace cupel::figures
