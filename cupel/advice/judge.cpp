#include "cupel/advice/stages.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/advice/paired_shift.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::advice {
namespace {

double log_tolerance(const AdviceOptions& options) { return std::log1p(options.tolerance); }

AdviceVerdict verdict_of(const stats::Interval& interval, double tolerance) {
  if (interval.low > tolerance) return AdviceVerdict::pays;
  if (interval.high < -tolerance) return AdviceVerdict::harms;
  if (interval.low >= -tolerance && interval.high <= tolerance) return AdviceVerdict::no_difference;
  return AdviceVerdict::undecided;
}

// How far the gain is from the nearest limit between two verdicts.
double distance_from_limit(double shift, double tolerance) { return std::abs(std::abs(shift) - tolerance); }

}  // namespace

void judge(AdvicePoint& point, const std::vector<double>& shifts, const AdviceOptions& options) {
  const PairedShift shift = paired_shift(shifts, options.level);
  Gain gain;
  gain.ratio = std::exp(shift.estimate);
  if (!shift.interval) {
    point.gain = gain;
    point.verdict = AdviceVerdict::undecided;
    point.reason = "one process says nothing of the differences between processes";
    return;
  }
  const auto [least, greatest] = std::ranges::minmax(shifts);
  gain.is_interval = shift.exact;
  gain.low = std::exp(shift.exact ? shift.interval->low : least);
  gain.high = std::exp(shift.exact ? shift.interval->high : greatest);
  if (shift.exact) gain.level = shift.interval->level;
  point.gain = gain;
  point.verdict = verdict_of(*shift.interval, log_tolerance(options));
  if (point.verdict != AdviceVerdict::undecided) return;
  point.reason = "the processes leave it open";
  point.needed = differences_for(stats::standard_deviation(shifts),
                                 distance_from_limit(shift.estimate, log_tolerance(options)), options.level);
  // The estimate is no better than the processes it is from: never fewer than there were.
  if (point.needed) point.needed = std::max(*point.needed, static_cast<int>(shifts.size()) + 1);
}

}  // namespace cupel::advice
