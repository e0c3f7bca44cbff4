#include "kernels/scatter/scatter.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/divider.hpp"

namespace cupel::kernels::scatter {
namespace {

constexpr int kBlock = 256;

__device__ std::int64_t thread() { return std::int64_t{blockIdx.x} * kBlock + threadIdx.x; }

unsigned blocks(std::int64_t threads) { return static_cast<unsigned>((threads + kBlock - 1) / kBlock); }

__global__ void __launch_bounds__(kBlock)
    add_by_atomics_kernel(const float* source, const std::int64_t* index, float* out, Divider columns,
                          std::int64_t width, std::int64_t elements) {
  const std::int64_t at = thread();
  if (at >= elements) return;
  const std::int64_t row = columns.quotient(at), column = at - row * width;
  atomicAdd(out + index[row] * width + column, source[at]);
}

// A thread for each element of the sorted rows: that of the first row of a run adds up all of the run.
__global__ void __launch_bounds__(kBlock)
    add_runs_kernel(const float* source, const std::int64_t* sorted, const std::int64_t* positions, float* out,
                    Divider columns, std::int64_t width, std::int64_t count) {
  const std::int64_t at = thread();
  if (at >= count * width) return;
  std::int64_t row = columns.quotient(at);
  const std::int64_t column = at - row * width, to = sorted[row];
  if (row > 0 && sorted[row - 1] == to) return;
  float sum = out[to * width + column];
  for (; row < count && sorted[row] == to; ++row) sum += source[positions[row] * width + column];
  out[to * width + column] = sum;
}

struct Pixel {
  std::int64_t plane, row, column;
};

// Pixel `index` of planes of height x width.
class Pixels {
 public:
  Pixels(std::int64_t height, std::int64_t width) : height_(height), width_(width), rows_(height), columns_(width) {}

  __device__ Pixel operator()(std::int64_t index) const {
    const std::int64_t line = columns_.quotient(index), plane = rows_.quotient(line);
    return {plane, line - plane * height_, index - line * width_};
  }

 private:
  std::int64_t height_, width_;
  Divider rows_, columns_;
};

__global__ void __launch_bounds__(kBlock)
    upsample_by_atomics_kernel(const float* d_out, float* d_in, Upsampling sizes, Pixels pixels) {
  const std::int64_t index = thread();
  if (index >= sizes.out_count()) return;
  const Pixel p = pixels(index);
  const Taps y = taps(p.row, sizes.height), x = taps(p.column, sizes.width);
  float* plane = d_in + p.plane * sizes.height * sizes.width;
  const float d = d_out[index];
  atomicAdd(plane + y.first * sizes.width + x.first, (1 - y.weight) * (1 - x.weight) * d);
  atomicAdd(plane + y.first * sizes.width + x.second, (1 - y.weight) * x.weight * d);
  atomicAdd(plane + y.second * sizes.width + x.first, y.weight * (1 - x.weight) * d);
  atomicAdd(plane + y.second * sizes.width + x.second, y.weight * x.weight * d);
}

// Element k has parts in 2k - 1 to 2k + 2 alone.
__global__ void __launch_bounds__(kBlock)
    upsample_by_gathering_kernel(const float* d_out, float* d_in, Upsampling sizes, Pixels pixels) {
  const std::int64_t index = thread();
  if (index >= sizes.in_count()) return;
  const Pixel p = pixels(index);
  const std::int64_t height = 2 * sizes.height, width = 2 * sizes.width;
  const float* plane = d_out + p.plane * height * width;
  float sum = 0;
#pragma unroll
  for (int i = -1; i <= 2; ++i) {
    const std::int64_t row = 2 * p.row + i;
    if (row < 0 || row >= height) continue;
    const float of_row = share(row, p.row, sizes.height);
#pragma unroll
    for (int j = -1; j <= 2; ++j) {
      const std::int64_t column = 2 * p.column + j;
      if (column < 0 || column >= width) continue;
      sum += of_row * share(column, p.column, sizes.width) * plane[row * width + column];
    }
  }
  d_in[index] = sum;
}

// Radix sort looks at the bits that indices can have.
int bits_of(std::int64_t rows) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))));
}

