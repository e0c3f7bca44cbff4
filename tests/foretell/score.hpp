// Foretold gains scored against measured ones: a waterfall that was measured, and a profile of each of its steps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/foretell/foretell.hpp"

namespace cupel::foretell {

/// A gain up to so much of the step may have any sign.
inline constexpr double kSmall = 0.01;

/// A step, and the same with one change more.
struct CheckedChange {
  std::string where;                     ///< "net:resnet18_224 batch:256"
  std::string change;                    ///< as the benchmark names it: "drop:graph"
  std::vector<std::string> pieces = {};  ///< what the change is: what it is named for, and what needs that
  double before_s = 0;                   ///< the step that the change is missing in
  Estimate measured_s = {};
  Estimate foretold_s = {};
  std::string silent = {};  ///< why nothing is foretold

  /// Whether the change moves the step by more than kSmall.
  bool matters() const;
  bool sign_is_right() const;
  /// The gain's: |foretold - measured| / |measured|.
  double error() const;
};

struct Tally {
  int foretold = 0;  ///< with a gain foretold
  int silent = 0;    ///< without
  int matter = 0;    ///< of the foretold ones, those that move the step
  int right = 0;     ///< of these, of the right sign
  double error = 0;  ///< of these, the median
};
Tally tally_of(std::span<const CheckedChange> checked);

/// One for each change of a measured waterfall of whose step before there is a profile: added in the order of the
/// waterfall, and taken from the whole. figures: of the steps. profiles: of any steps; what is changed is what is off
/// before and on after, by both profiles.
std::vector<CheckedChange> checked_changes(std::span<const figures::Figure> figures,
                                           std::span<const record::StepProfile> profiles, const Micro& micro);

}  // namespace cupel::foretell
