// The gain of each of several changes when they are made one after another, and what each gives to all the others:
// benchmarks of one operation that are named by what they add, "add:tf32", or leave out, "drop:tf32".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/stats/effect.hpp"

namespace cupel::figures {

/// A change. The pointers are into the figures that waterfalls_of() was given.
struct Rung {
  std::string change;
  const Figure* with = nullptr;     ///< this change and all those before it; null where it was left out alone
  const Figure* without = nullptr;  ///< all changes but this one; null where that was not measured
  /// Logarithm of the time before by the time with it; nothing where either was not measured.
  std::optional<stats::Shift> gain = std::nullopt;
  /// Logarithm of the time without this change by the time with all of them.
  std::optional<stats::Shift> alone = std::nullopt;
};

/// Changes of one operation, added one after another.
struct Waterfall {
  std::string operation;
  std::string where;        ///< the parameters that all share, "net:resnet18_32 batch:128"
  std::vector<Rung> rungs;  ///< in the order in which they are added; the first ("nothing") and the last have a `with`
};

/// The comparison of all changes with all but one.
struct Drop {
  std::string operation, where, change;
  const Figure* without = nullptr;
  const Figure* whole = nullptr;  ///< the last that adds: all changes
  stats::Shift gain;              ///< logarithm of the time without it by that with all of them
};

/// Returns a drop for each figure that leaves out a change where the whole has a time, in the order of the figures.
/// The last that adds is not the whole where a later change is left out.
std::vector<Drop> drops_of(std::span<const Figure> figures);

/// Returns the waterfalls with two rungs or more that were added and have a time, in the order of the figures. Only
/// main figures count.
std::vector<Waterfall> waterfalls_of(std::span<const Figure> figures);

/// Logarithm of the time of `before` by that of `after`. Both have a time.
stats::Shift gain_between(const Figure& before, const Figure& after);

/// Leaves out the figures whose benchmarks are in a waterfall.
std::vector<Figure> without(std::span<const Waterfall> waterfalls, std::vector<Figure> all);

/// Lists the changes of a step, the greatest first: by what each gives to all the others where that was measured, else
/// to those before it.
std::vector<const Rung*> changes_of(const Waterfall& step);

}  // namespace cupel::figures
