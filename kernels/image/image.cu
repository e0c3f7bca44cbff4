// A thread makes one pixel, its three channels together: they share the place that is looked up.
#include "kernels/image/image.hpp"

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/divider.hpp"

namespace cupel::kernels::image {
namespace {

constexpr int kBlock = 256;
constexpr int kLargestSide = 32768;

// Pixels of all images, numbered through.
struct Pixels {
  Pixels(std::int64_t images, Size s)
      : count(images * s.height * s.width), size(s), columns(s.width), area(std::int64_t{s.height} * s.width) {}

  struct Place {
    std::int64_t image;
    int y, x;
  };
  __device__ Place place(std::int64_t pixel) const {
    const std::int64_t image = area.quotient(pixel), inside = area.remainder(pixel);
    const auto y = static_cast<int>(columns.quotient(inside));
    return {image, y, static_cast<int>(inside - std::int64_t{y} * size.width)};
  }

  std::int64_t count;
  Size size;
  Divider columns, area;
};

template <class Operation>
__global__ void __launch_bounds__(kBlock) for_each_pixel(std::int64_t count, Operation operation) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (pixel < count) operation(pixel);
}

template <class Operation>
void launch(const Pixels& pixels, const Operation& operation, cudaStream_t stream) {
  if (pixels.count == 0) return;
  const auto blocks = static_cast<unsigned>((pixels.count + kBlock - 1) / kBlock);
  for_each_pixel<<<blocks, kBlock, 0, stream>>>(pixels.count, operation);
  cuda::check(cudaGetLastError());
}

// A byte's value, normalised: one multiply-add. (x / 255 - mean) / deviation = x * factor + shift.
struct Affine {
  explicit Affine(const Normalisation& n) {
    for (int c = 0; c < kChannels; ++c) {
      factor[c] = static_cast<float>(1 / (255 * static_cast<double>(n.deviation[c])));
      shift[c] = static_cast<float>(-static_cast<double>(n.mean[c]) / static_cast<double>(n.deviation[c]));
    }
  }
  __device__ float operator()(float x, int c) const { return fmaf(x, factor[c], shift[c]); }
  float factor[kChannels], shift[kChannels];
};

template <class T>
struct Augment {
  const std::uint8_t* in;
  Size size;
  const Crop* crops;
  Affine affine;
  bool chw;
  T* out;
  Pixels pixels;

  __device__ void operator()(std::int64_t pixel) const {
    const auto [image, y, x] = pixels.place(pixel);
    const Crop crop = crops[image];
    const std::uint8_t* from = in + image * size.height * size.width * kChannels;
    const int column = crop.flip ? pixels.size.width - 1 - x : x;
    const std::int64_t area = std::int64_t{pixels.size.height} * pixels.size.width;
    const Pixel<float> made = resized<float>(from, size.width, crop, pixels.size, y, column);
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      const float value = affine(made.channel[c], c);
      const std::int64_t place = chw ? pixel + (image * (kChannels - 1) + c) * area : pixel * kChannels + c;
      out[place] = from_float<T>(value);
    }
  }
};

// Returns the number of pixels.
Pixels require_images(const char* function, std::int64_t images, Size size, const char* name) {
  require_argument(images >= 0, function, "images", "0 or more");
  require_argument(size.height >= 1 && size.height <= kLargestSide && size.width >= 1 && size.width <= kLargestSide,
                   function, name, "1 to 32768 pixels each way");
  require_argument(images <= (std::int64_t{1} << 38) / (std::int64_t{size.height} * size.width), function, "images",
                   "so few that a grid holds their pixels");
  return Pixels(images, size);
}

}  // namespace

void augment(const std::uint8_t* in, std::int64_t images, Size size, const Crop* crops, const Normalisation& normalise,
             DType type, Layout layout, void* out, Size out_size, cudaStream_t stream) {
  require_images("augment", images, size, "size");
  const Pixels pixels = require_images("augment", images, out_size, "out_size");
  require_array(in, images, 1, "augment", "in");
  require_array(crops, images, alignof(Crop), "augment", "crops");
  require_array(out, images, size_of(type), "augment", "out");
  for (const float deviation : normalise.deviation)
    require_argument(deviation != 0, "augment", "normalise.deviation", "other than 0");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch(pixels, Augment<T>{in, size, crops, Affine(normalise), layout == Layout::chw, static_cast<T*>(out), pixels},
           stream);
  });
}

}  // namespace cupel::kernels::image
