#include "bench/pipeline/jpeg.hpp"

#include <turbojpeg.h>

#include <stdexcept>
#include <string>

namespace cupel::bench::pipeline {
namespace {

const unsigned char* bytes_of(std::span<const std::byte> jpeg) {
  return reinterpret_cast<const unsigned char*>(jpeg.data());
}

[[noreturn]] void fail(void* handle, std::span<const std::byte> jpeg) {
  throw std::runtime_error("not a whole JPEG image of " + std::to_string(jpeg.size()) +
                           " bytes: " + tjGetErrorStr2(handle));
}

// The marker behind the last pixel. libjpeg only warns where it lacks.
bool has_end(std::span<const std::byte> jpeg) {
  for (std::size_t i = jpeg.size(); i >= 2; --i) {
    if (jpeg[i - 2] == std::byte{0xff} && jpeg[i - 1] == std::byte{0xd9}) return true;
  }
  return false;
}

}  // namespace

JpegEncoder::JpegEncoder() : handle_(tjInitCompress(), tjDestroy) {
  if (!handle_) throw std::runtime_error(std::string("libjpeg-turbo: ") + tjGetErrorStr2(nullptr));
}

std::vector<std::byte> JpegEncoder::encode(std::span<const std::uint8_t> pixels, Size size, int quality) {
  unsigned char* out = nullptr;
  unsigned long bytes = 0;
  const int result = tjCompress2(handle_.get(), pixels.data(), size.width, 0, size.height, TJPF_RGB, &out, &bytes,
                                 TJSAMP_420, quality, TJFLAG_ACCURATEDCT);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owner(out, tjFree);
  if (result != 0) throw std::runtime_error(std::string("libjpeg-turbo: ") + tjGetErrorStr2(handle_.get()));
  const auto* begin = reinterpret_cast<const std::byte*>(out);
  return {begin, begin + bytes};
}

JpegDecoder::JpegDecoder() : handle_(tjInitDecompress(), tjDestroy) {
  if (!handle_) throw std::runtime_error(std::string("libjpeg-turbo: ") + tjGetErrorStr2(nullptr));
}

Size JpegDecoder::size_of(std::span<const std::byte> jpeg) {
  Size size;
  int chroma = 0, colours = 0;
  if (tjDecompressHeader3(handle_.get(), bytes_of(jpeg), jpeg.size(), &size.width, &size.height, &chroma, &colours) !=
      0) {
    fail(handle_.get(), jpeg);
  }
  if (colours == TJCS_CMYK || colours == TJCS_YCCK) {
    throw std::runtime_error("a JPEG image in four colours (CMYK), three or gray were expected");
  }
  return size;
}

Size JpegDecoder::decode(std::span<const std::byte> jpeg, std::vector<std::uint8_t>& pixels) {
  const Size size = size_of(jpeg);
  if (!has_end(jpeg)) {
    throw std::runtime_error("ends at byte " + std::to_string(jpeg.size()) + ", a JPEG's end marker was expected");
  }
  pixels.resize(static_cast<std::size_t>(size.height) * static_cast<std::size_t>(size.width) * 3);
  if (tjDecompress2(handle_.get(), bytes_of(jpeg), jpeg.size(), pixels.data(), size.width, 0, size.height, TJPF_RGB,
                    TJFLAG_ACCURATEDCT) != 0) {
    fail(handle_.get(), jpeg);
  }
  return size;
}

}  // namespace cupel::bench::pipeline
