// The numbers that a training starts from: parameters, images and labels, seeded. The same in every layout: what lies
// where is the layout's, not which number belongs to which channel, row and column. ci/parity-pytorch-step makes the
// same ones.
#pragma once

#include <cstdint>
#include <string_view>
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

/// Images of 3 x 32 x 32 in CIFAR-10's binary form, a byte of label and the bytes of each plane, in batches of the
/// program's size, in order; what is left over is left out. Pixels are put from 0 to 255 to -1 to 1.
/// Throws std::invalid_argument for another form, a label that the net does not have, or less than a batch.
std::vector<Batch> batches_of(const Program& program, std::string_view cifar10);

}  // namespace cupel::bench::step
