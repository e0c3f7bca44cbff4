// A batch norm folded into a convolution, and elements of a convolution by the definition. Host code only.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/fusion/epilogue_check.hpp"
#include "kernels/dot/convolution.hpp"

namespace cupel::bench::fusion {

/// Batch norm in inference as a factor and a shift of each channel.
struct Folded {
  std::vector<float> factor, shift;
};

/// Statistics and parameters of a batch norm, an element for each channel.
struct Norm {
  std::vector<double> gamma, beta, mean, variance;
};

/// Random ones for outputs of so many products of numbers uniform in [-2, 2): the norm makes them of size 1.
Norm random_norm(std::int64_t channels, std::int64_t products, std::uint64_t seed);

/// factor = gamma / sqrt(variance + epsilon), shift = beta - mean * factor. Source: Ioffe and Szegedy (2015),
/// algorithm 2.
Folded fold(const Norm& norm, double epsilon);

/// Each row of the filter, one for each output channel, times its factor.
std::vector<float> folded_filter(const Stored& filter, std::int64_t count, const std::vector<float>& factor);

/// Element `element` of the convolution, in the order batch, channel, height, width.
Dot convolved(const kernels::dot::Convolution& shape, const Stored& input, const Stored& filter, std::int64_t element);

}  // namespace cupel::bench::fusion
