#include "cupel/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "cupel/figures/figure.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/warning.hpp"
#include "cupel/stats/joint_permutation.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/multiplicity.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"

namespace cupel::compare {
namespace {

// Points by which the share of processes that met the power limit must rise to be named beside a SLOWER.
constexpr double kMoreCapped = 0.02;

// Change of the SM clock that is named: the tolerance of a clock lock.
constexpr double kOtherClock = 0.01;

bool measured(const figures::Benchmark* benchmark) {
  return benchmark != nullptr && (benchmark->measured() > 0 || benchmark->failed > 0);
}

Side side_of(const figures::Benchmark* benchmark) {
  Side side;
  if (benchmark == nullptr) return side;
  static_cast<figures::Seen&>(side) = *benchmark;
  if (benchmark->measured() > 0) {
    side.throttled_share = static_cast<double>(benchmark->left_out()) / benchmark->measured();
  }
  return side;
}

void set_time(Side& side, const figures::Benchmark& benchmark, const figures::Locations& locations) {
  side.processes = static_cast<int>(locations.values_s.size());
  side.samples = locations.samples;
  side.value = locations.value_s();
  if (figures::is_below_floor(benchmark.below_floor, locations.mode)) return;  // such a time has no rate
  const std::optional<figures::Rate> rate =
      figures::rate_of(benchmark.workload, benchmark.limit, *side.value, benchmark.clock_share);
  side.share = rate ? rate->share_of_limit() : std::nullopt;
  if (side.share) side.limit = benchmark.limit->name;
}

// The figure's mode if it is the same on both sides, else the first of the baseline's that both have. Swapping the
// sides must not change the choice, so that modes are ranked by the sum of their places.
std::optional<record::Mode> common_mode(const figures::Benchmark& a, const figures::Benchmark& b) {
  std::optional<record::Mode> best;
  std::size_t best_rank = SIZE_MAX;
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    for (std::size_t j = 0; j < b.modes.size(); ++j) {
      if (a.modes[i].mode != b.modes[j].mode) continue;
      const bool preferred = i + j < best_rank || (i + j == best_rank && best && a.modes[i].mode < *best);
      if (preferred) {
        best = a.modes[i].mode;
        best_rank = i + j;
      }
    }
  }
  return best;
}

void note_side(std::vector<std::string>& notes, const char* which, const figures::Benchmark* benchmark) {
  if (benchmark == nullptr) return;
  const auto say = [&](const std::string& what) { notes.push_back(std::string(which) + ": " + what); };
  const std::string reason = benchmark->reason.empty() ? "" : ": " + benchmark->reason;
  if (benchmark->failed > 0) say(units::counted(benchmark->failed, "process failed", "processes failed") + reason);
  if (benchmark->failed == 0 && benchmark->skipped > 0) {
    say(units::counted(benchmark->skipped, "process skipped it", "processes skipped it") + reason);
  }
  if (benchmark->disturbed > 0) {
    say(units::counted(benchmark->disturbed, "throttled or shared process left out",
                       "throttled or shared processes left out"));
  }
  if (benchmark->busy > 0) {
    say(units::counted(benchmark->busy, "process", "processes") + " left out: threads waited for a CPU");
  }
  if (benchmark->cut_short > 0) {
    say(units::counted(benchmark->cut_short, "process", "processes") + " left out: interrupted in the middle");
  }
  if (!benchmark->unsettled.empty()) say(benchmark->unsettled);
  if (benchmark->workload_varies) say("the workload varies between processes");
}

// Whether both clocks were read while the work ran, or both beside it. What an older file has is not known, and is
// taken at its word.
bool read_alike(const Side& baseline, const Side& contender) {
  if (!baseline.sm_clock_hz || !contender.sm_clock_hz) return true;
  return baseline.sm_clock_under_load.value_or(true) == contender.sm_clock_under_load.value_or(true);
}

bool is_at_a_clock(const std::optional<record::Limit>& limit) { return limit && limit->clock_hz.value_or(0) > 0; }

void note_clock(std::vector<std::string>& notes, const Side& baseline, const Side& contender) {
  if (!baseline.sm_clock_hz || !contender.sm_clock_hz || !(*baseline.sm_clock_hz > 0)) return;
  if (!read_alike(baseline, contender)) return;  // an idle device has another clock
  if (std::abs(*contender.sm_clock_hz / *baseline.sm_clock_hz - 1) < kOtherClock) return;
  notes.push_back("SM clock " + units::format(*baseline.sm_clock_hz, units::Unit::hertz) + " -> " +
                  units::format(*contender.sm_clock_hz, units::Unit::hertz));
}

// Times that stay the same may hide samples that do not.
void note_tails(Comparison& row, const figures::Locations& before, const figures::Locations& after) {
  row.baseline.tail = stats::median_if_any(before.tails);
  row.contender.tail = stats::median_if_any(after.tails);
  if (!row.baseline.tail || !row.contender.tail || *row.contender.tail < kLongerTail * *row.baseline.tail) return;
  if (stats::mann_whitney(before.tails, after.tails).p_greater > kTailP) return;
  row.longer_tail = true;
  row.notes.push_back("longer tails inside processes: the 99th percentile of samples is at " +
                      units::format_significant(*row.baseline.tail) + " -> " +
                      units::format_significant(*row.contender.tail) + " times the process's location");
}

// The slower side is power-limited by itself, and more so than the faster.
void note_power(Comparison& row) {
  if (row.verdict != Verdict::slower && row.verdict != Verdict::faster) return;
  const double before = row.baseline.power_capped_share.value_or(0);
  const double after = row.contender.power_capped_share.value_or(0);
  const double of_slower = row.verdict == Verdict::slower ? after : before;
  const double of_faster = row.verdict == Verdict::slower ? before : after;
  if (of_slower < figures::kPowerLimitedShare || of_slower - of_faster < kMoreCapped) return;
  row.notes.push_back("power limit met in " + units::format_percent(before) + " -> " + units::format_percent(after) +
                      " of the processes");
}

// A verdict that needs no statistics, and why where the counts do not say it.
struct DataVerdict {
  Verdict verdict;
  std::string why;
};

bool too_disturbed(const figures::Benchmark& benchmark, const Policy& policy) {
  return benchmark.left_out() > 0 &&
         (benchmark.ok == 0 || benchmark.left_out() > policy.most_disturbed * benchmark.measured());
}

bool has_failed(const figures::Benchmark* benchmark) { return benchmark != nullptr && benchmark->failed > 0; }

bool was_skipped(const figures::Benchmark* benchmark) {
  return benchmark != nullptr && benchmark->skipped > 0 && !measured(benchmark) && benchmark->cut_short == 0;
}

std::optional<Verdict> verdict_without_times(const figures::Benchmark* baseline, const figures::Benchmark* contender) {
  if (was_skipped(baseline) && was_skipped(contender)) return Verdict::skipped;
  if (baseline == nullptr) return Verdict::added;
  if (!measured(contender)) return Verdict::missing;
  return measured(baseline) ? std::nullopt : std::optional(Verdict::added);
}

std::string clock_text(const figures::Benchmark& benchmark) {
  if (benchmark.clock.empty()) return "wall time";
  return benchmark.clock.starts_with("of threads") ? "time " + benchmark.clock : benchmark.clock + " time";
}

// Nobody can tell which of two benchmarks of one name is held against what, even where the other side has none.
std::optional<DataVerdict> verdict_of_names(const figures::Benchmark* baseline, const figures::Benchmark* contender,
                                            const SideNames& names) {
  const bool before = baseline != nullptr && baseline->twice, after = contender != nullptr && contender->twice;
  if (!before && !after) return std::nullopt;
  const std::string where =
      before && after ? "either side" : std::string("the ") + (before ? names.baseline : names.contender);
  return DataVerdict{Verdict::not_comparable, "the name occurs twice in one process of " + where};
}

std::optional<DataVerdict> data_verdict(const figures::Benchmark* baseline, const figures::Benchmark* contender,
                                        const Policy& policy, const SideNames& names) {
  if (has_failed(baseline) || has_failed(contender)) return DataVerdict{Verdict::failed, ""};
  if (auto verdict = verdict_of_names(baseline, contender, names)) return verdict;
  if (const auto verdict = verdict_without_times(baseline, contender)) return DataVerdict{*verdict, ""};
  if (baseline->clock != contender->clock) {
    return DataVerdict{Verdict::not_comparable, "different clocks: " + clock_text(*baseline) + " on the " +
                                                    names.baseline + ", " + clock_text(*contender) + " on the " +
                                                    names.contender};
  }
  if (too_disturbed(*baseline, policy) || too_disturbed(*contender, policy)) {
    const bool is_busy = baseline->busy + contender->busy > baseline->disturbed + contender->disturbed;
    return DataVerdict{is_busy ? Verdict::busy : Verdict::throttled, ""};
  }
  if (!(baseline->workload == contender->workload)) {
    return DataVerdict{Verdict::not_comparable, "the two sides do different work: bytes or operations differ"};
  }
  if (!common_mode(*baseline, *contender)) {
    return DataVerdict{Verdict::not_comparable, "the two sides were timed in different modes (cold, hot, host)"};
  }
  return std::nullopt;
}

void fill_times(Candidate& result, const figures::Benchmark& baseline, const figures::Benchmark& contender) {
  Comparison& row = result.row;
  row.mode = common_mode(baseline, contender);
  const figures::Locations& before = *baseline.mode(*row.mode);
  const figures::Locations& after = *contender.mode(*row.mode);
  set_time(row.baseline, baseline, before);
  set_time(row.contender, contender, after);
  // A share of the peak at a clock that was read while the work ran, and one at the highest clock, are two things.
  if (is_at_a_clock(baseline.limit) && !read_alike(row.baseline, row.contender)) {
    row.baseline.share.reset();
    row.contender.share.reset();
  }
  row.verdict = Verdict::inconclusive;
  if (*row.mode != baseline.modes.front().mode || *row.mode != contender.modes.front().mode) {
    row.notes.push_back(std::string("compared ") + record::to_string(*row.mode) +
                        ", which is not the main figure of both sides");
  }
  row.below_floor = figures::is_below_floor(baseline.below_floor || contender.below_floor, *row.mode);
  if (row.below_floor) {
    row.notes.push_back(figures::with_meaning(figures::Warning::below_floor));
  }
  if (!before.are_times() || !after.are_times()) {
    row.notes.push_back(std::string("a time of 0: ") + figures::meaning_of(figures::Warning::below_floor));
    if (!row.below_floor) row.verdict = Verdict::failed;
    return;
  }
  note_tails(row, before, after);
  result.baseline = before.values_s;
  result.contender = after.values_s;
}

// A side that has a time where the other has none. Where two cannot be compared the row says no mode.
void fill_alone(Comparison& row, Side& side, const figures::Benchmark* benchmark) {
  if (benchmark == nullptr || benchmark->modes.empty() || benchmark->twice) return;
  const figures::Locations& known_by = benchmark->modes.front();
  const bool is_other_mode = row.mode && *row.mode != known_by.mode;
  row.mode = is_other_mode ? std::nullopt : std::optional(known_by.mode);
  set_time(side, *benchmark, known_by);
}

// In the mode that the baseline is known by, over all processes.
std::optional<double> unjudged_ratio(const figures::Benchmark& baseline, const figures::Benchmark& contender) {
  const std::vector<figures::Locations>& modes = baseline.modes.empty() ? baseline.left_out_modes : baseline.modes;
  if (modes.empty()) return std::nullopt;
  const std::optional<double> before = baseline.value_of_all_s(modes.front().mode);
  const std::optional<double> after = contender.value_of_all_s(modes.front().mode);
  return before && after ? std::optional(*after / *before) : std::nullopt;
}

bool is_rate(const figures::CounterValues& counter) { return counter.unit.size() > 2 && counter.unit.ends_with("/s"); }

bool all_equal(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

std::vector<double> costs(const figures::CounterValues& counter) {
  std::vector<double> values = counter.values;
  if (counter.better == record::Better::higher) {
    for (double& value : values) value = 1 / value;
  }
  return values;
}

Side counter_side(const figures::CounterValues& counter) {
  Side side;
  side.value = stats::median(counter.values);
  side.processes = static_cast<int>(counter.values.size());
  side.samples = side.processes;
  return side;
}

void conclude_exact(Comparison& row, const figures::CounterValues& before, const figures::CounterValues& after) {
  row.test = Test::equality;
  if (!all_equal(before.values) || !all_equal(after.values)) {
    row.verdict = Verdict::not_comparable;
    row.notes.push_back("declared as exact, but it varies between processes");
    return;
  }
  const double a = before.values.front(), b = after.values.front();
  if (a == b) {
    row.verdict = Verdict::same;
  } else {
    row.verdict = (b > a) == (row.better == record::Better::lower) ? Verdict::slower : Verdict::faster;
  }
}

Candidate counter_candidate(const Comparison& time, const std::string& metric, const figures::CounterValues& before,
                            const figures::CounterValues& after) {
  Candidate result;
  Comparison& row = result.row;
  row.name = time.name;
  row.printed = time.printed;
  row.family = time.family;
  row.metric = metric;
  row.unit = before.unit;
  row.better = before.better;
  row.replication = time.replication;
  row.verdict = Verdict::inconclusive;
  row.baseline = counter_side(before);
  row.contender = counter_side(after);
  if (before.unit != after.unit || before.better != after.better || before.exact != after.exact) {
    row.judged = false;
    row.notes.push_back("the two sides define the counter differently");
    return result;
  }
  const std::vector<double> a = costs(before), b = costs(after);
  const bool has_direction = row.better != record::Better::none;
  row.judged = has_direction && !is_rate(before);
  if (has_direction && stats::are_positive(a) && stats::are_positive(b))
    row.ratio = stats::median(b) / stats::median(a);
  if (before.exact) {
    if (row.judged) conclude_exact(row, before, after);
  } else if (row.judged && row.ratio) {
    result.baseline = a;
    result.contender = b;
  } else if (row.judged) {
    row.notes.push_back("not above 0 in every process: no ratio");
  }
  return result;
}

std::vector<std::string> other_names(const std::string& name, const figures::Benchmark* baseline,
                                     const figures::Benchmark* contender) {
  std::vector<std::string> others;
  for (const figures::Benchmark* benchmark : {baseline, contender}) {
    if (benchmark == nullptr || benchmark->printed.empty() || benchmark->printed == name) continue;
    if (std::ranges::find(others, benchmark->printed) == others.end()) others.push_back(benchmark->printed);
  }
  return others;
}

// One of both sides has it.
Candidate time_candidate(const std::string& name, const figures::Benchmark* baseline,
                         const figures::Benchmark* contender, const Policy& policy, const SideNames& names) {
  const figures::Benchmark& any = baseline != nullptr ? *baseline : *contender;
  Candidate result;
  Comparison& row = result.row;
  row.name = name;
  row.printed = other_names(name, baseline, contender);
  row.family = any.family;
  for (const figures::Benchmark* benchmark : {baseline, contender}) {
    if (benchmark != nullptr && benchmark->replication == figures::Replication::repetition) {
      row.replication = figures::Replication::repetition;
    }
  }
  row.baseline = side_of(baseline);
  row.contender = side_of(contender);
  note_side(row.notes, names.baseline, baseline);
  note_side(row.notes, names.contender, contender);
  if (const std::optional<DataVerdict> verdict = data_verdict(baseline, contender, policy, names)) {
    row.verdict = verdict->verdict;
    if (!verdict->why.empty()) row.notes.insert(row.notes.begin(), verdict->why);
    fill_alone(row, row.baseline, baseline);
    fill_alone(row, row.contender, contender);
    if (row.verdict == Verdict::throttled || row.verdict == Verdict::busy)
      result.unjudged_ratio = unjudged_ratio(*baseline, *contender);
    return result;
  }
  note_clock(row.notes, row.baseline, row.contender);
  fill_times(result, *baseline, *contender);
  return result;
}

// The benchmark's own troubles do not matter where a row is unjudged or undecided.
void set_effect(Comparison& row, const Effect& effect, double p_adjusted, const Policy& policy) {
  row.ratio = effect.ratio;
  row.level = effect.level;
  if (effect.level > 0) {
    row.lower = effect.lower;
    row.upper = effect.upper;
  }
  row.p = effect.p;
  row.p_adjusted = p_adjusted;
  row.mde = effect.mde;
  row.sigma = effect.sigma;
  row.test = effect.test;
  row.verdict = row.below_floor ? Verdict::inconclusive : judge(effect, p_adjusted, policy);
  if (row.verdict == Verdict::inconclusive && !row.below_floor) {
    row.processes_to_decide = processes_to_decide(effect, policy);
  }
  note_power(row);
}

// Rows of as many processes, whose processes can be dealt out together.
using Sizes = std::pair<std::size_t, std::size_t>;

std::vector<double> permutation_p(const std::vector<Candidate*>& tested, const std::vector<std::size_t>& rows,
                                  const Policy& policy) {
  std::vector<stats::TwoSamples> samples;
  for (const std::size_t row : rows) {
    samples.push_back({stats::logarithms(tested[row]->baseline), stats::logarithms(tested[row]->contender)});
  }
  return stats::joint_permutation_p(samples, std::log1p(policy.tolerance));
}

std::vector<double> ranks_p(const std::vector<Effect>& effects, const std::vector<std::size_t>& rows) {
  std::vector<double> p;
  for (const std::size_t row : rows) p.push_back(effects[row].p);
  return stats::holm(p);
}

// Holm over the rows by ranks, and each group of rows that are dealt out together; by Bonferroni over these groups.
std::vector<double> adjusted_p(const std::vector<Candidate*>& tested, const std::vector<Effect>& effects,
                               const Policy& policy) {
  std::vector<std::size_t> by_ranks;
  std::map<Sizes, std::vector<std::size_t>> together;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const Sizes sizes(tested[i]->baseline.size(), tested[i]->contender.size());
    const bool is_dealt = effects[i].test == Test::permutation && std::min(sizes.first, sizes.second) >= 2;
    (is_dealt ? together[sizes] : by_ranks).push_back(i);
  }
  const auto groups = static_cast<double>(together.size() + (by_ranks.empty() ? 0 : 1));
  std::vector<double> adjusted(tested.size(), 1);
  const auto put = [&](const std::vector<std::size_t>& rows, const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) adjusted[rows[i]] = std::min(1.0, groups * p[i]);
  };
  put(by_ranks, ranks_p(effects, by_ranks));
  for (const auto& [sizes, rows] : together) put(rows, permutation_p(tested, rows, policy));
  return adjusted;
}

}  // namespace

