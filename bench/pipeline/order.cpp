#include "bench/pipeline/order.hpp"

#include <algorithm>
#include <numeric>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {

std::vector<std::int64_t> order_of(Order order, std::int64_t count, std::int64_t block, std::uint64_t seed,
                                   std::int64_t epoch) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>((count + block - 1) / block));
  std::iota(blocks.begin(), blocks.end(), 0);
  if (order == Order::shuffled) {
    // Fisher and Yates; std::shuffle differs from library to library.
    const verify::Generator random(verify::mix(seed) + static_cast<std::uint64_t>(epoch));
    for (std::size_t left = blocks.size(); left > 1; --left) {
      std::swap(blocks[left - 1], blocks[random.bits(left) % left]);
    }
  }
  std::vector<std::int64_t> indices;
  indices.reserve(static_cast<std::size_t>(count));
  for (const std::int64_t b : blocks) {
    for (std::int64_t i = b * block; i < std::min(count, (b + 1) * block); ++i) indices.push_back(i);
  }
  return indices;
}

}  // namespace cupel::bench::pipeline
