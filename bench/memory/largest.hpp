// The largest block that can be had, and a device on which a budget is free and no more.
#pragma once

#include <cstdint>
#include <functional>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::memory {

/// Allocators are given so many bytes.
inline constexpr std::int64_t kBudget = std::int64_t{1} << 30;

std::int64_t free_on_device();

/// cudaMalloc, or nullptr where there is no such block.
void* malloc_or_null(std::int64_t bytes);

/// All the memory of the device but the budget: for allocators that have no budget of their own. Throws Skip where less
/// than two budgets are free.
class Ballast {
 public:
  Ballast();

  /// Free on the device beside it, when it was made.
  std::int64_t free_bytes() const { return free_bytes_; }

 private:
  std::int64_t free_bytes_ = 0;
  cuda::DeviceBuffer<char> memory_;
};

/// In bytes, to a page of the device, and at most the budget, by bisection: what can be had, can be had smaller.
/// allocate: nullptr where there is no such block.
std::int64_t largest_block(const std::function<void*(std::int64_t)>& allocate,
                           const std::function<void(void*)>& release);

}  // namespace cupel::bench::memory
