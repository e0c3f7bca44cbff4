// Where each tensor of a program lies in memory. Host code only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bench/step/program.hpp"

namespace cupel::bench::step {

/// The operations from the first to the last that use a tensor, by their places in the program.
struct Lifetime {
  int first = -1, last = -1;  ///< -1: none does
  bool meets(const Lifetime& other) const {
    return first >= 0 && other.first >= 0 && first <= other.last && other.first <= last;
  }
};

/// The lifetimes of all tensors.
std::vector<Lifetime> lifetimes(const Program& program);

/// The same where nothing is given back before the end: a forward pass in which a backward one may follow.
std::vector<Lifetime> kept_lifetimes(const Program& program);

struct Plan {
  std::vector<std::int64_t> offset;             ///< of each tensor, in bytes, in the memory of its home
  std::array<std::int64_t, kHomes> bytes = {};  ///< of each home
  std::int64_t most_live_bytes = 0;             ///< of planned tensors at once: no plan needs less

  std::int64_t bytes_of(Home home) const { return bytes[static_cast<std::size_t>(home)]; }
  std::int64_t total_bytes() const;
};

/// Tensors that live at once lie apart; each starts at a multiple of kAlignBytes. In each home but `planned` they lie
/// one behind the other. Source: Pisarchyk and Lee (2020), "Efficient Memory Management for Deep Neural Net Inference",
/// section 5, greedy by size: the largest first, each in the smallest gap that holds it.
Plan make_plan(const Program& program, const std::vector<Lifetime>& lifetimes);

inline constexpr std::int64_t kAlignBytes = 256;

}  // namespace cupel::bench::step
