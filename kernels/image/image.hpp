// The operations of a training pipeline on images before the network sees them: random resized crop (antialiased, as
// torchvision does it), flip, normalise, change of layout. In one pass, and a pass each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/image/crop.hpp"

namespace cupel::kernels::image {

enum class Layout { hwc, chw };

struct Normalisation {
  float mean[kChannels] = {0, 0, 0};
  float deviation[kChannels] = {1, 1, 1};  ///< not 0
};

// All enqueue on `stream` and neither allocate nor synchronise. Images are height x width x 3 bytes, one behind the
// other, in device memory; so are the crops, one for each image, which must lie in it (not checked). Results are within
// one rounding to `type` and a few of fp32 of the double reference. They throw std::invalid_argument that names a bad
// argument, and CudaError if the launch is refused.

/// All in one: out = (resized crop, flipped / 255 - mean) / deviation, in the layout asked for.
void augment(const std::uint8_t* in, std::int64_t images, Size size, const Crop* crops, const Normalisation& normalise,
             DType type, Layout layout, void* out, Size out_size, cudaStream_t stream);

/// The crops, resized, rounded to bytes; not flipped.
void crop_and_resize(const std::uint8_t* in, std::int64_t images, Size size, const Crop* crops, std::uint8_t* out,
                     Size out_size, cudaStream_t stream);

/// Mirrors the images whose crop says so; must not overlap.
void flip(const std::uint8_t* in, std::int64_t images, Size size, const Crop* crops, std::uint8_t* out,
          cudaStream_t stream);

/// out = (in / 255 - mean) / deviation; stays height x width x 3.
void normalise(const std::uint8_t* in, std::int64_t images, Size size, const Normalisation& normalise, DType type,
               void* out, cudaStream_t stream);

/// height x width x 3 to 3 x height x width; must not overlap. Exact.
void to_chw(DType type, const void* in, std::int64_t images, Size size, void* out, cudaStream_t stream);

}  // namespace cupel::kernels::image
