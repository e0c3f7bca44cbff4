// Images made from a seed that are to a JPEG coder what photographs are: areas, edges and a grain.
#pragma once

#include <cstdint>
#include <vector>

namespace cupel::bench::pipeline {

/// height x width x 3 bytes. Depends on seed, index and size only.
std::vector<std::uint8_t> synthetic_image(std::uint64_t seed, std::int64_t index, int height, int width);

}  // namespace cupel::bench::pipeline
