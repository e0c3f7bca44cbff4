#include "cupel/gate/gate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cupel/figures/suite.hpp"
#include "cupel/gate/outcome.hpp"
#include "cupel/stats/dispersion.hpp"
#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/multiplicity.hpp"
#include "cupel/stats/power.hpp"
#include "cupel/units/format.hpp"

namespace cupel::gate {
namespace {

constexpr int kMostProcesses = 1000;
constexpr double kScreenShare = 0.6;  // of the tolerance, that makes suspect
// Parts of alpha: all rounds of fresh processes together have the level.
constexpr double kShareOfConfirmation = 0.5, kShareOfRerun = 0.4, kShareOfWhole = 0.1;

using Id = std::pair<std::string, std::string>;  // benchmark, metric

Id id_of(const compare::Comparison& row) { return {row.name, row.metric}; }

Logs logs_of(const compare::Candidate& candidate) {
  return {stats::logarithms(candidate.baseline), stats::logarithms(candidate.contender)};
}

// For a rank test that is to find the target; nothing where no side has two processes.
std::optional<double> sigma_of(std::span<const std::span<const double>> sides, const GateRules& rules) {
  if (std::ranges::all_of(sides, [](std::span<const double> side) { return side.size() < 2; })) return std::nullopt;
  return std::max(stats::rank_sigma(sides, std::log1p(rules.target)), compare::kLeastSigma);
}

std::optional<double> sigma_of(const Logs& logs, const GateRules& rules) {
  const std::span<const double> sides[] = {logs.base, logs.contender};
  return sigma_of(sides, rules);
}

double standard_error(double sigma, const Logs& logs) {
  return stats::standard_error(sigma, logs.base.size(), logs.contender.size());
}

// Adjusted p, in the order given, of those that have one; 1 for the others.
std::vector<double> holm_among(std::span<const std::optional<double>> p) {
  std::vector<double> chosen;
  for (const std::optional<double>& one : p) {
    if (one) chosen.push_back(*one);
  }
  const std::vector<double> adjusted = stats::holm(chosen);
  std::vector<double> result;
  for (auto next = adjusted.begin(); const std::optional<double>& one : p) result.push_back(one ? *next++ : 1);
  return result;
}

void set_figures(compare::Comparison& row, const Logs& logs, std::optional<double> sigma) {
  const stats::Shift shift = stats::hodges_lehmann(logs.base, logs.contender, figures::kIntervalLevel);
  const stats::Interval interval = shift.ratio_interval();
  row.ratio = shift.ratio();
  row.level = std::max(0.0, interval.level);
  if (row.level > 0) {
    row.lower = interval.low;
    row.upper = interval.high;
  }
  row.sigma = sigma;
  row.test = compare::Test::ranks;
}

// Nothing of the target's size is hidden: it would have been found, and the interval leaves no room for it.
bool is_same(const compare::Comparison& row, const GateRules& rules) {
  const bool seen = row.mde && *row.mde <= rules.target;
  const bool within = row.lower && row.upper && *row.upper <= 1 + rules.target && *row.lower >= 1 / (1 + rules.target);
  return seen && within;
}

// Fresh processes a side that find `wanted`, by noise of `sigma`.
std::optional<int> finding_processes(const std::optional<double>& sigma, double wanted) {
  if (!sigma) return std::nullopt;
  const std::optional<int> least = stats::processes_for(*sigma, wanted, stats::kConfirmFactor);
  if (!least) return std::nullopt;
  const int processes = *least + *least / 4;  // the noise is an estimate itself
  if (processes > kMostProcesses) return std::nullopt;
  return std::max(processes, stats::kConfirmProcesses.front());
}

// Fresh processes a side that would decide: whether there is a difference of the target, or of what was seen.
std::optional<int> deciding_processes(const GateRow& gate) {
  if (!gate.row.ratio) return std::nullopt;
  const double target = std::log1p(gate.rules.target);
  const double seen = std::max(std::abs(std::log(*gate.row.ratio)), std::log1p(gate.rules.tolerance));
  return finding_processes(gate.row.sigma, gate.slower || gate.faster ? std::min(seen, target) : target);
}

std::vector<compare::Candidate> candidates_of(const figures::Suite& base, const figures::Suite& contender) {
  const compare::Policy data_rules;
  std::vector<compare::Candidate> found;
  const figures::Suite suites[] = {base, contender};
  for (const figures::Matched& matched : match(suites)) {
    std::ranges::move(compare::candidates_of(matched.name, matched.in[0], matched.in[1], data_rules, {"base", "new"}),
                      std::back_inserter(found));
  }
  return found;
}

// The smallest shift (of logarithms) that screen and confirmation find with 95 % probability.
double two_stage_mde(double sigma, int screen_processes, const GateRules& rules) {
  const int fresh = stats::confirm_processes(sigma, std::log1p(rules.target));
  const double at_screen = stats::minimum_detectable_effect(sigma, screen_processes, stats::kScreenFactor);
  const double at_confirmation = stats::minimum_detectable_effect(sigma, fresh, stats::kConfirmFactor);
  const double tolerated = stats::over_tolerance(sigma * std::sqrt(2.0 / fresh), rules.tolerance);
  return std::max({at_screen, at_confirmation, tolerated});
}

bool is_suspect(const GateRow& gate) { return gate.slower || gate.faster || gate.noisier; }

double share_of(Stage stage) {
  if (stage == Stage::confirm) return kShareOfConfirmation;
  return stage == Stage::rerun ? kShareOfRerun : kShareOfWhole;
}

// The least of kConfirmProcesses by which ranks can reach the level of a stage in each of its rows; else the most.
int reaching_processes(double alpha, Stage stage, std::ptrdiff_t rows) {
  const double level = alpha * share_of(stage) / static_cast<double>(std::max<std::ptrdiff_t>(rows, 1));
  const auto reaches = [&](int processes) { return stats::smallest_p(processes, processes) <= level; };
  const auto found = std::ranges::find_if(stats::kConfirmProcesses, reaches);
  return found == stats::kConfirmProcesses.end() ? kAffordable : *found;
}

// Two intervals of one ratio that leave no ratio that both allow, and are worth being told apart.
bool exclude_each_other(const compare::Comparison& a, const compare::Comparison& b, double tolerance) {
  if (!a.lower || !b.lower || !a.ratio || !b.ratio) return false;
  const bool apart = *a.lower > *b.upper || *b.lower > *a.upper;
  return apart && std::abs(std::log(*a.ratio / *b.ratio)) >= std::log1p(tolerance);
}

std::string figure_text(const compare::Comparison& row) {
  return units::format_change(*row.ratio) + " (" + std::to_string(row.baseline.processes) + "+" +
         std::to_string(row.contender.processes) + " processes)";
}

// A confirmation that was not enough, where the interval excludes 0 all the same: how it looks, and which level is not
// reached.
std::string looks_text(const GateRow& gate, double alpha) {
  const compare::Comparison& row = gate.row;
  const bool is_fresh = gate.stage == Stage::confirm || gate.stage == Stage::rerun || gate.stage == Stage::whole;
  if (!is_fresh || !row.lower || !row.p_adjusted || (*row.lower <= 1 && *row.upper >= 1)) return "";
  const double level = alpha * share_of(gate.stage);
  if (*row.p_adjusted <= level) return "";
  const bool is_worse = *row.lower > 1;
  const char* looks = row.metric.empty() ? (is_worse ? "slower" : "faster") : (is_worse ? "worse" : "better");
  return std::string("looks ") + looks + ", but p of " + units::format_fixed(*row.p_adjusted, 4) +
         " does not show it at the level of " + units::format_percent(level);
}

double spread_of(const std::vector<double>& logs) { return logs.size() < 2 ? 0 : stats::standard_deviation(logs); }

std::string spread_text(const Logs& logs, double p) {
  return "the new side's processes differ by " + units::format_percent(std::expm1(spread_of(logs.contender))) +
         ", the base's by " + units::format_percent(std::expm1(spread_of(logs.base))) + " (p " +
         units::format_fixed(p, 4) + ")";
}

// Says why nobody judged a row that the state of the machine left without a verdict. A figure beside it would be taken
// for a finding, so only a reader whose policy ignores the state has one.
void say_unjudged(GateRow& gate, double ratio) {
  const bool is_busy = gate.row.verdict == compare::Verdict::busy;
  const Action action = is_busy ? gate.rules.busy : gate.rules.throttled;
  std::string why =
      std::string("not judged, since the ") + (is_busy ? "machine was busy" : "GPU was throttled or shared");
  if (action == Action::ignore) {
    gate.row.ratio = ratio;
    why += std::string(", which the policy ignores (on.") + (is_busy ? "busy" : "throttled") +
           "); the change shown is over all processes";
  }
  gate.row.notes.insert(gate.row.notes.begin(), std::move(why));
}

bool is_tested(const compare::Candidate& candidate) {
  return !candidate.baseline.empty() && candidate.row.judged && !candidate.row.below_floor;
}

}  // namespace

// The shift that makes suspect whatever its p. Where the noise is known to be above the target, as it may be of many
// rows of a suite, nearly every row shifts by the tolerance: only what a confirmation could show is worth one.
static double suspicious_shift(const CalibratedBenchmark* known, const GateRules& rules) {
  const double tolerance = std::log1p(rules.tolerance), target = std::log1p(rules.target);
  const std::optional<double> sigma = known != nullptr ? known->sigma_at(rules.target) : std::nullopt;
  if (!sigma || *sigma <= target) return tolerance;
  return std::max(tolerance, stats::minimum_detectable_effect(*sigma, kAffordable));
}

bool is_spread_wider(const Logs& logs, double target) {
  const double of_new = spread_of(logs.contender);
  return of_new > std::log1p(target) && of_new > spread_of(logs.base);
}

// The base's, or the calibrated one where that is more: five processes seldom show a level that is rare.
static double usual_spread(const Logs& logs, const CalibratedBenchmark* known) {
  const std::optional<double> calibrated = known != nullptr ? known->sigma() : std::nullopt;
  return std::max(spread_of(logs.base), calibrated.value_or(0));
}

Screening screen(const Logs& logs, const GateRules& rules, const CalibratedBenchmark* known) {
  const stats::RankTest ranks = stats::mann_whitney(logs.base, logs.contender);
  Screening result;
  result.shift = stats::hodges_lehmann(logs.base, logs.contender, figures::kIntervalLevel).estimate;
  result.p_slower = ranks.p_greater;
  result.p_faster = ranks.p_less;
  const std::optional<double> calibrated = known != nullptr ? known->sigma_at(rules.target) : std::nullopt;
  result.sigma = calibrated ? calibrated : sigma_of(logs, rules);
  const double tolerance = std::log1p(rules.tolerance), part = kScreenShare * tolerance;
  const double enough = suspicious_shift(known, rules);
  result.slower = (result.p_slower <= kScreenP && result.shift >= part) || result.shift >= enough;
  result.faster = (result.p_faster <= kScreenP && -result.shift >= part) || -result.shift >= enough;
  result.noisier = is_spread_wider(logs, rules.target) && spread_of(logs.contender) >= 2 * usual_spread(logs, known);
  return result;
}

std::vector<Finding> confirm(std::span<const Suspect> suspects, double alpha) {
  std::vector<std::optional<double>> slower, faster, noisier;
  std::vector<Finding> findings;
  for (const Suspect& suspect : suspects) {
    const stats::RankTest ranks = stats::mann_whitney(suspect.logs.base, suspect.logs.contender);
    slower.push_back(suspect.slower ? std::optional(ranks.p_greater) : std::nullopt);
    faster.push_back(suspect.faster ? std::optional(ranks.p_less) : std::nullopt);
    const double p_noisier = stats::p_farther_out(suspect.logs.base, suspect.logs.contender);
    noisier.push_back(suspect.noisier ? std::optional(p_noisier) : std::nullopt);
    findings.push_back(
        {.shift = stats::hodges_lehmann(suspect.logs.base, suspect.logs.contender, figures::kIntervalLevel).estimate,
         .p_slower = ranks.p_greater,
         .p_faster = ranks.p_less,
         .p = std::min(slower.back().value_or(1), faster.back().value_or(1))});
  }
  const std::vector<double> adjusted_slower = holm_among(slower), adjusted_faster = holm_among(faster),
                            adjusted_noisier = holm_among(noisier);
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    Finding& finding = findings[i];
    const double tolerance = std::log1p(suspects[i].tolerance);
    finding.slower = adjusted_slower[i] <= alpha && finding.shift >= tolerance;
    finding.faster = adjusted_faster[i] <= alpha && -finding.shift >= tolerance;
    finding.p_adjusted = std::min(adjusted_slower[i], adjusted_faster[i]);
    finding.p_noisier = noisier[i].value_or(1);
    finding.p_noisier_adjusted = adjusted_noisier[i];
    finding.noisier = adjusted_noisier[i] <= alpha && is_spread_wider(suspects[i].logs, suspects[i].target);
  }
  return findings;
}

