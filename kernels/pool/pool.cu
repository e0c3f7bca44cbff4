// A thread makes one element of the result, or of channels-last arrays a pack of channels: neighbouring threads read
// neighbouring addresses, and what windows share comes from the caches.
#include <cmath>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/divider.hpp"
#include "kernels/common/vector.cuh"
#include "kernels/pool/pool.hpp"

namespace cupel::kernels::pool {
namespace {

constexpr int kBlock = 256;
constexpr int kMostWindow = 15;  // so that a place fits into a byte

struct Place {
  std::int64_t image, channel, row, column;
};

// Where pack `index` of N channels lies, in the order of memory.
class Order {
 public:
  Order(const Planes& planes, int n)
      : last_(planes.channels_last),
        n_(n),
        channels_(planes.channels / n),
        rows_(planes.height),
        columns_(planes.width) {}

  __device__ Place place(std::int64_t index) const {
    Place p{};
    if (last_) p.channel = take(index, channels_) * n_;
    p.column = take(index, columns_);
    p.row = take(index, rows_);
    if (!last_) p.channel = take(index, channels_);
    p.image = index;
    return p;
  }

 private:
  __device__ static std::int64_t take(std::int64_t& index, const Divider& size) {
    const std::int64_t remainder = size.remainder(index);
    index = size.quotient(index);
    return remainder;
  }

  bool last_;
  int n_;
  Divider channels_, rows_, columns_;
};

__device__ std::int64_t thread() { return std::int64_t{blockIdx.x} * kBlock + threadIdx.x; }

template <int N, class T>
__global__ void __launch_bounds__(kBlock) max_pool_kernel(const T* in, T* out, std::uint8_t* place, Windows w,
                                                          Planes result, Order order, std::int64_t packs) {
  const std::int64_t index = thread();
  if (index >= packs) return;
  const Place p = order.place(index);
  float largest[N];
  Pack<std::uint8_t, N> places;
  bool first = true;
  for (std::int64_t r = 0; r < w.window; ++r) {
    const std::int64_t row = p.row * w.stride - w.padding + r;
    if (row < 0 || row >= w.in.height) continue;
    for (std::int64_t c = 0; c < w.window; ++c) {
      const std::int64_t column = p.column * w.stride - w.padding + c;
      if (column < 0 || column >= w.in.width) continue;
      const Pack<T, N> x = load_pack<N>(in + w.in.at(p.image, p.channel, row, column));
#pragma unroll
      for (int k = 0; k < N; ++k) {
        const float value = to_float(x.values[k]);
        if (first || value > largest[k] || (isnan(value) && !isnan(largest[k]))) {
          largest[k] = value;
          places.values[k] = static_cast<std::uint8_t>(r * w.window + c);
        }
      }
      first = false;
    }
  }
  Pack<T, N> y;
#pragma unroll
  for (int k = 0; k < N; ++k) y.values[k] = from_float<T>(largest[k]);
  const std::int64_t at = result.at(p.image, p.channel, p.row, p.column);
  store_pack<N>(out + at, y);
  store_pack<N>(place + at, places);
}

template <int N, class T>
__global__ void __launch_bounds__(kBlock)
    max_pool_backward_kernel(const T* d_out, const std::uint8_t* place, T* d_in, Windows w, Planes result, Order order,
                             std::int64_t packs) {
  const std::int64_t index = thread();
  if (index >= packs) return;
  const Place p = order.place(index);
  float sum[N] = {};
  // The windows that hold the element: rows from the first whose end is behind it to the last that begins before it.
  const std::int64_t y = p.row + w.padding, x = p.column + w.padding;
  const std::int64_t first_row = y < w.window ? 0 : (y - w.window) / w.stride + 1;
  const std::int64_t first_column = x < w.window ? 0 : (x - w.window) / w.stride + 1;
  for (std::int64_t row = first_row; row <= y / w.stride && row < result.height; ++row) {
    for (std::int64_t column = first_column; column <= x / w.stride && column < result.width; ++column) {
      const auto here = static_cast<int>((y - row * w.stride) * w.window + (x - column * w.stride));
      const std::int64_t at = result.at(p.image, p.channel, row, column);
      const Pack<std::uint8_t, N> places = load_pack<N>(place + at);
      const Pack<T, N> d = load_pack<N>(d_out + at);
#pragma unroll
      for (int k = 0; k < N; ++k) sum[k] += places.values[k] == here ? to_float(d.values[k]) : 0.0f;
    }
  }
  Pack<T, N> gradient;
#pragma unroll
  for (int k = 0; k < N; ++k) gradient.values[k] = from_float<T>(sum[k]);
  store_pack<N>(d_in + w.in.at(p.image, p.channel, p.row, p.column), gradient);
}

template <class T>
__global__ void __launch_bounds__(kBlock) mean_pool_kernel(const T* in, T* out, Planes planes, Divider channels) {
  const std::int64_t index = thread();
  if (index >= planes.images * planes.channels) return;
  const std::int64_t image = channels.quotient(index), channel = channels.remainder(index);
  const std::int64_t size = planes.height * planes.width, step = planes.channels_last ? planes.channels : 1;
  const T* from = in + planes.at(image, channel, 0, 0);
  float sum = 0;
#pragma unroll 8
  for (std::int64_t i = 0; i < size; ++i) sum += to_float(from[i * step]);
  out[index] = from_float<T>(sum / static_cast<float>(size));
}

template <class T>
__global__ void __launch_bounds__(kBlock)
    mean_pool_backward_kernel(const T* d_out, T* d_in, Planes planes, Order order, float inverse_size) {
  const std::int64_t index = thread();
  if (index >= planes.count()) return;
  const Place p = order.place(index);
  d_in[index] = from_float<T>(to_float(d_out[p.image * planes.channels + p.channel]) * inverse_size);
}

unsigned blocks_for(std::int64_t threads) { return static_cast<unsigned>((threads + kBlock - 1) / kBlock); }

void require_planes(const char* function, const Planes& planes) {
  require_argument(planes.images >= 0, function, "images", "0 or more");
  require_argument(planes.channels >= 1 && planes.height >= 1 && planes.width >= 1, function, "planes", "1 or more");
}

void require_windows(const char* function, const Windows& w) {
  require_planes(function, w.in);
  require_argument(w.window >= 1 && w.window <= kMostWindow, function, "window", "1 to 15");
  require_argument(w.stride >= 1, function, "stride", "1 or more");
  require_argument(w.padding >= 0 && 2 * w.padding <= w.window, function, "padding", "at most half a window");
  require_argument(w.in.height + 2 * w.padding >= w.window && w.in.width + 2 * w.padding >= w.window, function,
                   "window", "within the padded plane");
}

// Calls launch(N as a constant) for packs where the arrays allow them, else for single elements.
template <class T, class Launch>
void with_packs(const Planes& planes, const void* a, const void* b, const std::uint8_t* place, const Launch& launch) {
  constexpr int N = kVector<T>;
  const bool places_aligned = reinterpret_cast<std::uintptr_t>(place) % N == 0;
  if (planes.channels_last && planes.channels % N == 0 && is_vector_aligned(a) && is_vector_aligned(b) &&
      places_aligned) {
    return launch(std::integral_constant<int, N>());
  }
  launch(std::integral_constant<int, 1>());
}

}  // namespace

void max_pool(DType type, const void* in, void* out, std::uint8_t* place, const Windows& windows, cudaStream_t stream) {
  require_windows("max_pool", windows);
  const Planes result = windows.out();
  require_array(in, windows.in.count(), size_of(type), "max_pool", "in");
  require_array(out, result.count(), size_of(type), "max_pool", "out");
  require_array(place, result.count(), 1, "max_pool", "place");
  if (result.count() == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    with_packs<T>(windows.in, in, out, place, [&](auto n) {
      constexpr int N = decltype(n)::value;
      const std::int64_t packs = result.count() / N;
      max_pool_kernel<N><<<blocks_for(packs), kBlock, 0, stream>>>(static_cast<const T*>(in), static_cast<T*>(out),
                                                                   place, windows, result, Order(result, N), packs);
    });
  });
  cuda::check(cudaGetLastError());
}

