// How an array is parted among those who each read a part of it.
#pragma once

#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::memory {

/// Words of a tile, which a block reads in one go, and of a run of tiles.
inline constexpr std::int64_t kTileWords = 4096;
inline constexpr std::int64_t kTilesOfRun = 4;
inline constexpr std::int64_t kRunWords = kTilesOfRun * kTileWords;

/// Tiles from `first` to before `end`.
struct Part {
  std::int64_t first;
  std::int64_t end;
};

/// The `index`-th of `parts` parts of `tiles` tiles, which differ by one tile at most.
CUPEL_HOST_DEVICE constexpr Part part_of(std::int64_t tiles, std::int64_t parts, std::int64_t index) {
  return {index * tiles / parts, (index + 1) * tiles / parts};
}

}  // namespace cupel::kernels::memory
