// A block takes a few queries, a thread every kBlock-th key: it reads and converts a key and its value once for all of
// the block's queries, whose own elements lie in shared memory. Sums of exponentials are rescaled whenever a greater
// score appears (Milakov and Gimelshein (2018), algorithm 3), the sums of slopes with them.
#include "cupel/cuda/cuda.hpp"
#include "kernels/attention/statistics.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/convert.hpp"

namespace cupel::kernels::attention {
namespace {

constexpr int kWarp = 32;
constexpr int kBlock = 128;
constexpr int kQueries = 4;  // of a block: their 20 sums and 8 products stay in registers

// Over the keys seen so far, with exp(score - greatest) for each.
struct Sums {
  double greatest = -INFINITY, weights = 0, slopes = 0, squares = 0, norms = 0;

  __device__ void rescale(double to) {
    if (to == greatest) return;  // -inf less -inf is no number
    const double factor = exp(greatest - to);
    weights *= factor;
    slopes *= factor;
    squares *= factor;
    norms *= factor * factor;
    greatest = to;
  }
  __device__ void add(double score, double slope) {
    if (score > greatest) rescale(score);
    const double weight = exp(score - greatest);
    weights += weight;
    slopes += weight * slope;
    squares += weight * slope * slope;
    norms += weight * weight * slope * slope;
  }
  __device__ void add(Sums other) {
    const double both = fmax(greatest, other.greatest);
    rescale(both);
    other.rescale(both);
    weights += other.weights;
    slopes += other.slopes;
    squares += other.squares;
    norms += other.norms;
  }
};

__device__ Sums from_lane(const Sums& sums, int distance) {
  Sums other;
  other.greatest = __shfl_down_sync(~0u, sums.greatest, distance);
  other.weights = __shfl_down_sync(~0u, sums.weights, distance);
  other.slopes = __shfl_down_sync(~0u, sums.slopes, distance);
  other.squares = __shfl_down_sync(~0u, sums.squares, distance);
  other.norms = __shfl_down_sync(~0u, sums.norms, distance);
  return other;
}

// Right in thread 0.
__device__ Sums joined(Sums sums, Sums* of_warps) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) sums.add(from_lane(sums, distance));
  if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = sums;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < kBlock / kWarp; ++warp) sums.add(of_warps[warp]);
  }
  __syncthreads();  // of_warps may be used again
  return sums;
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    statistics_kernel(const T* q, const T* k, const T* v, const T* d_out, HeadShape shape, RowStatistics* found) {
  __shared__ double queries[kQueries][kMostSize], gradients[kQueries][kMostSize];
  __shared__ double of_warps_memory[kBlock / kWarp * 5];
  const std::int64_t first = std::int64_t{blockIdx.x} * kQueries;
  const int here = static_cast<int>(shape.sequence - first < kQueries ? shape.sequence - first : kQueries);
  const int size = static_cast<int>(shape.size);
  for (int i = 0; i < kQueries; ++i) {
    for (int c = static_cast<int>(threadIdx.x); c < size; c += kBlock) {
      // Where the sequence ends, others' elements are taken and thrown away.
      const std::int64_t row = first + (i < here ? i : 0);
      queries[i][c] = static_cast<double>(to_float(q[row * size + c]));
      gradients[i][c] = static_cast<double>(to_float(d_out[row * size + c]));
    }
  }
  __syncthreads();

  Sums sums[kQueries];
  const std::int64_t keys = shape.causal ? first + here : shape.sequence;
  for (std::int64_t j = threadIdx.x; j < keys; j += kBlock) {
    double scores[kQueries] = {}, slopes[kQueries] = {};
    for (int c = 0; c < size; ++c) {
      const auto key = static_cast<double>(to_float(k[j * size + c]));
      const auto value = static_cast<double>(to_float(v[j * size + c]));
#pragma unroll
      for (int i = 0; i < kQueries; ++i) {
        scores[i] += queries[i][c] * key;
        slopes[i] += gradients[i][c] * value;
      }
    }
#pragma unroll
    for (int i = 0; i < kQueries; ++i) {
      if (!shape.causal || j <= first + i) sums[i].add(shape.scale * scores[i], slopes[i]);
    }
  }

  auto* of_warps = reinterpret_cast<Sums*>(of_warps_memory);
#pragma unroll
  for (int i = 0; i < kQueries; ++i) {
    const Sums all = joined(sums[i], of_warps);
    if (threadIdx.x == 0 && i < here) {
      found[first + i] = {all.greatest + log(all.weights), all.slopes / all.weights, sqrt(all.squares / all.weights),
                          sqrt(all.norms) / all.weights};
    }
  }
}

}  // namespace

void row_statistics(DType type, const void* q, const void* k, const void* v, const void* d_out, const HeadShape& shape,
                    RowStatistics* found, cudaStream_t stream) {
  constexpr const char* kName = "row_statistics";
  require_argument(shape.sequence >= 0, kName, "shape.sequence", "0 or more");
  require_argument(shape.size >= 1 && shape.size <= kMostSize, kName, "shape.size", "1 to 256");
  const std::int64_t count = shape.sequence * shape.size;
  require_arrays({{q, "q"}, {k, "k"}, {v, "v"}, {d_out, "d_out"}}, count, size_of(type), kName);
  require_array(found, shape.sequence, alignof(RowStatistics), kName, "found");
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((shape.sequence + kQueries - 1) / kQueries);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    statistics_kernel<<<blocks, kBlock, 0, stream>>>(static_cast<const T*>(q), static_cast<const T*>(k),
                                                     static_cast<const T*>(v), static_cast<const T*>(d_out), shape,
                                                     found);
    cuda::check(cudaGetLastError());
  });
}

}  // namespace cupel::kernels::attention
