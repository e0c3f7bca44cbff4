// Works out the gradients of a reference from the reference alone.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace cupel::kernels::test {

/// d(weights . f(x)) / dx by central differences: off by h^2 times a third derivative, and by rounding over h = 1e-5.
inline std::vector<double> by_differences(std::vector<double> x, const std::vector<double>& weights,
                                          const std::function<std::vector<double>(const std::vector<double>&)>& f) {
  constexpr double kStep = 1e-5;
  const auto value = [&] {
    const std::vector<double> y = f(x);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += weights[i] * y[i];
    return sum;
  };
  std::vector<double> gradient(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double middle = x[i];
    x[i] = middle + kStep;
    const double above = value();
    x[i] = middle - kStep;
    gradient[i] = (above - value()) / (2 * kStep);
    x[i] = middle;
  }
  return gradient;
}

}  // namespace cupel::kernels::test
