// The activations' derivatives, once for all, as functors.hpp has the activations: d_out times the derivative at x, the
// activation's input.
#pragma once

#include <cmath>

#include "cupel/verify/host_device.hpp"
#include "kernels/pointwise/functors.hpp"

namespace cupel::kernels::pointwise {

/// 0 where x is 0, as frameworks have it. The activation's output does as well as its input: both are positive at once.
struct ReluGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    return x > 0 ? d_out : Real(0);
  }
};

struct TanhGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    const Real t = kernels::tanh(x);
    return d_out * (1 - t * t);
  }
};

struct SigmoidGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    const Real s = Sigmoid()(x);
    return d_out * s * (1 - s);
  }
};

/// The normal distribution function plus x times its density.
struct GeluErfGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    const Real distribution = normal_distribution(x);
    const Real density = Real(0.39894228040143268) * exponential(Real(-0.5) * x * x);
    return d_out * (distribution + x * density);
  }
};

struct GeluTanhGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    const Real square = x * x;
    const Real s = sigmoid(Real(1.59576912160573071) * x * (Real(1) + Real(0.044715) * square));
    const Real slope = Real(1.59576912160573071) * (Real(1) + Real(0.134145) * square);
    return d_out * s * (Real(1) + x * (Real(1) - s) * slope);
  }
};

struct SiluGradient {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real d_out) const {
    const Real s = Sigmoid()(x);
    return d_out * s * (Real(1) + x * (Real(1) - s));
  }
};

/// Calls function(ReluGradient()), function(TanhGradient()) ... as named.
template <class Function>
decltype(auto) with_activation_gradient(Activation activation, Function&& function) {
  switch (activation) {
    case Activation::tanh:
      return function(TanhGradient());
    case Activation::sigmoid:
      return function(SigmoidGradient());
    case Activation::gelu_erf:
      return function(GeluErfGradient());
    case Activation::gelu_tanh:
      return function(GeluTanhGradient());
    case Activation::silu:
      return function(SiluGradient());
    case Activation::relu:
      break;
  }
  return function(ReluGradient());
}

}  // namespace cupel::kernels::pointwise
