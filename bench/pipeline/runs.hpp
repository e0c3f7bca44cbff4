// Neighbours in a list of indices, which lie one behind the other in a file and can be read at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cupel::bench::pipeline {

/// Calls take(run) for each longest run i, i + 1, ... of `indices` of at most `most` of them, in order.
template <class Take>
void for_each_run(std::span<const std::int64_t> indices, std::size_t most, const Take& take) {
  while (!indices.empty()) {
    std::size_t length = 1;
    while (length < indices.size() && length < most && indices[length] == indices[length - 1] + 1) ++length;
    take(indices.first(length));
    indices = indices.subspan(length);
  }
}

/// Takes `bytes` from the front of `out` and gives them.
inline std::span<std::byte> take_front(std::span<std::byte>& out, std::int64_t bytes) {
  const std::span<std::byte> front = out.first(static_cast<std::size_t>(bytes));
  out = out.subspan(front.size());
  return front;
}

}  // namespace cupel::bench::pipeline
