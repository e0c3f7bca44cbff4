// An L2 in two halves, as a multiprocessor sees it: lines that are at home in the near one, and in the far one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::memory {

struct Halves {
  std::unique_ptr<cuda::DeviceBuffer<char>> memory;
  /// Numbers of lines of kLine bytes of it, by their home as lone_multiprocessor() sees it.
  std::vector<std::int32_t> near;
  std::vector<std::int32_t> far;
  /// A multiprocessor that is near to the far ones.
  int other = -1;
};

/// Tells homes by how long atomics take, which are done there: some 20 ms. Throws Skip where they do not tell two
/// halves.
Halves find_halves();

}  // namespace cupel::bench::memory
