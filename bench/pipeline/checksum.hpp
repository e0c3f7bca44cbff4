// A checksum of bytes: what a sample held when it was made and what it holds now.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {

/// Depends on each byte, its place and the length. Not against malice.
inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = verify::mix(bytes.size() + 1);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
    sum = verify::mix(sum ^ word) + 0x9e3779b97f4a7c15u;
  }
  return sum;
}

}  // namespace cupel::bench::pipeline
