// The references of the kernels of optimizer.hpp, in plain C++ and double, straight from the papers: not with the
// kernels' functors.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/optimizer/steps.hpp"

namespace cupel::kernels::optimizer::reference {

/// One tensor's arrays in host memory, all of one size.
struct Tensor {
  std::span<double> parameter;
  std::span<const double> gradient;
  std::span<double> m, v;
};

/// step counts from 1.
void adam(const Adam& adam, std::int64_t step, const Tensor& tensor);

/// `m` holds the velocity; v is not used.
void sgd(const Sgd& sgd, const Tensor& tensor);

/// gradient *= factor; returns whether one of them is infinite or NaN.
bool unscale(double factor, std::span<double> gradient);

}  // namespace cupel::kernels::optimizer::reference
