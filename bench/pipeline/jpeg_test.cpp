#include "bench/pipeline/jpeg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// libjpeg's header wants these before it.
#include <cstdio>

#include <jpeglib.h>

#include <cmath>
#include <cstdlib>

#include "bench/pipeline/synthetic_image.hpp"

namespace cupel::bench::pipeline {
namespace {

using testing::HasSubstr;

std::vector<std::byte> image(std::int64_t index, Size size) {
  return JpegEncoder().encode(synthetic_image(1, index, size.height, size.width), size, 90);
}

// By libjpeg's own interface, with the inverse transform in floating point.
std::vector<std::uint8_t> decoded_by_float_transform(std::span<const std::byte> jpeg) {
  jpeg_decompress_struct decoder{};
  jpeg_error_mgr errors{};
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(jpeg.data()), jpeg.size());
  jpeg_read_header(&decoder, TRUE);
  decoder.out_color_space = JCS_RGB;
  decoder.dct_method = JDCT_FLOAT;
  jpeg_start_decompress(&decoder);
  std::vector<std::uint8_t> pixels(std::size_t{3} * decoder.output_width * decoder.output_height);
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = pixels.data() + std::size_t{3} * decoder.output_width * decoder.output_scanline;
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
  return pixels;
}

double psnr_db(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(double(a[i]) - double(b[i]), 2);
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.size()) / std::max(squares, 1e-9));
}

// Rounding once more than the float transform does is off by at most one in each of Y, Cb and Cr (IEEE 1180-1990 allows
// the integer transform as much), and colour conversion weights Cb's or Cr's by up to 1.772: 1 + 1.772, rounded: 4.
TEST(JpegDecoder, GivesWhatTheFloatTransformGives) {
  for (std::int64_t index = 0; index < 4; ++index) {
    const std::vector<std::byte> jpeg = image(index, {375, 500});
    std::vector<std::uint8_t> pixels;

    JpegDecoder().decode(jpeg, pixels);

    const std::vector<std::uint8_t> expected = decoded_by_float_transform(jpeg);
    ASSERT_EQ(pixels.size(), expected.size());
    int greatest = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) greatest = std::max(greatest, std::abs(pixels[i] - expected[i]));
    EXPECT_LE(greatest, 4);
    EXPECT_GT(psnr_db(pixels, expected), 50);
  }
}

TEST(JpegDecoder, GivesAboutWhatWasCoded) {
  const std::vector<std::uint8_t> coded = synthetic_image(1, 0, 375, 500);
  std::vector<std::uint8_t> pixels;

  JpegDecoder().decode(JpegEncoder().encode(coded, {375, 500}, 90), pixels);

  EXPECT_GT(psnr_db(coded, pixels), 25);
}

TEST(JpegDecoder, ReadsTheSizeFromTheHeader) { EXPECT_EQ(JpegDecoder().size_of(image(0, {17, 40})), (Size{17, 40})); }

TEST(JpegDecoder, SaysWhereAnImageEndsTooEarly) {
  std::vector<std::byte> jpeg = image(0, {64, 64});
  jpeg.resize(jpeg.size() / 2);
  std::vector<std::uint8_t> pixels;

  try {
    JpegDecoder().decode(jpeg, pixels);
    FAIL() << "half an image was decoded";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "ends at byte " + std::to_string(jpeg.size()) + ", a JPEG's end marker was expected");
  }
}

// All pixels of one value, in so many colours: gray, or what printers use.
std::vector<std::byte> plain_image(J_COLOR_SPACE colours, int components) {
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char* out = nullptr;
  unsigned long bytes = 0;
  jpeg_mem_dest(&encoder, &out, &bytes);
  encoder.image_width = encoder.image_height = 16;
  encoder.input_components = components;
  encoder.in_color_space = colours;
  jpeg_set_defaults(&encoder);
  jpeg_start_compress(&encoder, TRUE);
  std::vector<std::uint8_t> pixels(std::size_t{16} * static_cast<std::size_t>(components), 100);
  JSAMPROW row = pixels.data();
  while (encoder.next_scanline < encoder.image_height) jpeg_write_scanlines(&encoder, &row, 1);
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  const auto* begin = reinterpret_cast<const std::byte*>(out);
  std::vector<std::byte> jpeg(begin, begin + bytes);
  std::free(out);
  return jpeg;
}

TEST(JpegDecoder, GivesGrayAsEqualColours) {
  std::vector<std::uint8_t> pixels;

  JpegDecoder().decode(plain_image(JCS_GRAYSCALE, 1), pixels);

  EXPECT_EQ(pixels, std::vector<std::uint8_t>(3 * 16 * 16, 100));
}

TEST(JpegDecoder, SaysThatItTakesNoFourColours) {
  std::vector<std::uint8_t> pixels;

  try {
    JpegDecoder().decode(plain_image(JCS_CMYK, 4), pixels);
    FAIL() << "an image in four colours was decoded";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a JPEG image in four colours (CMYK), three or gray were expected");
  }
}

TEST(JpegDecoder, RefusesWhatIsNoImage) {
  const std::vector<std::byte> zeros(1000);
  std::vector<std::uint8_t> pixels;

  EXPECT_THROW(JpegDecoder().decode(zeros, pixels), std::runtime_error);
  EXPECT_THROW(JpegDecoder().decode({}, pixels), std::runtime_error);
}

}  // namespace
}  // namespace cupel::bench::pipeline
