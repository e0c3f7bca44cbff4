// JPEG images in memory, decoded by libjpeg-turbo on so many threads side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/pipeline/jpeg.hpp"
#include "bench/pipeline/jpegs_in_memory.hpp"
#include "bench/pipeline/side_by_side.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"

namespace cupel::bench::pipeline {

class HostDecoding {
 public:
  static constexpr std::int64_t kImagesEach = 8;

  HostDecoding(const DataSet& data, int threads)
      : images_(jpegs_in_memory(data, kImagesEach * threads)),
        decoders_(static_cast<std::size_t>(threads)),
        pixels_(images_.size()) {}

  /// A thread's own images, one after another.
  void run() {
    side_by_side(static_cast<int>(decoders_.size()), [this](int thread) {
      const auto first = static_cast<std::size_t>(thread * kImagesEach);
      for (std::size_t i = first; i < first + kImagesEach; ++i)
        decoders_[static_cast<std::size_t>(thread)].decode(images_[i], pixels_[i]);
    });
  }

  /// Images a second: the most of a few runs.
  double rate() {
    constexpr int kRuns = 4;
    double most = 0;
    for (int i = 0; i < kRuns; ++i) {
      const auto start = harness::Clock::now();
      run();
      most = std::max(most, static_cast<double>(images_.size()) / harness::seconds_since(start));
    }
    return most;
  }

  const std::vector<std::vector<std::byte>>& images() const { return images_; }
  const std::vector<std::vector<std::uint8_t>>& pixels() const { return pixels_; }

 private:
  std::vector<std::vector<std::byte>> images_;
  std::vector<JpegDecoder> decoders_;
  std::vector<std::vector<std::uint8_t>> pixels_;
};

/// Each image by a decoder of its own, on all processors: decodings are held against these.
inline std::vector<std::vector<std::uint8_t>> decoded_apart(const std::vector<std::vector<std::byte>>& images) {
  std::vector<std::vector<std::uint8_t>> pixels(images.size());
  const auto threads = static_cast<std::size_t>(harness::usable_cpu_count());
  side_by_side(static_cast<int>(threads), [&](int thread) {
    for (auto i = static_cast<std::size_t>(thread); i < images.size(); i += threads)
      JpegDecoder().decode(images[i], pixels[i]);
  });
  return pixels;
}

}  // namespace cupel::bench::pipeline