std::map<std::string, int> left_out(const figures::Suite& base, const figures::Suite& contender) {
  std::map<std::string, int> lost;
  for (const figures::Suite* suite : {&base, &contender}) {
    for (const figures::Benchmark& benchmark : suite->benchmarks) {
      if (benchmark.left_out() == 0) continue;
      int& most = lost[benchmark.name];
      most = std::max(most, benchmark.left_out());
    }
  }
  return lost;
}

std::size_t stored_rows(const figures::Suite& base) {
  return static_cast<std::size_t>(std::ranges::count_if(candidates_of(base, base), is_tested));
}

std::optional<int> stored_processes(int base, std::size_t rows, double alpha) {
  for (int processes = 5; processes <= 64; ++processes) {
    if (stats::smallest_p(base, processes) * static_cast<double>(std::max<std::size_t>(rows, 1)) <= alpha) {
      return processes;
    }
  }
  return std::nullopt;
}

StoredProcesses processes_against(const figures::Suite& base, double alpha) {
  StoredProcesses of_base;
  for (const figures::Benchmark& benchmark : base.benchmarks) {
    if (benchmark.ok > 0) of_base.stored = of_base.stored == 0 ? benchmark.ok : std::min(of_base.stored, benchmark.ok);
  }
  if (of_base.stored > 0) of_base.needed = stored_processes(of_base.stored, stored_rows(base), alpha);
  return of_base;
}

