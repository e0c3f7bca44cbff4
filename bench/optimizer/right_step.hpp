// The step that every element is held against, in double: plain functions, the same on host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "cupel/verify/host_device.hpp"
#include "kernels/optimizer/steps.hpp"

namespace cupel::bench::optimizer {

/// How far an element may be off: a dozen roundings in fp32 of values of at most 2.
inline constexpr double kAllowed = 12 * 2 * 0x1p-24;

/// Adam's and SGD's formulas, as kernels/optimizer/reference.cpp has them, with what is the same for every element.
struct RightStep {
  bool is_adam = false;
  double learning_rate = 0, decay = 0;
  bool decoupled = false;
  double beta1 = 0;                                                 ///< SGD's momentum
  double beta2 = 0, epsilon = 0, correction1 = 1, correction2 = 1;  ///< of Adam
};

inline RightStep right_step(const kernels::optimizer::Sgd& sgd) {
  return {.learning_rate = sgd.learning_rate, .decay = sgd.weight_decay, .beta1 = sgd.momentum};
}

inline RightStep right_step(const kernels::optimizer::Adam& adam, std::int64_t step) {
  return {.is_adam = true,
          .learning_rate = adam.learning_rate,
          .decay = adam.weight_decay,
          .decoupled = adam.decoupled,
          .beta1 = adam.beta1,
          .beta2 = adam.beta2,
          .epsilon = adam.epsilon,
          .correction1 = 1 - std::pow(adam.beta1, static_cast<double>(step)),
          .correction2 = 1 - std::pow(adam.beta2, static_cast<double>(step))};
}

/// The numbers that a step changes; v is Adam's.
struct Values {
  double parameter, m, v;
};

CUPEL_HOST_DEVICE inline Values after(const RightStep& step, Values was, double gradient) {
  auto [parameter, m, v] = was;
  if (step.decoupled) {
    parameter -= step.learning_rate * step.decay * parameter;
  } else {
    gradient += step.decay * parameter;
  }
  if (!step.is_adam) {
    m = step.beta1 * m + gradient;
    return {parameter - step.learning_rate * m, m, v};
  }
  m = step.beta1 * m + (1 - step.beta1) * gradient;
  v = step.beta2 * v + (1 - step.beta2) * gradient * gradient;
  const double m_hat = m / step.correction1, v_hat = v / step.correction2;
  return {parameter - step.learning_rate * m_hat / (std::sqrt(v_hat) + step.epsilon), m, v};
}

/// False for what is no number.
CUPEL_HOST_DEVICE inline bool is_right(const Values& seen, const Values& expected, double allowed) {
  return std::fabs(seen.parameter - expected.parameter) <= allowed && std::fabs(seen.m - expected.m) <= allowed &&
         std::fabs(seen.v - expected.v) <= allowed;
}

}  // namespace cupel::bench::optimizer
