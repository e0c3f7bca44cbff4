// The steps of an optimizer on one parameter, in operations as small as a loop over tensors would launch them and in
// one: the same functors for kernels (float) and reference (double).
#pragma once

#include <cmath>
#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::optimizer {

/// Adam, and AdamW where `decoupled`. Sources: Kingma and Ba (2015), algorithm 1; Loshchilov and Hutter (2019),
/// algorithm 2.
struct Adam {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  ///< the decay acts on the parameter, not on the gradient
};

/// Stochastic gradient descent: velocity = momentum * velocity + gradient + weight_decay * parameter, parameter -=
/// learning_rate * velocity. Source: Sutskever et al. (2013), as PyTorch writes it.
struct Sgd {
  double learning_rate = 1e-2;
  double momentum = 0.9;
  double weight_decay = 0;
};

/// Everything that belongs to one parameter. SGD keeps its velocity in `m`.
template <class Real>
struct Element {
  Real parameter, gradient, m, v, scratch;
};

/// Which arrays an operation reads or writes.
enum Arrays : unsigned {
  kParameter = 1,
  kGradient = 2,
  kM = 4,
  kV = 8,
  kScratch = 16,
  kCopy = 32,  ///< the parameter in 16 bits; written only
};

// The constants of a step are computed in double once and used in fp32: bias corrections are near 0 in early steps.
struct AdamConstants {
  AdamConstants(const Adam& adam, std::int64_t step);

  float beta1, one_minus_beta1, beta2, one_minus_beta2;
  float epsilon;
  float step_size;                ///< learning rate / (1 - beta1^step)
  float inverse_root_correction;  ///< 1 / sqrt(1 - beta2^step)
  float gradient_decay;           ///< times the parameter, added to the gradient
  float keep;                     ///< times the parameter: 1 - learning rate * decay if decoupled
};

struct SgdConstants {
  explicit SgdConstants(const Sgd& sgd);
  float learning_rate, momentum, gradient_decay;
};

#define CUPEL_OPERATION(name, constants, reads, writes)             \
  struct name {                                                     \
    static constexpr unsigned kReads = (reads), kWrites = (writes); \
    constants c;                                                    \
    template <class Real>                                           \
    CUPEL_HOST_DEVICE void operator()(Element<Real>& e) const;      \
  };                                                                \
  template <class Real>                                             \
  CUPEL_HOST_DEVICE void name::operator()(Element<Real>& e) const

// The operations of a plain loop, in this order.
CUPEL_OPERATION(AdamKeep, AdamConstants, kParameter, kParameter) { e.parameter *= static_cast<Real>(c.keep); }
CUPEL_OPERATION(AdamDecayGradient, AdamConstants, kParameter | kGradient, kGradient) {
  e.gradient += static_cast<Real>(c.gradient_decay) * e.parameter;
}
CUPEL_OPERATION(AdamScaleM, AdamConstants, kM, kM) { e.m *= static_cast<Real>(c.beta1); }
CUPEL_OPERATION(AdamAddToM, AdamConstants, kM | kGradient, kM) {
  e.m += static_cast<Real>(c.one_minus_beta1) * e.gradient;
}
CUPEL_OPERATION(AdamScaleV, AdamConstants, kV, kV) { e.v *= static_cast<Real>(c.beta2); }
CUPEL_OPERATION(AdamAddToV, AdamConstants, kV | kGradient, kV) {
  e.v += static_cast<Real>(c.one_minus_beta2) * e.gradient * e.gradient;
}
CUPEL_OPERATION(AdamRoot, AdamConstants, kV, kScratch) { e.scratch = std::sqrt(e.v); }
CUPEL_OPERATION(AdamCorrect, AdamConstants, kScratch, kScratch) {
  e.scratch *= static_cast<Real>(c.inverse_root_correction);
}
CUPEL_OPERATION(AdamAddEpsilon, AdamConstants, kScratch, kScratch) { e.scratch += static_cast<Real>(c.epsilon); }
CUPEL_OPERATION(AdamMove, AdamConstants, kParameter | kM | kScratch, kParameter) {
  e.parameter -= static_cast<Real>(c.step_size) * e.m / e.scratch;
}

/// All of them in one.
CUPEL_OPERATION(AdamStep, AdamConstants, kParameter | kGradient | kM | kV, kParameter | kM | kV | kCopy) {
  AdamKeep{c}(e);
  AdamDecayGradient{c}(e);
  AdamScaleM{c}(e);
  AdamAddToM{c}(e);
  AdamScaleV{c}(e);
  AdamAddToV{c}(e);
  AdamRoot{c}(e);
  AdamCorrect{c}(e);
  AdamAddEpsilon{c}(e);
  AdamMove{c}(e);
}

CUPEL_OPERATION(SgdDecayGradient, SgdConstants, kParameter | kGradient, kGradient) {
  e.gradient += static_cast<Real>(c.gradient_decay) * e.parameter;
}
CUPEL_OPERATION(SgdScaleM, SgdConstants, kM, kM) { e.m *= static_cast<Real>(c.momentum); }
CUPEL_OPERATION(SgdAddToM, SgdConstants, kM | kGradient, kM) { e.m += e.gradient; }
CUPEL_OPERATION(SgdMove, SgdConstants, kParameter | kM, kParameter) {
  e.parameter -= static_cast<Real>(c.learning_rate) * e.m;
}

CUPEL_OPERATION(SgdStep, SgdConstants, kParameter | kGradient | kM, kParameter | kM | kCopy) {
  SgdDecayGradient{c}(e);
  SgdScaleM{c}(e);
  SgdAddToM{c}(e);
  SgdMove{c}(e);
}

#undef CUPEL_OPERATION

}  // namespace cupel::kernels::optimizer
