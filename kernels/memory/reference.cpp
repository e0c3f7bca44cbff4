#include "kernels/memory/reference.hpp"

#include <cstddef>

#include "kernels/memory/permutation.hpp"

namespace cupel::kernels::memory::reference {

std::uint32_t sum(std::span<const std::uint32_t> in) {
  std::uint32_t total = 0;
  for (const std::uint32_t word : in) total += word;
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
