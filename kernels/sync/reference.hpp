// The results that the counting kernels must give: the obvious loops.
#pragma once

#include <cstdint>
#include <span>

namespace cupel::kernels::sync::reference {

/// data[i] += 1; wraps around.
inline void add_one(std::span<std::uint32_t> data) {
  for (std::uint32_t& element : data) element += 1;
}

/// total += value; wraps around.
inline void accumulate(std::uint32_t value, std::uint32_t& total) { total += value; }

}  // namespace cupel::kernels::sync::reference
