// The effect that a comparison of so many processes could have seen, and how many processes an effect takes. Effects
// are shifts of logarithms: 0.03 stands for about 3 %. Formulas of the gate's design; docs/statistics.md derives the
// constants.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace cupel::stats {

/// The number of standard errors that an effect must be away from zero to be confirmed with 95 % probability: the
/// normal quantiles at one-sided 0.0002 (family-wise 0.002 over ten suspects) and at 95 % power, 3.54 + 1.64, over
/// sqrt(3 / pi), the efficiency of the rank test on normal data.
inline constexpr double kConfirmFactor = 5.3;

/// The number of standard errors for the screen: one-sided 5 % and 95 % power.
inline constexpr double kScreenFactor = 3.3;

/// The numbers of processes a side that a confirmation takes; the least that serves is taken.
inline constexpr std::array kConfirmProcesses{12, 16, 24, 32};

/// Efficiency of the rank test on normal data, sqrt(3 / pi), and the normal quantile of 95 %.
inline constexpr double kRankEfficiency = 0.9772, kNinetyFive = 1.6449;

/// Returns the standard error of the shift between n and m values of the standard deviation sigma.
double standard_error(double sigma, std::size_t n, std::size_t m);

/// Returns the shift whose estimate, with this standard error, reaches the tolerance (a ratio less one) with 95 %
/// probability.
double over_tolerance(double error, double tolerance);

/// Returns the smallest effect found with 95 % probability, with `processes` a side whose locations have the standard
/// deviation sigma: factor * sigma * sqrt(2 / processes). Throws std::invalid_argument for no processes.
double minimum_detectable_effect(double sigma, int processes, double factor = kConfirmFactor);

/// Returns the processes a side that bring the minimum detectable effect down to `effect` > 0; nothing where more than
/// 10^6 are needed. Throws std::invalid_argument unless effect > 0.
std::optional<int> processes_for(double sigma, double effect, double factor = kConfirmFactor);

/// Returns the least of kConfirmProcesses that serves for `effect`, or the greatest where none does. Throws
/// std::invalid_argument unless effect > 0.
int confirm_processes(double sigma, double effect);

/// Returns the standard deviation of a normal sample in which two processes are within `effect` of each other as often
/// as here: a rank test sees an effect as often as a process of one side lies beyond one of the other (Noether 1987).
/// At most the pooled one, and less where tails widen that; 0 without a pair. groups: each of processes that share a
/// centre. Throws std::invalid_argument unless effect > 0.
double rank_sigma(std::span<const std::span<const double>> groups, double effect);

/// Tells whether a promise to find `effect` can be kept: sigma is at most half of it.
bool gateable(double sigma, double effect);

}  // namespace cupel::stats
