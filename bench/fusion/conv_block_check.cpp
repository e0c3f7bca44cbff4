#include "bench/fusion/conv_block_check.hpp"

#include <cmath>
#include <cstddef>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::fusion {

using kernels::dot::Convolution;
using kernels::dot::Layout;
using kernels::dot::Pass;
using kernels::dot::Product;

// A product of two such numbers has variance (4 / 3)^2.
Norm random_norm(std::int64_t channels, std::int64_t products, std::uint64_t seed) {
  const double variance = 16.0 / 9.0 * static_cast<double>(products);
  const verify::Generator random(seed);
  const auto at = [&random](std::int64_t c, std::uint64_t which) {
    return random.uniform(4 * static_cast<std::uint64_t>(c) + which);
  };
  Norm norm;
  for (std::int64_t c = 0; c < channels; ++c) {
    norm.gamma.push_back(0.5 + at(c, 0));
    norm.beta.push_back(2 * at(c, 1) - 1);
    norm.mean.push_back(std::sqrt(variance) * (at(c, 2) - 0.5));
    norm.variance.push_back(variance * (0.5 + at(c, 3)));
  }
  return norm;
}

Folded fold(const Norm& norm, double epsilon) {
  Folded folded;
  for (std::size_t c = 0; c < norm.gamma.size(); ++c) {
    const double factor = norm.gamma[c] / std::sqrt(norm.variance[c] + epsilon);
    folded.factor.push_back(static_cast<float>(factor));
    folded.shift.push_back(static_cast<float>(norm.beta[c] - norm.mean[c] * factor));
  }
  return folded;
}

std::vector<float> folded_filter(const Stored& filter, std::int64_t count, const std::vector<float>& factor) {
  const std::int64_t row = count / static_cast<std::int64_t>(factor.size());
  std::vector<float> folded;
  folded.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    folded.push_back(static_cast<float>(filter(i)) * factor[static_cast<std::size_t>(i / row)]);
  }
  return folded;
}

Dot convolved(const Convolution& shape, const Stored& input, const Stored& filter, std::int64_t element) {
  const kernels::dot::Reduction reduction(shape, Pass::forward, layouts_of(Layout::channels_last, shape));
  const kernels::dot::Sum sum = reduction.sum(element);
  const std::int64_t terms = reduction_length(shape, Pass::forward);
  Dot dot;
  for (std::int64_t term = 0; term < terms; ++term) {
    const Product at = reduction.product(sum, term);
    if (!at.present) continue;
    const double product = input(at.left) * filter(at.right);
    dot.sum += product;
    dot.magnitude += std::fabs(product);
  }
  return dot;
}

}  // namespace cupel::bench::fusion
