// The outcome that rows make of a gate, and why it does not pass.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/gate/gate.hpp"

namespace cupel::gate {

/// The action that an inconclusive row asks for.
Action action_about(const GateRow& gate);

/// The outcome that a row which is judged and not let through makes of the gate.
Outcome outcome_of(const GateRow& gate);

/// Puts finished rows together, in their order.
class Conclusion {
 public:
  /// Both must outlive it. stored: the base was, so that nothing can be measured again.
  Conclusion(const GatePolicy& policy, GateResult& result, bool stored)
      : policy_(policy), result_(result), stored_(stored) {}

  void take(GateRow gate);
  /// Once all rows are taken: the outcome, with a reason for all that keeps the gate from passing. failures: processes
  /// that ended badly.
  void conclude(const std::vector<std::string>& failures);

 private:
  void count(const GateRow& gate);
  void reach(Outcome least, std::string reason);
  void judge_skipped();
  void judge_undecided();

  const GatePolicy& policy_;
  GateResult& result_;
  bool stored_;
  std::vector<compare::Comparison> regressions_, noisier_;
  std::map<compare::Verdict, int> incomplete_;
  struct Family {
    int rows = 0, skipped = 0;
    std::string why;  ///< that the first was skipped
  };
  std::map<std::string, Family> families_;  ///< times, by executable
  int undecided_ = 0;                       ///< that the policy wants decided
  int open_ = 0;                            ///< inconclusive, of those with figures
  int compared_ = 0;                        ///< rows with figures on both sides
  int figures_ = 0;                         ///< rows with figures that count
};

}  // namespace cupel::gate
