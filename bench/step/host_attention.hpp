// Attention in double, the obvious loops: what HostMachine runs.
#pragma once

#include <cstdint>
#include <vector>

namespace cupel::bench::step {

/// The shape of attention: each sample has `places` vectors of `channels` numbers, cut into heads. qkv has a query, a
/// key and a value for each place, one behind the other.
struct AttentionShape {
  std::int64_t samples, places, channels, heads;
  std::int64_t head_size() const { return channels / heads; }
};

struct Attended {
  std::vector<double> out;            ///< samples x places x channels
  std::vector<double> probabilities;  ///< samples x heads x places x places
};

Attended attend(const std::vector<double>& qkv, const AttentionShape& shape);

/// The gradient of qkv; `probabilities` are what attend() gave.
std::vector<double> attend_backward(const std::vector<double>& qkv, const std::vector<double>& probabilities,
                                    const std::vector<double>& d_out, const AttentionShape& shape);

}  // namespace cupel::bench::step