Gate::Gate(GatePolicy policy, const MachineNoise* calibration, std::string today)
    : policy_(std::move(policy)), calibration_(calibration), today_(std::move(today)) {
  for (const Allowance* over : policy_.expired(today_)) {
    warn("allowance for '" + over->benchmark.text() + "' (" + to_string(over->verdict) + ") ended on " + over->expires +
         ": " + over->reason);
  }
}

bool Gate::comparable(const figures::Suite& base, const figures::Suite& contender) {
  if (interrupted_ && (base.benchmarks.empty() || contender.benchmarks.empty())) return true;  // not run: no context
  differences_ = figures::differences(base.context, contender.context);
  refused_ = figures::any_hard(differences_);
  if (!refused_ && calibration_ != nullptr) {
    for (const std::string& line : differences(*calibration_, base.context)) {
      warn("the calibration is of another machine or setting: " + line);
    }
  }
  return !refused_;
}

// Only times are calibrated.
const CalibratedBenchmark* Gate::calibrated(const compare::Comparison& row) const {
  return calibration_ != nullptr && row.metric.empty() ? calibration_->find(row.name) : nullptr;
}

// An entry for each row; the candidates in the same order.
std::vector<compare::Candidate> Gate::open(const figures::Suite& base, const figures::Suite& contender) {
  std::vector<compare::Candidate> candidates = candidates_of(base, contender);
  for (compare::Candidate& candidate : candidates) {
    Entry& entry = entries_.emplace_back();
    entry.gate.row = candidate.row;
    entry.unjudged_ratio = candidate.unjudged_ratio;
    entry.gate.rules = policy_.rules_for(candidate.row.name, candidate.row.printed);
    entry.known = calibrated(candidate.row);
    if (entry.known != nullptr) entry.sigma = entry.known->sigma_at(entry.gate.rules.target);
  }
  return candidates;
}

