// The gate's policy: thresholds, what to do with undecided rows, and agreed exceptions, each with a reason and an
// expiry date. Kept in a file under version control (ci/gate.json).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/compare/comparison.hpp"
#include "cupel/record/pattern.hpp"

namespace cupel::gate {

/// The action of a gate that has a row of some verdict.
enum class Action {
  fail,   ///< the gate does not pass
  count,  ///< fails where too many are so: more than max_inconclusive, of SKIPPED all of an executable
  ignore  ///< shown, and nothing else
};

/// The numbers and actions for one benchmark.
struct GateRules {
  double tolerance = 0.01;  ///< SLOWER and FASTER are at least this
  double target = 0.03;     ///< SAME is only said where a difference of this size would have been found
  Action inconclusive = Action::count;
  Action missing = Action::fail;
  Action throttled = Action::fail;
  Action busy = Action::fail;
  Action skipped = Action::count;  ///< on both sides; counts: fails where an executable has nothing else
  Action noisier = Action::fail;
  Action not_gateable = Action::ignore;  ///< of rows that no affordable number of processes decides
  bool operator==(const GateRules&) const = default;
};

/// The actions under `on` in a policy; an absent one stays as it was. Without `busy`, `throttled` is said of both.
struct Actions {
  std::optional<Action> inconclusive, missing, throttled, busy, skipped, noisier, not_gateable;

  void apply(GateRules& rules) const;
};

/// Rules for the benchmarks that a pattern chooses; what is absent is as it was. Later ones win.
struct Override {
  record::Pattern benchmark{""};
  std::optional<double> tolerance, target;
  Actions on;
};

/// A row that was agreed to be let through.
struct Allowance {
  record::Pattern benchmark{""};
  compare::Verdict verdict = compare::Verdict::slower;  ///< SLOWER, NOISIER, INCONCLUSIVE, MISSING, SKIPPED, FAILED,
                                                        ///< THROTTLED, BUSY or NOT-COMPARABLE
  std::optional<double> up_to;                          ///< greatest ratio of a SLOWER that is let through
  std::string reason;
  std::string expires;  ///< last day on which it holds, YYYY-MM-DD
};

/// No smaller level can be reached: the p of 32 against 32 processes that do not overlap, over 10^5 rows.
inline constexpr double kLeastAlpha = 1e-12;

struct GatePolicy {
  GateRules rules;
  double alpha = 0.002;                 ///< chance of even one false SLOWER in a gate, and of one false FASTER
  int screen_processes = 5;             ///< a side
  double max_inconclusive = 0.10;       ///< share of the rows with figures
  bool speaks_of_not_gateable = false;  ///< `on` names an action for rows that are not gateable
  std::vector<Override> overrides;
  std::vector<Allowance> allow;

  /// The rules of a benchmark: patterns are searched in its name and in the names that programs print it by.
  GateRules rules_for(std::string_view name, std::span<const std::string> printed = {}) const;

  /// The first that holds on that day (YYYY-MM-DD) and covers the row; null if none does.
  const Allowance* allowance(const compare::Comparison& row, std::string_view today) const;

  /// The exceptions that no longer hold.
  std::vector<const Allowance*> expired(std::string_view today) const;
};

/// The policy in a file's text; docs/schema/gate-policy.schema.json. Throws files::ReadError: file, field and what is
/// wrong; a key that is not known is an error.
GatePolicy policy_from_json(std::string_view text, const std::string& origin);

}  // namespace cupel::gate