std::optional<Verdict> verdict_of(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == '_') c = '-';
  }
  const auto names = names_of(Verdict());
  const auto found = std::ranges::find(names, upper);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Verdict>(found - names.begin()));
}

bool finds_no_change(Verdict verdict) { return verdict == Verdict::same || verdict == Verdict::inconclusive; }

bool has_figures(Verdict verdict) {
  return verdict == Verdict::same || verdict == Verdict::slower || verdict == Verdict::faster ||
         verdict == Verdict::inconclusive || verdict == Verdict::noisier;
}

std::vector<Candidate> candidates_of(const std::string& name, const figures::Benchmark* baseline,
                                     const figures::Benchmark* contender, const Policy& policy,
                                     const SideNames& names) {
  if (baseline == nullptr && contender == nullptr) return {};
  std::vector<Candidate> found{time_candidate(name, baseline, contender, policy, names)};
  if (!has_figures(found.front().row.verdict)) return found;
  const Comparison time = found.front().row;
  for (const auto& [metric, before] : baseline->counters) {
    const auto after = contender->counters.find(metric);
    if (after == contender->counters.end()) continue;
    found.push_back(counter_candidate(time, metric, before, after->second));
  }
  return found;
}

void conclude(std::span<Candidate> candidates, const Policy& policy) {
  std::vector<Candidate*> tested;
  for (Candidate& candidate : candidates) {
    if (!candidate.baseline.empty()) tested.push_back(&candidate);
  }
  std::vector<Effect> effects;
  for (const Candidate* candidate : tested) {
    effects.push_back(effect(candidate->baseline, candidate->contender, policy, tested.size()));
  }
  const std::vector<double> adjusted = adjusted_p(tested, effects, policy);
  for (std::size_t i = 0; i < tested.size(); ++i) set_effect(tested[i]->row, effects[i], adjusted[i], policy);
}

std::vector<std::vector<Comparison>> compare_all(std::span<const figures::Matched> matched, std::size_t baseline,
                                                 std::span<const std::size_t> contenders, const Policy& policy) {
  std::vector<Candidate> candidates;
  std::vector<std::size_t> ends;
  for (const std::size_t contender : contenders) {
    for (const figures::Matched& one : matched) {
      std::ranges::move(candidates_of(one.name, one.in[baseline], one.in[contender], policy),
                        std::back_inserter(candidates));
    }
    ends.push_back(candidates.size());
  }
  conclude(candidates, policy);
  std::vector<std::vector<Comparison>> results;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    std::vector<Comparison>& rows = results.emplace_back();
    for (std::size_t i = begin; i < end; ++i) rows.push_back(std::move(candidates[i].row));
    begin = end;
  }
  return results;
}

}  // namespace cupel::compare
