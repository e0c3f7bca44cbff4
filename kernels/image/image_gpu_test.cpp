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

  Values expected(reference::Layout layout) const {
    Values out(static_cast<std::size_t>(count()));
    reference::augment({pixels_, size(), crops_}, out_size(), layout, kMean, kDeviation, out);
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
    expect_close(expected(same), out.get(), tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(TypesAndSizes, Image,
                         testing::Combine(testing::Values(DType::fp32, DType::fp16, DType::bf16),
                                          testing::Values(Case{0, {4, 4}, {2, 2}}, Case{1, {1, 1}, {1, 1}},
                                                          Case{3, {17, 31}, {13, 7}}, Case{2, {23, 19}, {37, 41}},
                                                          Case{5, {64, 48}, {32, 32}}, Case{2, {61, 64}, {5, 3}})));

TEST(ImageArguments, AreRefusedByName) {
  cuda::DeviceBuffer<std::uint8_t> bytes(64);
  cuda::DeviceBuffer<float> out(3);
  cuda::DeviceBuffer<Crop> crops(1);
  const cuda::Stream stream;

  const auto augmented = [&](const std::uint8_t* in, Size size, const Normalisation& how) {
    augment(in, 1, size, crops.data(), how, DType::fp32, Layout::hwc, out.data(), {1, 1}, stream);
  };

  EXPECT_EQ(test::refusal([&] { augmented(nullptr, {2, 2}, {}); }), "augment: in must be an array, not null");
  EXPECT_EQ(test::refusal([&] {
              augmented(bytes.data(), {0, 2}, {});
            }),
            "augment: size must be 1 to 32768 pixels each way");
  EXPECT_EQ(test::refusal([&] {
              augmented(bytes.data(), {2, 2}, {{0, 0, 0}, {1, 0, 1}});
            }),
            "augment: normalise.deviation must be other than 0");
}

}  // namespace
}  // namespace cupel::kernels::image
