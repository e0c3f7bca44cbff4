// A random order of 0 ... size - 1 that is computed, not stored: any place of it, anywhere.
#pragma once

#include <bit>
#include <cstdint>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::memory {

/// One to one on 0 ... size - 1. Multiplying by an odd number and folding the upper bits on the lower ones are both one
/// to one on k bits; what falls outside the size is mapped again until it falls inside ("cycle walking": Black and
/// Rogaway (2002), "Ciphers with arbitrary finite domains", section 4), twice on average at most.
class Permutation {
 public:
  /// size >= 1.
  constexpr Permutation(std::int64_t size, std::uint64_t seed)
      : size_(static_cast<std::uint64_t>(size)),
        bits_(static_cast<int>(std::bit_width(size_ - 1))),
        mask_(size_ == 1 ? 0 : ~std::uint64_t{0} >> (64 - bits_)),
        keys_{verify::mix(seed + 1) | 1, verify::mix(seed + 2), verify::mix(seed + 3) | 1} {}

  CUPEL_HOST_DEVICE constexpr std::int64_t operator()(std::int64_t i) const {
    auto x = static_cast<std::uint64_t>(i);
    do {
      x = mixed(x);
    } while (x >= size_);
    return static_cast<std::int64_t>(x);
  }

 private:
  CUPEL_HOST_DEVICE constexpr std::uint64_t mixed(std::uint64_t x) const {
    const int fold = bits_ / 2 + 1;
    x = (x * keys_[0] + keys_[1]) & mask_;
    x ^= x >> fold;
    x = (x * keys_[2]) & mask_;
    x ^= x >> fold;
    return (x * keys_[0] + keys_[2]) & mask_;
  }

  std::uint64_t size_;
  int bits_;
  std::uint64_t mask_;
  std::uint64_t keys_[3];
};

/// The node that a walk of `steps` from the start reaches: node chain[i] points to node chain[i + 1], around.
CUPEL_HOST_DEVICE constexpr std::int64_t node_after(const Permutation& chain, std::int64_t nodes, std::int64_t steps) {
  return chain(steps % nodes);
}

}  // namespace cupel::kernels::memory
