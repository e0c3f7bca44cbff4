#include "cupel/gate/outcome.hpp"

#include <algorithm>
#include <utility>

#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::gate {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr const char* kFixOrAllow = " (fix it, or \"allow\" it in --policy FILE: cupel explain policy)";

std::string short_name(const compare::Comparison& row) {
  const std::string name = row.name + (row.metric.empty() ? "" : " [" + row.metric + "]");
  return name.substr(0, units::bytes_of_columns(name, kLongestName));
}

// The reason where rows are noisier, and what can be done.
std::string noisier_text(const std::vector<compare::Comparison>& rows) {
  return (rows.size() == 1 ? "1 row is noisier: " : std::to_string(rows.size()) + " rows are noisier, the first ") +
         short_name(rows.front()) + kFixOrAllow;
}

// "1 row is slower", "2 counters are worse", "3 rows are slower or worse".
std::string regressed_text(const std::vector<compare::Comparison>& rows) {
  const auto counters = std::ranges::count_if(rows, [](const compare::Comparison& row) { return !row.metric.empty(); });
  const auto all = std::ssize(rows);
  if (counters == 0) return units::counted(all, "row is", "rows are") + " slower";
  if (counters == all) return units::counted(all, "counter is", "counters are") + " worse";
  return units::counted(all, "row is", "rows are") + " slower or worse";
}

// Says what is slower, and what can be done.
std::string regressions_text(const std::vector<compare::Comparison>& rows) {
  const auto worst = std::ranges::max_element(rows, {}, [](const auto& row) { return row.ratio.value_or(1); });
  const std::string by = worst->ratio ? " by " + units::format_percent(*worst->ratio - 1) : "";
  return regressed_text(rows) + (rows.size() == 1 ? ": " : ", most of all ") + short_name(*worst) + by + kFixOrAllow;
}

// A machine that is always busy, as a shared runner, needs another way out than a calm moment.
std::string busy_text(int rows, bool any_other) {
  const std::string others = R"(; or judge the other rows alone: --policy FILE, in it )"
                             R"({"cupel_gate_policy": 1, "on": {"busy": "ignore"}})";
  return units::counted(rows, "row") +
         " had to wait for a CPU, since the machine was busy, and got no verdict (stop other programs, or run ahead of "
         "them, by sudo chrt -f 1 cupel gate ..., then gate again" +
         (any_other ? others : "") + ")";
}

// Why rows have no figures to compare, and what can be done. any_other: rows were compared.
std::string incomplete_text(compare::Verdict verdict, int rows, bool any_other) {
  switch (verdict) {
    case compare::Verdict::missing:
      return units::counted(rows, "row is", "rows are") +
             " missing from the new side (renamed: --renames FILE; removed on purpose: \"allow\" it in --policy FILE, "
             "or \"on\": {\"missing\": \"ignore\"} there: cupel explain policy)";
    case compare::Verdict::skipped:
      return units::counted(rows, "row was", "rows were") + " skipped on both sides (the remark says why)";
    case compare::Verdict::throttled:
      return units::counted(rows, "row was", "rows were") +
             " measured while the GPU was throttled or shared (run nothing else on it, let it cool, then gate again)";
    case compare::Verdict::busy:
      return busy_text(rows, any_other);
    case compare::Verdict::not_comparable:
      return units::counted(rows, "row is", "rows are") +
             " not comparable (the remark says why; give changed work a new name)";
    default:
      return units::counted(rows, "row") + " failed (the remark says why)";
  }
}

}  // namespace

Action action_about(const GateRow& gate) { return gate.gateable ? gate.rules.inconclusive : gate.rules.not_gateable; }

Outcome outcome_of(const GateRow& gate) {
  const auto unless_ignored = [](Action action) {
    return action == Action::ignore ? Outcome::passed : Outcome::incomplete;
  };
  switch (gate.row.verdict) {
    case compare::Verdict::slower:
      return Outcome::regression;
    case compare::Verdict::noisier:
      return gate.rules.noisier == Action::ignore ? Outcome::passed : Outcome::regression;
    case compare::Verdict::failed:
    case compare::Verdict::not_comparable:
      return Outcome::incomplete;
    case compare::Verdict::missing:
      return unless_ignored(gate.rules.missing);
    case compare::Verdict::skipped:
      return gate.rules.skipped == Action::fail ? Outcome::incomplete : Outcome::passed;
    case compare::Verdict::throttled:
      return unless_ignored(gate.rules.throttled);
    case compare::Verdict::busy:
      return unless_ignored(gate.rules.busy);
    case compare::Verdict::inconclusive:
      return action_about(gate) == Action::fail ? Outcome::undecided : Outcome::passed;
    default:
      return Outcome::passed;
  }
}