void Gate::set_noise(Entry& entry, const Logs& logs) const {
  const std::span<const double> base[] = {logs.base};
  const std::optional<double> of_base = sigma_of(base, entry.gate.rules), of_both = entry.gate.row.sigma;
  entry.base_sigma = of_base && of_both ? std::min(of_base, of_both) : of_both;  // both: few say little of themselves
}

bool Gate::screen(const figures::Suite& base, const figures::Suite& contender) {
  if (!comparable(base, contender)) return false;
  const std::vector<compare::Candidate> candidates = open(base, contender);
  std::vector<double> p;
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!is_tested(candidates[i])) continue;
    Entry& entry = entries_[i];
    compare::Comparison& row = entry.gate.row;
    const Logs logs = logs_of(candidates[i]);
    const Screening seen = gate::screen(logs, entry.gate.rules, entry.known);
    set_figures(row, logs, seen.sigma);
    set_noise(entry, logs);
    const int processes = static_cast<int>(std::min(logs.base.size(), logs.contender.size()));
    if (seen.sigma) row.mde = std::expm1(two_stage_mde(*seen.sigma, processes, entry.gate.rules));
    if (stats::smallest_p(static_cast<int>(logs.base.size()), static_cast<int>(logs.contender.size())) > kScreenP) {
      row.mde = std::nullopt;
      row.notes.push_back("too few processes: the first stage could not suspect it");
    }
    row.p = std::min(seen.p_slower, seen.p_faster);
    entry.screened = row;
    p.push_back(*row.p);
    tested.push_back(i);
    entry.gate.stage = Stage::screen;
    entry.gate.slower = seen.slower;
    entry.gate.faster = seen.faster;
    entry.gate.noisier = seen.noisier;
    if (seen.slower || seen.faster) {
      entry.gate.confirm_processes =
          stats::confirm_processes(seen.sigma.value_or(1), std::log1p(entry.gate.rules.target));
    }
    if (seen.noisier) entry.gate.confirm_processes = kAffordable;
    row.verdict = is_same(row, entry.gate.rules) && !is_suspect(entry.gate) ? compare::Verdict::same
                                                                            : compare::Verdict::inconclusive;
  }
  const std::vector<double> adjusted = stats::holm(p);
  for (std::size_t i = 0; i < tested.size(); ++i) entries_[tested[i]].gate.row.p_adjusted = adjusted[i];
  return true;
}