std::size_t bytes_to_sort(std::int64_t count) {
  std::size_t bytes = 0;
  const std::int64_t* in = nullptr;
  std::int64_t* out = nullptr;
  cuda::check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, in, out, in, out, count));
  return std::max<std::size_t>(bytes, 1);
}

std::vector<std::int64_t> numbered(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void require_rows(const Rows& sizes, const float* source, const std::int64_t* index, const float* out,
                  const char* function) {
  require_argument(sizes.columns > 0, function, "columns", "at least 1");
  require_array(source, sizes.count * sizes.columns, sizeof(float), function, "source");
  require_array(index, sizes.count, sizeof(std::int64_t), function, "index");
  require_array(out, sizes.rows * sizes.columns, sizeof(float), function, "out");
}

void require_planes(const Upsampling& sizes, const float* d_out, const float* d_in, const char* function) {
  require_argument(sizes.planes >= 0, function, "planes", "0 or more");
  require_argument(sizes.height > 0 && sizes.width > 0, function, "height and width", "at least 1");
  require_array(d_out, sizes.out_count(), sizeof(float), function, "d_out");
  require_array(d_in, sizes.in_count(), sizeof(float), function, "d_in");
}

}  // namespace

SortWorkspace::SortWorkspace(std::int64_t count)
    : count_(count),
      sorted_(static_cast<std::size_t>(count)),
      positions_(std::span<const std::int64_t>(numbered(count))),
      sorted_positions_(static_cast<std::size_t>(count)),
      temporary_(bytes_to_sort(count)) {}

void add_rows_by_atomics(const Rows& sizes, const float* source, const std::int64_t* index, float* out,
                         cudaStream_t stream) {
  require_rows(sizes, source, index, out, "add_rows_by_atomics");
  const std::int64_t elements = sizes.count * sizes.columns;
  if (elements == 0) return;
  add_by_atomics_kernel<<<blocks(elements), kBlock, 0, stream>>>(source, index, out, Divider(sizes.columns),
                                                                 sizes.columns, elements);
  cuda::check(cudaGetLastError());
}

void add_rows_by_sorting(const Rows& sizes, const float* source, const std::int64_t* index, SortWorkspace& workspace,
                         float* out, cudaStream_t stream) {
  require_rows(sizes, source, index, out, "add_rows_by_sorting");
  require_argument(workspace.count() >= sizes.count, "add_rows_by_sorting", "workspace", "for as many indices");
  const std::int64_t elements = sizes.count * sizes.columns;
  if (elements == 0) return;
  std::size_t bytes = workspace.temporary_bytes();
  cuda::check(cub::DeviceRadixSort::SortPairs(workspace.temporary(), bytes, index, workspace.sorted(),
                                              workspace.positions(), workspace.sorted_positions(), sizes.count, 0,
                                              bits_of(sizes.rows), stream));
  add_runs_kernel<<<blocks(elements), kBlock, 0, stream>>>(source, workspace.sorted(), workspace.sorted_positions(),
                                                           out, Divider(sizes.columns), sizes.columns, sizes.count);
  cuda::check(cudaGetLastError());
}

void upsample_backward_by_atomics(const Upsampling& sizes, const float* d_out, float* d_in, cudaStream_t stream) {
  require_planes(sizes, d_out, d_in, "upsample_backward_by_atomics");
  if (sizes.in_count() == 0) return;
  upsample_by_atomics_kernel<<<blocks(sizes.out_count()), kBlock, 0, stream>>>(
      d_out, d_in, sizes, Pixels(2 * sizes.height, 2 * sizes.width));
  cuda::check(cudaGetLastError());
}

void upsample_backward_by_gathering(const Upsampling& sizes, const float* d_out, float* d_in, cudaStream_t stream) {
  require_planes(sizes, d_out, d_in, "upsample_backward_by_gathering");
  if (sizes.in_count() == 0) return;
  upsample_by_gathering_kernel<<<blocks(sizes.in_count()), kBlock, 0, stream>>>(d_out, d_in, sizes,
                                                                                Pixels(sizes.height, sizes.width));
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::scatter
