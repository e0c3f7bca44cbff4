// The references of the kernels of memory.hpp, in plain C++. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cupel::kernels::memory::reference {

/// The sum of all words, modulo 2^32.
std::uint32_t sum(std::span<const std::uint32_t> in);

/// The sum of the words that have been read when of part p of turns.size() (part_of()) so many tiles as turns[p] were
/// read, from its first one on and around, modulo 2^32. in: whole tiles.
std::uint32_t sum_of_turns(std::span<const std::uint32_t> in, std::span<const std::uint64_t> turns);

/// out[i] = a[i] + factor * b[i], in double.
void triad(std::span<const double> a, std::span<const double> b, double factor, std::span<double> out);

/// out[i] = in[i * stride].
void gather(std::span<const std::uint32_t> in, std::int64_t stride, std::span<std::uint32_t> out);

/// next[n] is the node that node n points to.
std::vector<std::int64_t> chain(std::int64_t nodes, std::uint64_t seed);

}  // namespace cupel::kernels::memory::reference