std::map<std::string, int> Gate::suspects() const {
  std::map<std::string, int> found;
  const auto suspects =
      std::ranges::count_if(entries_, [](const Entry& entry) { return entry.gate.confirm_processes > 0; });
  const int least = reaching_processes(policy_.alpha, Stage::confirm, suspects);
  for (const Entry& entry : entries_) {
    if (entry.gate.confirm_processes == 0) continue;
    int& processes = found[entry.gate.row.name];
    processes = std::max({processes, entry.gate.confirm_processes, least});
  }
  return found;
}

void Gate::confirm(const figures::Suite& base, const figures::Suite& contender) {
  confirmed_ = true;
  decide_fresh(base, contender, Stage::confirm);
}

void Gate::rerun(const figures::Suite& base, const figures::Suite& contender) {
  decide_fresh(base, contender, Stage::rerun);
}

void Gate::whole(const figures::Suite& base, const figures::Suite& contender) {
  decide_fresh(base, contender, Stage::whole);
}

void Gate::decide_fresh(const figures::Suite& base, const figures::Suite& contender, Stage stage) {
  std::map<Id, compare::Candidate> fresh;
  for (const compare::Candidate& candidate : candidates_of(base, contender)) {
    fresh.emplace(id_of(candidate.row), candidate);
  }
  const auto is_wanted = [&](const Entry& entry) {
    if (stage == Stage::confirm) return entry.gate.confirm_processes > 0;
    if (stage == Stage::whole) return entry.contradicted;
    return entry.gate.row.verdict == compare::Verdict::inconclusive && !entry.contradicted;
  };
  std::vector<Entry*> decided;
  std::vector<Suspect> suspects;
  for (Entry& entry : entries_) {
    GateRow& gate = entry.gate;
    const auto found = fresh.find(id_of(gate.row));
    if (!is_wanted(entry) || found == fresh.end()) continue;
    compare::Candidate& candidate = found->second;
    gate.stage = stage;
    gate.row = candidate.row;
    entry.unjudged_ratio = candidate.unjudged_ratio;
    if (!is_tested(candidate)) continue;        // the data speak: failed, throttled, ...
    const bool both = stage != Stage::confirm;  // the screen may have suspected the wrong way
    suspects.push_back({logs_of(candidate), gate.slower || both, gate.faster || both, gate.rules.tolerance,
                        gate.noisier, gate.rules.target});
    decided.push_back(&entry);
  }
  const std::vector<Finding> findings = gate::confirm(suspects, policy_.alpha * share_of(stage));
  for (std::size_t i = 0; i < decided.size(); ++i) {
    decide(*decided[i], suspects[i], findings[i]);
    hold_against_screen(*decided[i]);
  }
}

