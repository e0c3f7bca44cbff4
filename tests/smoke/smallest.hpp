// Which of a family's benchmarks a smoke run takes: each operation once, at its smallest size.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/listing.hpp"

namespace cupel::smoke {

/// The names of those that want the least memory among all that differ in numbers only ("bytes:4096", "kernels:10"); of
/// several, the one with the smallest numbers, the first parameter's first. In the order of the listing.
std::vector<std::string> smallest_of_each(const record::Listing& listing);

}  // namespace cupel::smoke
