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

/// All in one: out = (resized crop, flipped / 255 - mean) / deviation, in the layout asked for. Enqueues on `stream`
/// and neither allocates nor synchronises. Images are height x width x 3 bytes, one behind the other, in device memory;
/// so are the crops, one for each image, which must lie in it (not checked). Results are within one rounding to `type`
/// and a few of fp32 of the double reference. Throws std::invalid_argument that names a bad argument, and CudaError if
/// the launch is refused.
void augment(const std::uint8_t* in, std::int64_t images, Size size, const Crop* crops, const Normalisation& normalise,
             DType type, Layout layout, void* out, Size out_size, cudaStream_t stream);

}  // namespace cupel::kernels::image
