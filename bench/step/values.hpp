// The numbers that a training starts from: parameters, images and labels, seeded. The same in every layout: what lies
// where is the layout's, not which number belongs to which channel, row and column. ci/parity-pytorch-step makes the
// same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/step/program.hpp"

namespace cupel::bench::step {

/// A parameter or a running statistic, as torchvision starts it: convolutions normal with variance 2 / fan out, linear
/// layers uniform, norms 1 and 0.
std::vector<float> first_values(const Program& program, int tensor, std::uint64_t seed);

struct Batch {
  std::vector<float> images;         ///< in the program's layout
  std::vector<std::int32_t> labels;  ///< a row of scores each
};

/// Samples of a problem that can be learnt: each is noise and, as strong, the pattern of its label. seed: which
/// samples; the patterns are those of the problem.
Batch make_batch(const Program& program, std::uint64_t seed);

}  // namespace cupel::bench::step
