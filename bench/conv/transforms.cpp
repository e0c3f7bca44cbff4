#include "bench/conv/transforms.hpp"

namespace cupel::bench::conv {
namespace {

constexpr std::int64_t kOutputs = 4, kTile = 6;  // to a side
constexpr std::int64_t kFloat = 4;

bool is(const kernels::dot::Spatial& space, std::int64_t size) {
  return space == kernels::dot::Spatial{{1, size, size}};
}

bool takes_winograd(const Problem& problem) {
  const Convolution& shape = problem.shape;
  return operand_element(problem.precision) == kernels::dot::Element::fp32 && shape.groups == 1 &&
         is(shape.filter, 3) && is(shape.stride, 1) && is(shape.dilation, 1);
}

bool keeps_winograds_tiles(const Problem& problem, std::int64_t workspace_bytes) {
  const auto tiles_bytes = winograd_bytes(problem);
  if (!tiles_bytes) return false;
  constexpr std::int64_t kPadding = 256;  // between arrays, at most
  const std::int64_t copies_bytes = workspace_bytes - *tiles_bytes, tensors_bytes = problem.memory_bytes();
  return copies_bytes == 0 || (copies_bytes >= tensors_bytes && copies_bytes <= tensors_bytes + kPadding);
}

}  // namespace

std::optional<std::int64_t> winograd_bytes(const Problem& problem) {
  if (!takes_winograd(problem)) return std::nullopt;
  const Convolution& shape = problem.shape;
  const kernels::dot::Spatial space = problem.pass == Pass::backward_data ? shape.in : shape.out();
  const auto tiles = [](std::int64_t size) { return (size + kOutputs - 1) / kOutputs; };
  const std::int64_t all = shape.batch * tiles(space[1]) * tiles(space[2]);
  const std::int64_t in = shape.in_channels, out = shape.out_channels;
  return kFloat * kTile * kTile * (in * out + all * (in + out));
}

std::string transforms_note(const Problem& problem, const Notes& notes, std::int64_t workspace_bytes) {
  const std::string fewer = ": fewer multiplications than are counted";
  if (notes.winograd) return ", by Winograd's algorithm" + fewer;
  if (notes.fft) return ", by Fourier transforms" + fewer;
  if (!keeps_winograds_tiles(problem, workspace_bytes)) return "";
  return ", by Winograd's algorithm, as its workspace says and no note of cuDNN's" + fewer;
}

}  // namespace cupel::bench::conv
