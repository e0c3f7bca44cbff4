#include "kernels/training/models.hpp"

#include <initializer_list>
#include <stdexcept>

namespace cupel::kernels::training {
namespace {

// One by one: GCC 12 sees an overflow in insert() that is not there.
void append(Sizes& sizes, std::initializer_list<std::int64_t> more) {
  for (const std::int64_t size : more) sizes.push_back(size);
}

// A convolution without bias, and the batch norm behind it: weight and bias.
void add_convolution(Sizes& sizes, std::int64_t out, std::int64_t in, std::int64_t side) {
  append(sizes, {out * in * side * side, out, out});
}

// Two of 3x3; the first of a stage that widens has a projection, too.
void add_basic_stage(Sizes& sizes, std::int64_t& in, std::int64_t width, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    add_convolution(sizes, width, in, 3);
    add_convolution(sizes, width, width, 3);
    if (in != width) add_convolution(sizes, width, in, 1);
    in = width;
  }
}

// 1x1, 3x3 and 1x1 with four times the channels; the first of a stage has a projection, too.
void add_stage(Sizes& sizes, std::int64_t& in, std::int64_t width, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    add_convolution(sizes, width, in, 1);
    add_convolution(sizes, width, width, 3);
    add_convolution(sizes, 4 * width, width, 1);
    if (block == 0) add_convolution(sizes, 4 * width, in, 1);
    in = 4 * width;
  }
}

void add_linear(Sizes& sizes, std::int64_t out, std::int64_t in) { append(sizes, {out * in, out}); }

}  // namespace

Sizes one_large() { return {100'000'000}; }

Sizes many_equal() { return Sizes(160, 160'000); }

Sizes resnet18() {
  Sizes sizes;
  add_convolution(sizes, 64, 3, 7);
  std::int64_t channels = 64;
  for (const std::int64_t width : {64, 128, 256, 512}) add_basic_stage(sizes, channels, width, 2);
  add_linear(sizes, 1000, channels);
  return sizes;
}

Sizes resnet50() {
  Sizes sizes;
  add_convolution(sizes, 64, 3, 7);
  std::int64_t channels = 64;
  add_stage(sizes, channels, 64, 3);
  add_stage(sizes, channels, 128, 4);
  add_stage(sizes, channels, 256, 6);
  add_stage(sizes, channels, 512, 3);
  add_linear(sizes, 1000, channels);
  return sizes;
}

Sizes gpt2_small() {
  constexpr std::int64_t kWidth = 768, kWords = 50'257, kPositions = 1024;
  constexpr int kLayers = 12;
  Sizes sizes = {kWords * kWidth, kPositions * kWidth};
  for (int layer = 0; layer < kLayers; ++layer) {
    append(sizes, {kWidth, kWidth});  // layer norm
    add_linear(sizes, 3 * kWidth, kWidth);
    add_linear(sizes, kWidth, kWidth);
    append(sizes, {kWidth, kWidth});
    add_linear(sizes, 4 * kWidth, kWidth);
    add_linear(sizes, kWidth, 4 * kWidth);
  }
  append(sizes, {kWidth, kWidth});
  return sizes;
}

Sizes sizes_of(const std::string& model) {
  if (model == "one_large") return one_large();
  if (model == "many_equal") return many_equal();
  if (model == "resnet18") return resnet18();
  if (model == "resnet50") return resnet50();
  if (model == "gpt2_small") return gpt2_small();
  throw std::invalid_argument("no model is called " + model);
}

}  // namespace cupel::kernels::training
