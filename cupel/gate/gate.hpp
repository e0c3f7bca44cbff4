// Does the contender make something slower? The decisions of `cupel gate`, without the measuring: a screen of a few
// interleaved processes names suspects, fresh processes of the suspects alone confirm or clear them. Only fresh data
// confirm, so that being picked out adds nothing to the chance of a false alarm. docs/gate.md tells why this way.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/compare/comparison.hpp"
#include "cupel/gate/calibration.hpp"
#include "cupel/gate/policy.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/power.hpp"

namespace cupel::gate {

/// One-sided p at which the screen suspects, if the shift is at least six tenths of the tolerance: a shift of the
/// tolerance itself would else be passed over half the time.
inline constexpr double kScreenP = 0.05;

/// Logarithms of the locations of both sides' processes, one a process.
struct Logs {
  std::vector<double> base, contender;
};

/// The screen's finding about one benchmark.
struct Screening {
  double shift = 0;  ///< Hodges-Lehmann, of logarithms
  double p_slower = 1, p_faster = 1;
  bool slower = false, faster = false;  ///< suspect
  bool noisier = false;                 ///< suspect: see is_spread_wider()
  std::optional<double> sigma;          ///< calibrated, else of these processes; for a rank test at the target
};

/// A shift of the tolerance makes suspect whatever its p: one process far off denies p of 5 % to any slowdown. Where
/// the noise was calibrated to be above the target it takes a shift of the calibrated minimum detectable effect, too.
/// known: what calibration says; may be null.
Screening screen(const Logs& logs, const GateRules& rules, const CalibratedBenchmark* known = nullptr);

/// A suspect: the logarithms of its fresh processes, and the suspicion that they are tested for.
struct Suspect {
  Logs logs;
  bool slower = false, faster = false;  ///< which way it is suspected
  double tolerance = 0.01;
  bool noisier = false;  ///< suspected to be
  double target = 0.03;
};

struct Finding {
  double shift = 0;
  double p_slower = 1, p_faster = 1;
  double p = 1, p_adjusted = 1;         ///< of the suspected direction; the smaller of the two if both
  bool slower = false, faster = false;  ///< confirmed
  double p_noisier = 1, p_noisier_adjusted = 1;
  bool noisier = false;  ///< confirmed
};

/// Whether the new side's processes differ by more than the target and by more than the base's: standard deviations of
/// logarithms.
bool is_spread_wider(const Logs& logs, double target);

/// Holm at `alpha` over all that are suspected to be slower, and separately over all that are suspected to be faster;
/// confirmed are those whose shift is at least the tolerance too. Swapping the sides mirrors every finding of these. A
/// third family are those that are suspected to be noisier, by stats::p_farther_out(); confirmed are those whose spread
/// is wider too.
std::vector<Finding> confirm(std::span<const Suspect> suspects, double alpha);

/// Benchmarks of which processes were left out as throttled, shared or waiting for a CPU, and how many: of the side
/// that lost more.
std::map<std::string, int> left_out(const figures::Suite& base, const figures::Suite& contender);

/// Processes a side that a gate affords for a row by itself: as many as a confirmation takes at most.
inline constexpr int kAffordable = stats::kConfirmProcesses.back();

/// The stage that decided a row; data: nothing had to be measured for it.
enum class Stage { data, screen, confirm, rerun, stored, whole };
constexpr auto names_of(Stage) { return std::array{"data", "screen", "confirm", "rerun", "stored", "whole"}; }

/// How a gate ends. Later ones win over earlier ones.
enum class Outcome { passed, undecided, incomplete, regression, not_comparable };
constexpr auto names_of(Outcome) {
  return std::array{"passed", "undecided", "incomplete", "regression", "not comparable"};
}
using record::to_string;

struct GateRow {
  compare::Comparison row;
  GateRules rules;
  Stage stage = Stage::data;
  bool slower = false, faster = false;  ///< suspected by the screen
  bool noisier = false;                 ///< suspected by the screen, or by the stage before the last
  /// False: INCONCLUSIVE, and by the noise that was calibrated, else the base's, more than kAffordable processes would
  /// be needed. The new side's noise does not count here.
  bool gateable = true;
  int confirm_processes = 0;          ///< a side, that the confirmation of a suspect takes
  std::string allowed;                ///< why it is let through by the policy, with the last day; empty if it is not
  Outcome outcome = Outcome::passed;  ///< what this row alone makes of the gate
};

struct GateResult {
  Outcome outcome = Outcome::passed;
  std::vector<std::string> reasons;  ///< of the outcome, one line each
  std::vector<GateRow> rows;         ///< in the order of the base
  std::vector<figures::Difference> differences;
  std::vector<std::string> warnings;  ///< calibration of another machine, allowances that no longer hold, ...
  std::string method;                 ///< one line: how it was decided
  double alpha = 0;
  int slower = 0, noisier = 0, faster = 0, same = 0, inconclusive = 0, not_gateable = 0, skipped = 0, others = 0;
  bool interrupted = false;
};

/// A result and what it is of.
struct GateReport {
  GateResult result;
  std::string base, contender;  ///< what was compared, as the reader knows it
  int exit_code = 0;
};

/// One gate, stage by stage.
class Gate {
 public:
  /// calibration: may be null; else it must outlive the gate. today: YYYY-MM-DD.
  Gate(GatePolicy policy, const MachineNoise* calibration, std::string today);

