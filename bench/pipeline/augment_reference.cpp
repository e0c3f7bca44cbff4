#include "bench/pipeline/augment.hpp"
#include "kernels/image/reference.hpp"

namespace cupel::bench::pipeline {

std::vector<double> augment_reference(std::span<const std::uint8_t> image, Size size, const Crop& crop, int out) {
  namespace reference = kernels::image::reference;
  const auto side = static_cast<std::size_t>(out);
  std::vector<double> made(3 * side * side);
  reference::augment({image, size, {&crop, 1}}, {out, out}, reference::Layout::chw, kMean, kDeviation, made);
  return made;
}

}  // namespace cupel::bench::pipeline