void Gate::decide(Entry& entry, const Suspect& suspect, const Finding& finding) const {
  GateRow& gate = entry.gate;
  compare::Comparison& row = gate.row;
  const Logs& logs = suspect.logs;
  const std::optional<double> sigma = entry.sigma ? entry.sigma : sigma_of(logs, gate.rules);
  set_figures(row, logs, sigma);
  set_noise(entry, logs);
  row.p = finding.p;
  row.p_adjusted = finding.p_adjusted;
  if (sigma) {
    const double error = standard_error(*sigma, logs);
    row.mde = std::expm1(std::max(stats::kConfirmFactor * error, stats::over_tolerance(error, gate.rules.tolerance)));
  }
  const bool still_suspect = std::min(finding.p_slower, finding.p_faster) <= kScreenP &&
                             std::abs(finding.shift) >= std::log1p(gate.rules.tolerance);
  const bool still_noisier = finding.p_noisier <= kScreenP && is_spread_wider(logs, gate.rules.target);
  if (still_noisier) row.notes.push_back(spread_text(logs, finding.p_noisier));
  gate.noisier = is_spread_wider(logs, gate.rules.target);
  if (finding.slower) {
    row.verdict = compare::Verdict::slower;
  } else if (finding.noisier) {
    row.verdict = compare::Verdict::noisier;
    row.p = finding.p_noisier;
    row.p_adjusted = finding.p_noisier_adjusted;
  } else if (finding.faster) {
    row.verdict = compare::Verdict::faster;
  } else {
    const bool same = is_same(row, gate.rules) && !still_suspect && !still_noisier;
    row.verdict = same ? compare::Verdict::same : compare::Verdict::inconclusive;
  }
}