void Conclusion::take(GateRow gate) {
  if (gate.row.judged) count(gate);
  result_.outcome = std::max(result_.outcome, gate.outcome);
  result_.rows.push_back(std::move(gate));
}

void Conclusion::count(const GateRow& gate) {
  const compare::Verdict verdict = gate.row.verdict;
  const bool open = verdict == compare::Verdict::inconclusive;
  const bool counts = !open || action_about(gate) != Action::ignore;
  if (compare::has_figures(verdict) && (gate.gateable || counts)) ++figures_;
  if (open && counts && gate.allowed.empty()) ++open_;
  if (gate.outcome == Outcome::regression) {
    (verdict == compare::Verdict::noisier ? noisier_ : regressions_).push_back(gate.row);
  }
  if (gate.outcome == Outcome::incomplete) ++incomplete_[verdict];
  undecided_ += gate.outcome == Outcome::undecided;
  result_.slower += verdict == compare::Verdict::slower;
  result_.noisier += verdict == compare::Verdict::noisier;
  result_.faster += verdict == compare::Verdict::faster;
  result_.same += verdict == compare::Verdict::same;
  result_.inconclusive += open && gate.gateable;
  result_.not_gateable += open && !gate.gateable;
  result_.skipped += verdict == compare::Verdict::skipped;
  result_.others += !compare::has_figures(verdict) && verdict != compare::Verdict::skipped;
  compared_ += compare::has_figures(verdict);
  if (!gate.row.metric.empty()) return;
  Family& family = families_[gate.row.family];
  ++family.rows;
  const bool is_skipped =
      verdict == compare::Verdict::skipped && gate.allowed.empty() && gate.rules.skipped == Action::count;
  family.skipped += is_skipped;
  if (is_skipped && family.why.empty() && !gate.row.notes.empty()) family.why = gate.row.notes.front();
}

void Conclusion::reach(Outcome least, std::string reason) {
  result_.outcome = std::max(result_.outcome, least);
  result_.reasons.push_back(std::move(reason));
}

void Conclusion::conclude(const std::vector<std::string>& failures) {
  if (result_.interrupted)
    reach(Outcome::undecided, "the gate was interrupted before everything was measured (gate again)");
  if (!regressions_.empty()) reach(Outcome::regression, regressions_text(regressions_));
  if (!noisier_.empty()) reach(Outcome::regression, noisier_text(noisier_));
  for (const auto& [verdict, rows] : incomplete_)
    reach(Outcome::incomplete, incomplete_text(verdict, rows, compared_ > 0));
  for (const std::string& failure : failures) reach(Outcome::incomplete, failure);
  const bool is_incomplete = !incomplete_.empty() || !failures.empty() || result_.interrupted;
  judge_skipped();
  judge_undecided();
  if (compared_ == 0 && !is_incomplete && !result_.rows.empty()) {
    reach(Outcome::not_comparable, "nothing was compared: no row has figures on both sides");
  }
  if (result_.rows.empty() && failures.empty()) reach(Outcome::not_comparable, "there is nothing to compare");
}

// Where an executable measured nothing on either side, nobody looked at what it is about.
void Conclusion::judge_skipped() {
  for (const auto& [name, family] : families_) {
    if (family.skipped < family.rows || family.rows == 0) continue;
    reach(Outcome::incomplete, "all of " + name + " was skipped on both sides (" + family.why +
                                   "; the policy's on.skipped lets it through)");
  }
}

void Conclusion::judge_undecided() {
  const std::string again = stored_ ? "gate executables of both sides" : "--rerun-inconclusive measures them again";
  if (undecided_ > 0) {
    reach(Outcome::undecided, units::counted(undecided_, "row is", "rows are") +
                                  " undecided that the policy wants decided (" + again + ")");
  }
  if (figures_ > 0 && open_ > policy_.max_inconclusive * figures_) {
    reach(Outcome::undecided, std::to_string(open_) + " of " + units::counted(figures_, "row") +
                                  (open_ == 1 ? " is" : " are") + " undecided, and at most " +
                                  units::format_percent(policy_.max_inconclusive) + " may be (" + again +
                                  "; --max-inconclusive allows more)");
  }
  if (result_.not_gateable > 0 && figures_ == 0 && policy_.max_inconclusive < 1 && !policy_.speaks_of_not_gateable) {
    reach(Outcome::undecided, "no row is gateable: more than " + std::to_string(kAffordable) +
                                  " processes a side would be needed (longer benchmarks repeat better)");
  }
}

}  // namespace cupel::gate
