#include "bench/step/host_norm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "bench/step/program.hpp"

namespace cupel::bench::step {

using Values = std::vector<double>;

Values group_means(const Values& x, const NormIndex& norm) {
  const double size = static_cast<double>(x.size()) / static_cast<double>(norm.groups);
  Values mean(norm.groups);
  for (std::size_t i = 0; i < x.size(); ++i) mean[norm.group[i]] += x[i] / size;
  return mean;
}

Values group_variances(const Values& x, const Values& mean, const NormIndex& norm) {
  Values squares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = std::pow(x[i] - mean[norm.group[i]], 2);
  return group_means(squares, norm);
}

Values inverse_deviations(Values variance) {
  for (double& v : variance) v = 1 / std::sqrt(v + static_cast<double>(kEpsilon));
  return variance;
}

Values standardised(Values x, const Values& mean, const Values& inverse, const NormIndex& norm) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] - mean[norm.group[i]]) * inverse[norm.group[i]];
  return x;
}

Values scaled(Values x, const Values& gamma, const Values& beta, const NormIndex& norm) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] * gamma[norm.channel[i]] + beta[norm.channel[i]];
  return x;
}

// d_x = inverse * (g - mean of g - x * mean of g x) with g = d_out * gamma and x standardised, means over each group.
Values input_gradient(const Values& d_out, const Values& standard, const Values& gamma, const Values& inverse,
                      const NormIndex& norm) {
  const Values g = scaled(d_out, gamma, Values(norm.channels), norm);
  const Values mean = group_means(g, norm), along = group_means(times(g, standard), norm);
  Values d_x(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const std::size_t group = norm.group[i];
    d_x[i] = inverse[group] * (g[i] - mean[group] - standard[i] * along[group]);
  }
  return d_x;
}

Values frozen_input_gradient(Values d_out, const Values& gamma, const Values& inverse, const NormIndex& norm) {
  return standardised(scaled(std::move(d_out), gamma, Values(norm.channels), norm), Values(norm.groups), inverse, norm);
}

Values channel_sums(const Values& x, const NormIndex& norm) {
  Values sum(norm.channels);
  for (std::size_t i = 0; i < x.size(); ++i) sum[norm.channel[i]] += x[i];
  return sum;
}

Values times(Values a, const Values& b) {
  std::ranges::transform(a, b, a.begin(), std::multiplies());
  return a;
}

}  // namespace cupel::bench::step