// In the screen all benchmarks of a program share a process, and may be slow beside each other alone. A row that is
// slower or noisier by itself, or faster both ways, needs no more proof.
void Gate::hold_against_screen(Entry& entry) const {
  compare::Comparison& row = entry.gate.row;
  if (entry.contradicted) {  // and measured in whole processes now
    row.notes.push_back("by itself " + entry.alone);
    return;
  }
  if (row.verdict == compare::Verdict::slower || row.verdict == compare::Verdict::noisier) return;
  if (row.verdict == compare::Verdict::faster && entry.screened && *entry.screened->ratio < 1) return;
  if (!entry.screened || !exclude_each_other(*entry.screened, row, entry.gate.rules.tolerance)) return;
  entry.contradicted = true;
  entry.alone = figure_text(row);
  row.verdict = compare::Verdict::inconclusive;
  row.notes.push_back("beside the other benchmarks of its program " + figure_text(*entry.screened) + ", by itself " +
                      entry.alone);
}

std::map<std::string, int> Gate::contradicted() const {
  std::map<std::string, int> found;
  const auto rows = std::ranges::count_if(entries_, &Entry::contradicted);
  const int least = reaching_processes(policy_.alpha, Stage::whole, rows);
  for (const Entry& entry : entries_) {
    if (!entry.contradicted) continue;
    int& processes = found[entry.gate.row.name];
    processes = std::max({processes, entry.gate.confirm_processes, least});
  }
  return found;
}

std::map<std::string, int> Gate::undecided_if(const std::function<bool(const Entry&)>& take, int least,
                                              int most) const {
  std::map<std::string, int> found;
  std::ptrdiff_t rows = 0;
  for (const Entry& entry : entries_) {
    const compare::Comparison& row = entry.gate.row;
    if (row.verdict != compare::Verdict::inconclusive || !row.judged || row.below_floor || entry.contradicted ||
        !take(entry))
      continue;
    const std::optional<int> processes = deciding_processes(entry.gate);
    if (!processes) continue;
    int& wanted = found[row.name];
    wanted = std::max(wanted, std::clamp(*processes, least, most));
    ++rows;
  }
  for (auto& [name, processes] : found) {
    processes = std::max(processes, reaching_processes(policy_.alpha, Stage::rerun, rows));
  }
  return found;
}

std::map<std::string, int> Gate::undecided() const {
  return undecided_if([](const Entry&) { return true; }, 1, kMostProcesses);
}

std::map<std::string, int> Gate::affordable() const {
  return undecided_if([&](const Entry& entry) { return is_gateable(entry) || is_suspect(entry.gate); }, kAffordable,
                      kAffordable);
}

bool Gate::is_gateable(const Entry& entry) const {
  const std::optional<int> of_target = finding_processes(entry.base_sigma, std::log1p(entry.gate.rules.target));
  return !entry.gate.row.below_floor && of_target && *of_target <= kAffordable;
}

void Gate::settle_stored(Entry& entry, const compare::Candidate& candidate, double p_adjusted, double p,
                         std::size_t family) {
  GateRow& gate = entry.gate;
  compare::Comparison& row = gate.row;
  const Logs logs = logs_of(candidate);
  const std::optional<double> sigma = entry.sigma ? entry.sigma : sigma_of(logs, gate.rules);
  set_figures(row, logs, sigma);
  set_noise(entry, logs);
  row.p = p;
  row.p_adjusted = p_adjusted;
  gate.stage = Stage::stored;
  const double level = policy_.alpha / static_cast<double>(family);
  const bool reachable =
      stats::smallest_p(static_cast<int>(logs.base.size()), static_cast<int>(logs.contender.size())) <= level;
  if (!reachable) row.notes.push_back("too few processes: a rank test cannot show any difference with so few");
  if (sigma && reachable) {
    const double factor = (-stats::normal_quantile(level) + stats::kNinetyFive) / stats::kRankEfficiency;
    row.mde = std::expm1(*gate.row.mde + factor * standard_error(*sigma, logs));
  } else {
    row.mde = std::nullopt;
  }
  if (p_adjusted <= policy_.alpha) {
    row.verdict = *row.ratio > 1 ? compare::Verdict::slower : compare::Verdict::faster;
  } else {
    row.verdict = is_same(row, gate.rules) && p > kScreenP ? compare::Verdict::same : compare::Verdict::inconclusive;
  }
}

