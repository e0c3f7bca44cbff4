#include "kernels/image/reference.hpp"

#include <cmath>
#include <cstddef>

#include "cupel/verify/generator.hpp"

namespace cupel::kernels::image {

Crop random_crop(std::uint64_t seed, std::int64_t index, Size image) {
  constexpr int kAttempts = 10;
  constexpr std::uint64_t kNumbersPerImage = 64;  // more than are used
  const verify::Generator random(seed);
  std::uint64_t next = static_cast<std::uint64_t>(index) * kNumbersPerImage;
  const bool flip = random.uniform(next++) < 0.5;
  const double area = static_cast<double>(image.height) * image.width;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double target = area * (0.08 + 0.92 * random.uniform(next++));
    const double ratio = std::exp(std::log(0.75) + (std::log(4.0 / 3) - std::log(0.75)) * random.uniform(next++));
    const int width = static_cast<int>(std::lround(std::sqrt(target * ratio)));
    const int height = static_cast<int>(std::lround(std::sqrt(target / ratio)));
    if (width < 1 || height < 1 || width > image.width || height > image.height) continue;
    const int top = random.small_integer(next++, 0, image.height - height);
    const int left = random.small_integer(next++, 0, image.width - width);
    return {top, left, height, width, flip};
  }
  return {0, 0, image.height, image.width, flip};
}

void reference::augment(const Batch& batch, Size out_size, Layout layout, const float (&mean)[kChannels],
                        const float (&deviation)[kChannels], std::span<double> out) {
  const auto image_bytes = static_cast<std::size_t>(batch.size.height) * static_cast<std::size_t>(batch.size.width) *
                           static_cast<std::size_t>(kChannels);
  const auto height = static_cast<std::size_t>(out_size.height), width = static_cast<std::size_t>(out_size.width);
  for (std::size_t n = 0; n < batch.crops.size(); ++n) {
    const Crop& crop = batch.crops[n];
    const std::uint8_t* image = batch.pixels.data() + n * image_bytes;
    for (int y = 0; y < out_size.height; ++y) {
      for (int x = 0; x < out_size.width; ++x) {
        const int from = crop.flip ? out_size.width - 1 - x : x;
        const Pixel<double> made = resized<double>(image, batch.size.width, crop, out_size, y, from);
        for (int c = 0; c < kChannels; ++c) {
          const double value =
              (made.channel[c] / 255 - static_cast<double>(mean[c])) / static_cast<double>(deviation[c]);
          const auto row = static_cast<std::size_t>(y), column = static_cast<std::size_t>(x),
                     channel = static_cast<std::size_t>(c);
          const std::size_t place = layout == Layout::chw ? ((n * kChannels + channel) * height + row) * width + column
                                                          : ((n * height + row) * width + column) * kChannels + channel;
          out[place] = value;
        }
      }
    }
  }
}

}  // namespace cupel::kernels::image
