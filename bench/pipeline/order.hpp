// In which order an epoch takes its samples.
#pragma once

#include <cstdint>
#include <vector>

namespace cupel::bench::pipeline {

enum class Order { sequential, shuffled };

/// Each index below `count` once. Shuffled: blocks of `block` neighbours in a random order, which depends on the seed
/// and the epoch only. block >= 1.
std::vector<std::int64_t> order_of(Order order, std::int64_t count, std::int64_t block, std::uint64_t seed,
                                   std::int64_t epoch);

}  // namespace cupel::bench::pipeline
