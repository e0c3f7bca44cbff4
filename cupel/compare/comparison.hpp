// The conclusions from two results of one benchmark, and from two results of a suite. Pure functions: numbers in,
// verdicts out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/benchmark.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/record/counter.hpp"
#include "cupel/record/series.hpp"
#include "cupel/stats/bootstrap.hpp"

namespace cupel::compare {

/// Contender against baseline. The first four are conclusions, the others say why there is none.
enum class Verdict {
  same,            ///< no difference, where a difference of the target would have been seen
  slower,          ///< or, of a counter, worse
  faster,          ///< or better
  inconclusive,    ///< a difference of the target could have been missed
  missing,         ///< the contender does not have it, or has no time for it
  added,           ///< the baseline does not have it, or has no time for it
  skipped,         ///< both sides skipped it
  failed,          ///< in at least one process of a side: never a time
  throttled,       ///< too few processes of a side were left undisturbed: throttled by heat, or the GPU was shared
  busy,            ///< too few processes of a side were free of waiting for a CPU
  not_comparable,  ///< other mode, other clock, other workload, or the name occurs twice
  noisier,         ///< the contender's processes differ by more than the baseline's; said by the gate alone
};

constexpr auto names_of(Verdict) {
  return std::array{"SAME",    "SLOWER", "FASTER",    "INCONCLUSIVE", "MISSING",        "ADDED",
                    "SKIPPED", "FAILED", "THROTTLED", "BUSY",         "NOT-COMPARABLE", "NOISIER"};
}
using record::to_string;
std::optional<Verdict> verdict_of(std::string_view text);  ///< of its name, in either case, '-' or '_'

/// True of SAME, SLOWER, FASTER, NOISIER and INCONCLUSIVE: there are figures on both sides.
bool has_figures(Verdict verdict);

/// SAME or INCONCLUSIVE.
bool finds_no_change(Verdict verdict);

/// Processes of a side never agree better than this: the quietest of 28 benchmarks on an H200 had an sd of 1e-4.
/// Without it, values on a coarse clock's grid would look free of noise.
inline constexpr double kLeastSigma = 1e-4;

/// The slowest samples inside a process are noted where they lie so many times as far from its location as the
/// baseline's do, by ranks of the processes at this one-sided p: five processes a side reach it.
inline constexpr double kLongerTail = 1.5;
inline constexpr double kTailP = 0.004;

/// The numbers that decide. Effects are ratios less one: 0.03 is 3 %.
struct Policy {
  double target = 0.03;     ///< SAME is only said where a difference of this size would have been seen
  double tolerance = 0.01;  ///< SLOWER and FASTER are at least this
  double alpha = 0.05;      ///< chance of even one false SLOWER or FASTER in the family of rows
  double level = 0.95;      ///< of the intervals, each on its own
  double suspicion = 0.05;  ///< one-sided p at which a difference of the tolerance is not called SAME any more
  /// More than this share of a side's processes disturbed or waiting for a CPU: THROTTLED or BUSY, by what most were.
  double most_disturbed = 0.5;
};

/// permutation: of all rows at once, see stats::joint_permutation_p(); p itself is by ranks.
enum class Test { none, ranks, permutation, equality };
constexpr auto names_of(Test) { return std::array{"none", "ranks", "permutation", "equality"}; }

/// sd of logarithms between processes, pooled over both sides, at least kLeastSigma; nothing of one process a side.
std::optional<double> pooled_sigma(std::span<const double> baseline_logs, std::span<const double> contender_logs);

/// The effect that the numbers of both sides show. Swapping the sides gives the reciprocal ratios and all else
/// unchanged.
struct Effect {
  double ratio = 1;             ///< contender / baseline: Hodges-Lehmann on logarithms
  double lower = 1, upper = 1;  ///< exact interval between order statistics
  double level = 0;             ///< that the interval really has; 0 with one value a side
  double p = 1;                 ///< two-sided, by ranks
  Test test = Test::none;
  bool suspect = false;         ///< by ranks, at policy.suspicion, and at least the tolerance
  std::optional<double> sigma;  ///< sd of logarithms between processes, pooled over both sides
  std::optional<double> mde;    ///< ratio less one that makes suspect with 95 % probability; nothing if none does
};

/// baseline, contender: positive finite, one a process (else std::invalid_argument). family: how many rows are judged
/// together; it decides whether ranks can reach alpha row by row. sigma: noise between processes where it is known
/// better, from calibration.
Effect effect(std::span<const double> baseline, std::span<const double> contender, const Policy& policy,
              std::size_t family = 1, std::optional<double> sigma = std::nullopt);

/// SAME, SLOWER, FASTER or INCONCLUSIVE, of a cost: more is slower. SLOWER and FASTER: suspect, and p_adjusted at most
/// alpha. SAME: not suspect, MDE at most the target, and no end of the interval beyond the target.
Verdict judge(const Effect& effect, double p_adjusted, const Policy& policy);

/// Processes a side that would decide an INCONCLUSIVE row, at least 3; nothing where the noise is not known or 1000 do
/// not suffice.
std::optional<int> processes_to_decide(const Effect& effect, const Policy& policy);

/// One side of a row.
struct Side : figures::Seen {
  std::optional<double> value;  ///< median over processes: seconds, or the counter's unit
  std::optional<double> share;  ///< of the physical limit named by `limit`
  std::string limit;
  int processes = 0;  ///< that count; repetitions, where that is what there is
  std::int64_t samples = 0;
  double throttled_share = 0;  ///< of the processes with a time, those left out: disturbed or busy
  std::optional<double> tail;  ///< median over processes of figures::ProcessTimes::tail
};

/// A row: one benchmark's time, or one of its counters.
struct Comparison {
  std::string name;
  std::vector<std::string> printed;  ///< as other programs print it, where that is another name; baseline's first
  std::string family;
  std::string metric;      ///< empty: the time; else the counter's name
  std::string unit = "s";  ///< of the sides' values
  record::Better better = record::Better::lower;
  std::optional<record::Mode> mode;  ///< of the time compared
  figures::Replication replication = figures::Replication::process;
  Verdict verdict = Verdict::not_comparable;
  bool below_floor = false;  ///< a side's time is too short to be told from the cost of measuring it
  bool judged = true;        ///< false: shown only (a rate made of the same time, a counter without a direction)
  /// Contender / baseline of the time, baseline / contender of a counter where more is better: above 1 is worse,
  /// always. Nothing where a side has no figure, or where nothing says which way of a counter is better.
  std::optional<double> ratio, lower, upper;
  double level = 0;
  std::optional<double> p, p_adjusted, mde, sigma;
  Test test = Test::none;
  std::optional<int> processes_to_decide;  ///< of an INCONCLUSIVE row
  bool across_hosts = false;               ///< a host time of two machines whose hosts are not known to be the same
  bool longer_tail = false;                ///< inside the contender's processes; a note says so, and no verdict
  Side baseline, contender;
  std::vector<std::string> notes;  ///< one line each
};

/// Whether its ends are the least and the greatest ratio of two processes: so few have no interval of 95 %.
inline bool is_range(const Comparison& row) { return row.level < figures::kIntervalLevel; }

/// Rows of two suites: for each benchmark its time, then its counters. Holm's adjustment over all rows that were
/// tested. Only benchmarks that neither has give no row. One list for each contender, in one family of rows: an N-way
/// table tests N - 1 times as much.
std::vector<std::vector<Comparison>> compare_all(std::span<const figures::Matched> matched, std::size_t baseline,
                                                 std::span<const std::size_t> contenders, const Policy& policy = {});

/// A row before anything is concluded from its figures. Where the data already speak (MISSING, FAILED, ...) the verdict
/// is set and there are no values.
struct Candidate {
  Comparison row;
  std::vector<double> baseline, contender;  ///< costs, positive, one a process: to be tested
  std::optional<double> unjudged_ratio;     ///< of THROTTLED and BUSY: of the medians over all processes
};

/// The names of the two sides in notes.
struct SideNames {
  const char* baseline = "reference";
  const char* contender = "contender";
};

/// The times of one benchmark and, where both sides have figures, its counters, each a row: exact ones are concluded
/// already, by equality. Null: that side does not have it. None where neither side has it.
std::vector<Candidate> candidates_of(const std::string& name, const figures::Benchmark* baseline,
                                     const figures::Benchmark* contender, const Policy& policy,
                                     const SideNames& names = {});

/// Tests every candidate that has values, adjusts over all of them, and sets the verdicts. Holm's adjustment, where
/// ranks can reach alpha row by row; else the processes of all rows of as many are dealt out together, which can with
/// four a side.
void conclude(std::span<Candidate> candidates, const Policy& policy);

/// A family of benchmarks in one comparison. Only times enter.
struct FamilySummary {
  std::string family;
  std::optional<stats::GeometricMean> ratio;  ///< of the rows that have figures on both sides; nothing if none has
  int benchmarks = 0;                         ///< that entered the mean
  int slower = 0, faster = 0, same = 0, inconclusive = 0, others = 0;
};

/// In the order in which families first appear; with more than one family, all together last, named "all".
std::vector<FamilySummary> summarise(const std::vector<Comparison>& comparisons);

/// "1.29x", by which times were divided.
std::string speed_text(double ratio);

/// "H200 against H100, by geometric means: faster at optimizer 1.29x, fusion 1.18x; slower at sync 0.89x; no clear
/// difference at conv. ..."
std::string faster_words(const std::vector<FamilySummary>& all, const std::string& contender,
                         const std::string& reference);

}  // namespace cupel::compare