  /// First: the suites of both sides, measured interleaved. False, and nothing more to do, where a hard difference of
  /// environment forbids it.
  bool screen(const figures::Suite& base, const figures::Suite& contender);

  /// Benchmarks to measure again, and the processes a side that it takes.
  std::map<std::string, int> suspects() const;

  /// Suites of fresh processes of the suspects. Not called: the suspects are INCONCLUSIVE.
  void confirm(const figures::Suite& base, const figures::Suite& contender);

  /// Benchmarks that are INCONCLUSIVE, and the processes a side that would decide them.
  std::map<std::string, int> undecided() const;

  /// The same where they are gateable or still suspects, with kAffordable processes a side.
  std::map<std::string, int> affordable() const;

  /// Suites of fresh processes of some that were undecided.
  void rerun(const figures::Suite& base, const figures::Suite& contender);

  /// Benchmarks that are one thing beside their neighbours, in the screen, and another by themselves: the intervals
  /// exclude each other, and are a tolerance apart. With the processes a side that it takes to confirm either. They are
  /// INCONCLUSIVE, with both figures.
  std::map<std::string, int> contradicted() const;

  /// Suites of fresh processes of them in which all benchmarks of their programs ran, as in the screen.
  void whole(const figures::Suite& base, const figures::Suite& contender);

  /// Instead of all of these: against a baseline of another session, whose own shift no test can tell from a
  /// regression. H0: slower by at most a margin, which is the greatest of the tolerance and 1.25 times the largest
  /// shift seen in calibration; without calibration, the target. Holm over all rows. Less power, and as many processes
  /// as stored_processes() says.
  bool against_stored(const figures::Suite& base, const figures::Suite& contender);

  void set_interrupted() { interrupted_ = true; }

  /// A process that gave its figures and then ended badly: they are shown, and the gate is incomplete.
  void add_failure(std::string line) { failures_.push_back(std::move(line)); }
  void warn(std::string line) { warnings_.push_back(std::move(line)); }

  GateResult result() const;

 private:
  struct Entry {
    GateRow gate;
    const CalibratedBenchmark* known = nullptr;
    std::optional<double> sigma;                  ///< calibrated
    std::optional<double> unjudged_ratio;         ///< compare::Candidate::unjudged_ratio, of the last stage
    std::optional<compare::Comparison> screened;  ///< its figures in the screen
    bool contradicted = false;
    std::string alone;                 ///< its figure by itself, where that contradicted the screen
    std::optional<double> base_sigma;  ///< the same, else of the base's processes, or of both sides' if that is less
  };

  const CalibratedBenchmark* calibrated(const compare::Comparison& row) const;
  bool comparable(const figures::Suite& base, const figures::Suite& contender);
  std::vector<compare::Candidate> open(const figures::Suite& base, const figures::Suite& contender);
  void decide_fresh(const figures::Suite& base, const figures::Suite& contender, Stage stage);
  void decide(Entry& entry, const Suspect& suspect, const Finding& finding) const;
  void hold_against_screen(Entry& entry) const;
  void settle_stored(Entry& entry, const compare::Candidate& candidate, double p_adjusted, double p,
                     std::size_t family);
  void set_noise(Entry& entry, const Logs& logs) const;
  bool is_gateable(const Entry& entry) const;
  std::map<std::string, int> undecided_if(const std::function<bool(const Entry&)>& take, int least, int most) const;
  GateRow finished(const Entry& entry) const;

  GatePolicy policy_;
  const MachineNoise* calibration_;
  std::string today_;
  std::vector<Entry> entries_;
  std::vector<figures::Difference> differences_;
  std::vector<std::string> warnings_, failures_;
  bool refused_ = false;
  bool confirmed_ = false;
  bool stored_ = false;
  bool interrupted_ = false;
};

/// Rows of which the baseline has figures to test: times and counters that are judged.
std::size_t stored_rows(const figures::Suite& base);

/// Processes that the new side needs so that ranks can reach alpha against `base` stored ones, in a family of so many
/// rows: 5 to 64; nothing where even 64 do not.
std::optional<int> stored_processes(int base, std::size_t rows, double alpha);

/// Processes that a stored baseline has, and that the new side needs against it.
struct StoredProcesses {
  int stored = 0;             ///< of the benchmark with the fewest that measured; 0: none did
  std::optional<int> needed;  ///< as stored_processes() says
};
StoredProcesses processes_against(const figures::Suite& base, double alpha);

}  // namespace cupel::gate
