#include "cupel/compare/advice_pair.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/compare/busy.hpp"
#include "cupel/compare/paired.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::compare {
namespace {

using record::Mode;
using record::Row;
using record::Status;

// Before and after of one process, in one mode.
struct Pair {
  double before_s = 0, after_s = 0;
  std::string mark;  ///< why it must not decide; empty if it may
};

const record::Series* series_of(const Row& row, Mode mode) {
  const auto found = std::ranges::find(row.series, mode, &record::Series::mode);
  return found == row.series.end() ? nullptr : &*found;
}

// Only single launches have a floor: the harness makes the hot batch the figure where it is there.
std::string mark_of(const Row& row, Mode mode) {
  if (row.below_floor && mode == Mode::cold) return "too short to be told from the cost of measuring";
  if (row.disturbed) return "the GPU was throttled or shared";
  if (mode == Mode::host && is_busy(row)) return "threads waited for a CPU: the machine was busy";
  if (row.telemetry && !row.telemetry->settled) return "the clock had not settled";
  return "";
}

const Row* row_of_process(const TaggedRows& side, int process) {
  for (const Row* row : side.rows) {
    if (row->process == process) return row;
  }
  return nullptr;
}

std::vector<Pair> pairs_in(const TaggedRows& before, const TaggedRows& after, Mode mode) {
  std::vector<Pair> pairs;
  std::set<int> seen;
  for (const Row* b : before.rows) {
    const Row* a = row_of_process(after, b->process);
    if (a == nullptr || !seen.insert(b->process).second) continue;
    if (b->status != Status::ok || a->status != Status::ok) continue;
    const record::Series* of_b = series_of(*b, mode);
    const record::Series* of_a = series_of(*a, mode);
    if (of_b == nullptr || of_a == nullptr || of_b->samples_s.empty() || of_a->samples_s.empty()) continue;
    Pair pair{stats::interquartile_mean(of_b->corrected_s()), stats::interquartile_mean(of_a->corrected_s()),
              mark_of(*b, mode)};
    if (pair.mark.empty()) pair.mark = mark_of(*a, mode);
    // The correction took all of it: there is no ratio.
    if (pair.before_s > 0 && pair.after_s > 0) pairs.push_back(pair);
  }
  return pairs;
}

// The first series is what a benchmark is known by, so the before's order is the order of preference.
std::vector<Mode> modes_of(const TaggedRows& before) {
  std::vector<Mode> modes;
  for (const Row* row : before.rows) {
    for (const record::Series& series : row->series) {
      if (std::ranges::find(modes, series.mode) == modes.end()) modes.push_back(series.mode);
    }
  }
  return modes;
}

std::size_t free_of_marks(const std::vector<Pair>& pairs) {
  return static_cast<std::size_t>(std::ranges::count_if(pairs, [](const Pair& pair) { return pair.mark.empty(); }));
}

struct Chosen {
  std::optional<Mode> mode;
  std::vector<Pair> pairs;
};

// The first mode that both have; one in which nothing may decide gives way to one in which something may.
Chosen choose_mode(const TaggedRows& before, const TaggedRows& after) {
  Chosen best;
  for (const Mode mode : modes_of(before)) {
    std::vector<Pair> pairs = pairs_in(before, after, mode);
    if (pairs.empty()) continue;
    if (best.mode && (free_of_marks(best.pairs) > 0 || free_of_marks(pairs) == 0)) continue;
    best = {mode, std::move(pairs)};
  }
  return best;
}

// Why there is no pair: a failure says more than a skip, and a skip more than a missing mode.
std::string why_no_pair(const TaggedRows& before, const TaggedRows& after) {
  for (const Status status : {Status::failed, Status::skipped}) {
    for (const TaggedRows* side : {&before, &after}) {
      for (const Row* row : side->rows) {
        if (row->status != status) continue;
        const std::string which = side == &before ? "before " : "after ";
        return which + record::to_string(status) + ": " + (row->reason.empty() ? "no reason given" : row->reason);
      }
    }
  }
  return "before and after share no process and mode with a time";
}

double log_tolerance(const AdviceOptions& options) { return std::log1p(options.tolerance); }

AdviceVerdict verdict_of(const stats::Interval& interval, double tolerance) {
  if (interval.low > tolerance) return AdviceVerdict::pays;
  if (interval.high < -tolerance) return AdviceVerdict::harms;
  if (interval.low >= -tolerance && interval.high <= tolerance) return AdviceVerdict::no_difference;
  return AdviceVerdict::undecided;
}

// How far the gain is from the nearest limit between two verdicts.
double distance_from_limit(double shift, double tolerance) { return std::abs(std::abs(shift) - tolerance); }

void judge(AdvicePoint& point, const std::vector<double>& shifts, const AdviceOptions& options) {
  const PairedShift shift = paired_shift(shifts, options.level);
  Gain gain;
  gain.ratio = std::exp(shift.estimate);
  gain.exact = shift.exact;
  if (!shift.interval) {
    point.gain = gain;
    point.verdict = AdviceVerdict::undecided;
    point.reason = "one process says nothing of the differences between processes";
    return;
  }
  gain.low = std::exp(shift.interval->low);
  gain.high = std::exp(shift.interval->high);
  gain.level = shift.interval->level;
  point.gain = gain;
  point.verdict = verdict_of(*shift.interval, log_tolerance(options));
  if (point.verdict != AdviceVerdict::undecided) return;
  point.reason = "the interval reaches across a limit";
  point.needed = differences_for(stats::standard_deviation(shifts),
                                 distance_from_limit(shift.estimate, log_tolerance(options)), options.level);
  // The estimate is no better than the processes it is from: never fewer than there were.
  if (point.needed) point.needed = std::max(*point.needed, static_cast<int>(shifts.size()) + 1);
}

AdvicePoint point_of(const TaggedRows& before, const TaggedRows& after, const AdviceOptions& options) {
  AdvicePoint point;
  point.scenario = before.tag.scenario;
  point.before_name = before.name;
  point.after_name = after.name;
  const Chosen chosen = choose_mode(before, after);
  if (!chosen.mode) {
    point.verdict = AdviceVerdict::not_measurable;
    point.reason = why_no_pair(before, after);
    return point;
  }
  const bool may_decide = free_of_marks(chosen.pairs) > 0;
  std::vector<double> befores_s, afters_s, shifts;
  for (const Pair& pair : chosen.pairs) {
    if (may_decide && !pair.mark.empty()) {
      ++point.left_out;
      continue;
    }
    befores_s.push_back(pair.before_s);
    afters_s.push_back(pair.after_s);
    shifts.push_back(std::log(pair.before_s / pair.after_s));
  }
  point.mode = chosen.mode;
  point.processes = static_cast<int>(shifts.size());
  point.before_s = stats::median(befores_s);
  point.after_s = stats::median(afters_s);
  judge(point, shifts, options);
  if (!may_decide) {
    point.verdict = AdviceVerdict::undecided;
    point.reason = chosen.pairs.front().mark;
    point.needed.reset();
  }
  return point;
}

std::string variant_text(const TaggedRows& before, const TaggedRows& after, bool several_befores) {
  if (!several_befores) return after.tag.variant;
  const std::string& against = before.tag.variant.empty() ? before.name : before.tag.variant;
  return after.tag.variant + (after.tag.variant.empty() ? "against " : " against ") + against;
}

}  // namespace

