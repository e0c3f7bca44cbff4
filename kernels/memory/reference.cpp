#include "kernels/memory/reference.hpp"

#include <cstddef>

#include "kernels/memory/parts.hpp"
#include "kernels/memory/permutation.hpp"

namespace cupel::kernels::memory::reference {

std::uint32_t sum(std::span<const std::uint32_t> in) {
  std::uint32_t total = 0;
  for (const std::uint32_t word : in) total += word;
  return total;
}

std::uint32_t sum_of_turns(std::span<const std::uint32_t> in, std::span<const std::uint64_t> turns) {
  const std::int64_t tiles = static_cast<std::int64_t>(in.size()) / kTileWords;
  std::uint32_t total = 0;
  for (std::size_t p = 0; p < turns.size(); ++p) {
    const Part part = part_of(tiles, static_cast<std::int64_t>(turns.size()), static_cast<std::int64_t>(p));
    const auto length = static_cast<std::uint64_t>(part.end - part.first);
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t times = turns[p] / length + (i < turns[p] % length ? 1 : 0);
      const auto first = static_cast<std::size_t>(part.first + static_cast<std::int64_t>(i)) * kTileWords;
      total += static_cast<std::uint32_t>(times) * sum(in.subspan(first, kTileWords));
    }
  }
  return total;
}

void triad(std::span<const double> a, std::span<const double> b, double factor, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + factor * b[i];
}

void gather(std::span<const std::uint32_t> in, std::int64_t stride, std::span<std::uint32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i * static_cast<std::size_t>(stride)];
}

std::vector<std::int64_t> chain(std::int64_t nodes, std::uint64_t seed) {
  const Permutation order(nodes, seed);
  std::vector<std::int64_t> next(static_cast<std::size_t>(nodes));
  for (std::int64_t i = 0; i < nodes; ++i) next[static_cast<std::size_t>(order(i))] = order((i + 1) % nodes);
  return next;
}

}  // namespace cupel::kernels::memory::reference
