// How many strips of rows: enough to fill a large GPU with blocks, but none so short that its threads have less than a
// few rows each.
#include "kernels/norm/column_sums.cuh"

namespace cupel::kernels::norm {
namespace {

constexpr std::int64_t kBlocks = 1024;  // as many as an H200 runs at once, eight to an SM
constexpr std::int64_t kPack = 8;       // columns of a thread, of 16-bit elements
constexpr std::int64_t kRows = 4;       // of a thread in a strip, or more

}  // namespace

int row_strips(const Shape& shape) {
  const std::int64_t packs = (shape.columns + kPack - 1) / kPack;
  const std::int64_t lanes = lanes_of(packs), across = (packs + lanes - 1) / lanes;
  const std::int64_t most = shape.rows / (kRows * (kColumnBlock / lanes));
  return static_cast<int>(std::clamp<std::int64_t>(kBlocks / across, 1, std::max<std::int64_t>(1, most)));
}

std::int64_t partial_floats(const Shape& shape) { return 2 * row_strips(shape) * shape.columns; }

}  // namespace cupel::kernels::norm