std::vector<TaggedRows> tagged_rows(const record::ResultSet& results, const std::string& id) {
  std::vector<TaggedRows> all;
  for (const Row& row : results.rows) {
    for (const record::AdviceTag& tag : row.advice) {
      if (tag.id != id) continue;
      const auto same = [&](const TaggedRows& known) { return known.name == row.name && known.tag == tag; };
      auto found = std::ranges::find_if(all, same);
      if (found == all.end()) found = all.insert(all.end(), {tag, row.name, {}});
      found->rows.push_back(&row);
    }
  }
  return all;
}

std::vector<PairedPoint> pair_rows(const std::vector<TaggedRows>& tagged, const AdviceOptions& options) {
  using record::Role;
  std::vector<PairedPoint> points;
  for (const TaggedRows& before : tagged) {
    if (before.tag.role != Role::before) continue;
    const auto rivals = std::ranges::count_if(tagged, [&](const TaggedRows& other) {
      return other.tag.role == Role::before && other.tag.scenario == before.tag.scenario;
    });
    for (const TaggedRows& after : tagged) {
      if (after.tag.role == Role::before || after.tag.scenario != before.tag.scenario) continue;
      points.push_back(
          {point_of(before, after, options), variant_text(before, after, rivals > 1), after.tag.role == Role::after});
    }
  }
  return points;
}

}  // namespace cupel::compare