void max_pool_backward(DType type, const void* d_out, const std::uint8_t* place, void* d_in, const Windows& windows,
                       cudaStream_t stream) {
  require_windows("max_pool_backward", windows);
  const Planes result = windows.out();
  require_array(d_out, result.count(), size_of(type), "max_pool_backward", "d_out");
  require_array(place, result.count(), 1, "max_pool_backward", "place");
  require_array(d_in, windows.in.count(), size_of(type), "max_pool_backward", "d_in");
  if (result.count() == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    with_packs<T>(windows.in, d_out, d_in, place, [&](auto n) {
      constexpr int N = decltype(n)::value;
      const std::int64_t packs = windows.in.count() / N;
      max_pool_backward_kernel<N><<<blocks_for(packs), kBlock, 0, stream>>>(
          static_cast<const T*>(d_out), place, static_cast<T*>(d_in), windows, result, Order(windows.in, N), packs);
    });
  });
  cuda::check(cudaGetLastError());
}

void mean_pool(DType type, const void* in, void* out, const Planes& planes, cudaStream_t stream) {
  require_planes("mean_pool", planes);
  require_array(in, planes.count(), size_of(type), "mean_pool", "in");
  require_array(out, planes.images * planes.channels, size_of(type), "mean_pool", "out");
  if (planes.count() == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    mean_pool_kernel<<<blocks_for(planes.images * planes.channels), kBlock, 0, stream>>>(
        static_cast<const T*>(in), static_cast<T*>(out), planes, Divider(planes.channels));
  });
  cuda::check(cudaGetLastError());
}

void mean_pool_backward(DType type, const void* d_out, void* d_in, const Planes& planes, cudaStream_t stream) {
  require_planes("mean_pool_backward", planes);
  require_array(d_out, planes.images * planes.channels, size_of(type), "mean_pool_backward", "d_out");
  require_array(d_in, planes.count(), size_of(type), "mean_pool_backward", "d_in");
  if (planes.count() == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    mean_pool_backward_kernel<<<blocks_for(planes.count()), kBlock, 0, stream>>>(
        static_cast<const T*>(d_out), static_cast<T*>(d_in), planes, Order(planes, 1),
        1.0f / static_cast<float>(planes.height * planes.width));
  });
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::pool
