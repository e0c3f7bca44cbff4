// The element functions, once for all: kernels evaluate them in float, the reference in double, Thrust as it likes.
#pragma once

#include <cmath>
#include <cstdint>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/host_device.hpp"
#include "kernels/common/smooth.hpp"

namespace cupel::kernels::pointwise {

enum class Activation { relu, tanh, sigmoid, gelu_erf, gelu_tanh, silu };

/// "relu", "tanh", "sigmoid", "gelu_erf", "gelu_tanh", "silu".
const char* to_string(Activation activation);

struct Add {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real a, Real b) const {
    return a + b;
  }
};

struct Multiply {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real a, Real b) const {
    return a * b;
  }
};

struct Scale {
  float factor;
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return static_cast<Real>(factor) * x;
  }
};

/// A NaN stays one.
struct Relu {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return x < 0 ? Real(0) : x;
  }
};

struct Tanh {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return kernels::tanh(x);
  }
};

struct Sigmoid {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return sigmoid(x);
  }
};

/// x times the normal distribution function at x. Source: Hendrycks and Gimpel (2016), "Gaussian Error Linear Units".
struct GeluErf {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return x * normal_distribution(x);
  }
};

/// Its approximation by tanh, from the same source; differs from GeluErf by less than 5e-4. (1 + tanh(u)) / 2 is the
/// sigmoid of 2 u, which keeps its digits where u is far below 0.
struct GeluTanh {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    const Real twice_inner = Real(1.59576912160573071) * x * (Real(1) + Real(0.044715) * x * x);
    return x * sigmoid(twice_inner);
  }
};

/// x times its sigmoid.
struct Silu {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x) const {
    return x * sigmoid(x);
  }
};

/// Element i is dropped where the i-th number is below the probability, else scaled so that the mean stays. The number
/// depends on seed and i only: a backward pass makes the same mask again, and nothing is stored. Two elements share 64
/// bits of the generator, which are what dropout costs. 0 <= probability < 1.
struct Dropout {
  CUPEL_HOST_DEVICE Dropout(float drop, std::uint64_t seed)
      : random(seed),
        probability(drop),
        scale(1.0f / (1.0f - drop)),
        dropped(static_cast<std::uint32_t>(std::ceil(drop * 0x1p24f)) << 8) {}

  /// The numbers of elements 2 i and 2 i + 1.
  struct Two {
    std::uint32_t even, odd;
  };
  CUPEL_HOST_DEVICE Two two(std::int64_t i) const {
    const std::uint64_t bits = random.bits(static_cast<std::uint64_t>(i));
    return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
  }
  CUPEL_HOST_DEVICE std::uint32_t number(std::int64_t i) const { return i % 2 == 0 ? two(i / 2).even : two(i / 2).odd; }

  /// An element with its number.
  template <class Real>
  CUPEL_HOST_DEVICE Real with(std::uint32_t number, Real x) const {
    return number < dropped ? Real(0) : x * static_cast<Real>(scale);
  }

  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(std::int64_t i, Real x) const {
    return with(number(i), x);
  }

  verify::Generator random;
  float probability;
  float scale;
  std::uint32_t dropped;  // numbers below it; to 24 bits, as the probability has them
};

/// Calls function(Relu()), function(Tanh()) ... as named.
template <class Function>
decltype(auto) with_activation(Activation activation, Function&& function) {
  switch (activation) {
    case Activation::tanh:
      return function(Tanh());
    case Activation::sigmoid:
      return function(Sigmoid());
    case Activation::gelu_erf:
      return function(GeluErf());
    case Activation::gelu_tanh:
      return function(GeluTanh());
    case Activation::silu:
      return function(Silu());
    case Activation::relu:
      break;
  }
  return function(Relu());
}

/// A chain is the first 2 to 8 of: scale, add, GELU (tanh), multiply, scale, SiLU, add, tanh. The second operand of add
/// and multiply is another array. Its steps keep values of ordinary size ordinary, whatever its length.
inline constexpr int kLongestChain = 8;
inline constexpr float kChainScale = 0.75f;

/// x after step `step` (from 0) of the chain; `other` is the other array's element.
template <int step, class Real>
CUPEL_HOST_DEVICE Real chain_step(Real x, Real other) {
  static_assert(step >= 0 && step < kLongestChain);
  if constexpr (step == 0 || step == 4) return Scale{kChainScale}(x);
  if constexpr (step == 1 || step == 6) return Add()(x, other);
  if constexpr (step == 2) return GeluTanh()(x);
  if constexpr (step == 3) return Multiply()(x, other);
  if constexpr (step == 5) return Silu()(x);
  if constexpr (step == 7) return Tanh()(x);
}

/// The first `operations` steps in a row.
template <int operations>
struct Chain {
  template <class Real>
  CUPEL_HOST_DEVICE Real operator()(Real x, Real other) const {
    if constexpr (operations == 0) {
      return x;
    } else {
      return chain_step<operations - 1>(Chain<operations - 1>()(x, other), other);
    }
  }
};

}  // namespace cupel::kernels::pointwise
