// How a launch leaves its work to one block, on the multiprocessor that is wanted.
#pragma once

#include <cstdint>

namespace cupel::kernels::memory {

/// The words by which the blocks of a launch agree. Device memory, zeros before the first launch; each launch leaves it
/// ready for the next one of its stream. Several launches at a time need one each.
struct OneBlock {
  std::uint32_t taken;
  std::uint32_t arrived;
  /// Launches that found a block on their multiprocessor. The others have done nothing.
  std::uint32_t found;
};

}  // namespace cupel::kernels::memory