bool Gate::against_stored(const figures::Suite& base, const figures::Suite& contender) {
  stored_ = true;
  if (!comparable(base, contender)) return false;
  const std::vector<compare::Candidate> candidates = open(base, contender);
  std::vector<double> slower, faster;
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!is_tested(candidates[i])) continue;
    Entry& entry = entries_[i];
    const std::optional<double> moved = entry.known != nullptr ? entry.known->largest_shift() : std::nullopt;
    const double margin = moved ? std::max(std::log1p(entry.gate.rules.tolerance), kMarginFactor * *moved)
                                : std::log1p(entry.gate.rules.target);
    const Logs logs = logs_of(candidates[i]);
    slower.push_back(stats::p_greater_by(margin, logs.base, logs.contender));
    faster.push_back(stats::p_greater_by(margin, logs.contender, logs.base));
    tested.push_back(i);
    entry.gate.row.mde = margin;  // the power is added to it when the row is settled
    entry.gate.row.notes.push_back("margin " + units::format_percent(std::expm1(margin)) +
                                   (moved ? "" : ": not calibrated"));
  }
  const std::vector<double> adjusted_slower = stats::holm(slower), adjusted_faster = stats::holm(faster);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const bool up = slower[i] <= faster[i];
    settle_stored(entries_[tested[i]], candidates[tested[i]], up ? adjusted_slower[i] : adjusted_faster[i],
                  std::min(slower[i], faster[i]), tested.size());
  }
  return true;
}

GateRow Gate::finished(const Entry& entry) const {
  GateRow gate = entry.gate;
  compare::Comparison& row = gate.row;
  if (interrupted_ && (row.verdict == compare::Verdict::added || row.verdict == compare::Verdict::missing)) {
    row.verdict = compare::Verdict::inconclusive;
    row.notes.push_back("the gate was interrupted before both sides were measured");
  }
  if (gate.confirm_processes > 0 && gate.stage == Stage::screen) {
    row.verdict = compare::Verdict::inconclusive;
    row.notes.push_back(confirmed_ ? "suspected, but it could not be measured again"
                                   : "suspected at first, and not confirmed when measured again");
  }
  if (row.verdict == compare::Verdict::inconclusive && row.judged) {
    if (!row.below_floor) row.processes_to_decide = deciding_processes(gate);
    if (const std::string looks = looks_text(gate, policy_.alpha); !looks.empty()) row.notes.push_back(looks);
    gate.gateable = is_gateable(entry);
  }
  if (!row.judged) return gate;
  if (entry.unjudged_ratio) say_unjudged(gate, *entry.unjudged_ratio);
  if (const Allowance* allowance = policy_.allowance(row, today_)) {
    gate.allowed = allowance->reason + " (until " + allowance->expires + ")";
    return gate;
  }
  gate.outcome = outcome_of(gate);
  return gate;
}

GateResult Gate::result() const {
  GateResult result;
  result.differences = differences_;
  result.warnings = warnings_;
  result.alpha = policy_.alpha;
  result.interrupted = interrupted_;
  const std::string level = units::format_percent(policy_.alpha);
  result.method = stored_ ? "Compared with a stored baseline, in one stage: a margin test by Holm at " + level +
                                "; a baseline that is measured beside the new side finds smaller differences"
                          : "A screen of interleaved processes names suspects, fresh processes of these decide: exact "
                            "Mann-Whitney test by Holm at " +
                                level;
  if (refused_) {
    result.outcome = Outcome::not_comparable;
    for (const figures::Difference& difference : differences_) {
      if (difference.hardness == figures::Hardness::hard) result.reasons.push_back(to_string(difference));
    }
    return result;
  }
  Conclusion conclusion(policy_, result, stored_);
  for (const Entry& entry : entries_) conclusion.take(finished(entry));
  conclusion.conclude(failures_);
  return result;
}

}  // namespace cupel::gate
