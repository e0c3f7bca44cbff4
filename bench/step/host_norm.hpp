// Norms in double, the obvious loop for each piece: what HostMachine runs for batch and layer norms.
#pragma once

#include <cstddef>
#include <vector>

namespace cupel::bench::step {

/// Which mean and which gamma each element of a norm's input has.
struct NormIndex {
  std::vector<std::size_t> group;    ///< its elements share mean and deviation
  std::vector<std::size_t> channel;  ///< its elements share gamma and beta
  std::size_t groups = 0, channels = 0;
};

/// The mean of each group.
std::vector<double> group_means(const std::vector<double>& x, const NormIndex& norm);

/// The mean squared difference from it of each group.
std::vector<double> group_variances(const std::vector<double>& x, const std::vector<double>& mean,
                                    const NormIndex& norm);

/// 1 / sqrt(variance + kEpsilon).
std::vector<double> inverse_deviations(std::vector<double> variance);

/// (x - mean) * inverse deviation, of its group each.
std::vector<double> standardised(std::vector<double> x, const std::vector<double>& mean,
                                 const std::vector<double>& inverse, const NormIndex& norm);

/// x * gamma + beta, of its channel each.
std::vector<double> scaled(std::vector<double> x, const std::vector<double>& gamma, const std::vector<double>& beta,
                           const NormIndex& norm);

/// The gradient of a norm's input, where mean and deviation depend on it. standard: standardised().
std::vector<double> input_gradient(const std::vector<double>& d_out, const std::vector<double>& standard,
                                   const std::vector<double>& gamma, const std::vector<double>& inverse,
                                   const NormIndex& norm);

/// The same where they do not.
std::vector<double> frozen_input_gradient(std::vector<double> d_out, const std::vector<double>& gamma,
                                          const std::vector<double>& inverse, const NormIndex& norm);

/// The sum of each channel.
std::vector<double> channel_sums(const std::vector<double>& x, const NormIndex& norm);

/// Element by element.
std::vector<double> times(std::vector<double> a, const std::vector<double>& b);

}  // namespace cupel::bench::step
