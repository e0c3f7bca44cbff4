#include "kernels/image/image.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/image/reference.hpp"

namespace cupel::kernels::image {
namespace {

using test::Array;
using test::expect_close;
using test::Values;

constexpr float kMean[3] = {0.485f, 0.456f, 0.406f}, kDeviation[3] = {0.229f, 0.224f, 0.225f};
constexpr Normalisation kNormalisation{{0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}};

struct Case {
  std::int64_t images;
  Size size, out;
};

// None, one pixel, primes, larger and smaller than the input.
class Image : public testing::TestWithParam<std::tuple<DType, Case>> {
 protected:
  Image() {
    const verify::Generator random(3);
    pixels_.resize(static_cast<std::size_t>(images() * size().height * size().width * 3));
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<std::uint8_t>(random.bits(i));
    for (std::int64_t n = 0; n < images(); ++n) crops_.push_back(random_crop(5, n, size()));
    device_pixels_ = uploaded(pixels_);
    device_crops_ = uploaded(crops_);
  }

  template <class T>
  static cuda::DeviceBuffer<T> uploaded(std::vector<T> data) {
    data.emplace_back();  // room even when there is nothing
    return cuda::DeviceBuffer<T>(std::span<const T>(data));
  }

  DType type() const { return std::get<0>(GetParam()); }
  std::int64_t images() const { return std::get<1>(GetParam()).images; }
  Size size() const { return std::get<1>(GetParam()).size; }
  Size out_size() const { return std::get<1>(GetParam()).out; }
  std::int64_t count() const { return images() * out_size().height * out_size().width * 3; }

  Values expected(reference::Layout layout, bool round_bytes) const {
    Values out(static_cast<std::size_t>(count()));
    reference::augment({pixels_, size(), crops_}, out_size(), layout, kMean, kDeviation, round_bytes, out);
    return out;
  }

  std::vector<std::uint8_t> pixels_;
  std::vector<Crop> crops_;
  cuda::DeviceBuffer<std::uint8_t> device_pixels_;
  cuda::DeviceBuffer<Crop> device_crops_;
  cuda::Stream stream_;
};

TEST_P(Image, AugmentAgreesWithTheReferenceInBothLayouts) {
  for (const Layout layout : {Layout::hwc, Layout::chw}) {
    Array out(type(), count());

    augment(device_pixels_.data(), images(), size(), device_crops_.data(), kNormalisation, type(), layout, out.data(),
            out_size(), stream_);

    const auto same = layout == Layout::hwc ? reference::Layout::hwc : reference::Layout::chw;
    // A centre of at most 64 is off by a few roundings in fp32, 2^-17 at most, and so is a weight, relative to the
    // width. With at most three pixels for each of the width, two axes are off by 6 x 2^-17 of their sum, and the
    // result by that over the deviation: 2e-4.
    auto tolerance = test::stored_as(type(), 16, 4);
    tolerance.absolute += 2.1e-4;
    expect_close(expected(same, false), out.get(), tolerance);
  }
}

// Where a resized pixel lies half way between two bytes, fp32 may round the other way: one byte of difference, 1 / 255
// / 0.224 of the result.
TEST_P(Image, SeparatePassesAgreeWithTheReferenceWithinAByte) {
  const auto bytes = static_cast<std::size_t>(count()) + 1;
  cuda::DeviceBuffer<std::uint8_t> resized_bytes(bytes), flipped(bytes);
  Array normalised(type(), count()), out(type(), count());

  crop_and_resize(device_pixels_.data(), images(), size(), device_crops_.data(), resized_bytes.data(), out_size(),
                  stream_);
  flip(resized_bytes.data(), images(), out_size(), device_crops_.data(), flipped.data(), stream_);
  normalise(flipped.data(), images(), out_size(), kNormalisation, type(), normalised.data(), stream_);
  to_chw(type(), normalised.data(), images(), out_size(), out.data(), stream_);

  const verify::Tolerance byte{.absolute = 1.01 / 255 / 0.224 + 4 * unit_roundoff(type())};
  expect_close(expected(reference::Layout::hwc, true), normalised.get(), byte);
  expect_close(expected(reference::Layout::chw, true), out.get(), byte);
}

INSTANTIATE_TEST_SUITE_P(TypesAndSizes, Image,
                         testing::Combine(testing::Values(DType::fp32, DType::fp16, DType::bf16),
                                          testing::Values(Case{0, {4, 4}, {2, 2}}, Case{1, {1, 1}, {1, 1}},
                                                          Case{3, {17, 31}, {13, 7}}, Case{2, {23, 19}, {37, 41}},
                                                          Case{5, {64, 48}, {32, 32}}, Case{2, {61, 64}, {5, 3}})));

TEST(ImageArguments, AreRefusedByName) {
  cuda::DeviceBuffer<std::uint8_t> bytes(64);
  cuda::DeviceBuffer<Crop> crops(1);
  const cuda::Stream stream;

  EXPECT_EQ(test::refusal([&] {
              flip(nullptr, 1, {2, 2}, crops.data(), bytes.data(), stream);
            }),
            "flip: in must be an array, not null");
  EXPECT_EQ(test::refusal([&] {
              flip(bytes.data(), 1, {0, 2}, crops.data(), bytes.data(), stream);
            }),
            "flip: size must be 1 to 32768 pixels each way");
  EXPECT_EQ(test::refusal([&] {
              normalise(bytes.data(), 1, {1, 1}, {{0, 0, 0}, {1, 0, 1}}, DType::fp32, bytes.data(), stream);
            }),
            "normalise: normalise.deviation must be other than 0");
}

}  // namespace
}  // namespace cupel::kernels::image
