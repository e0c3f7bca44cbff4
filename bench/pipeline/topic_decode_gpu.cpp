// JPEG images in host memory, decoded to device memory by nvJPEG: by kernels, and by the hardware that some GPUs have.
#include <cmath>
#include <string>
#include <vector>

#include "bench/pipeline/jpegs_in_memory.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/vendor/nvjpeg.hpp"

namespace cupel::bench::pipeline {
namespace {

constexpr std::int64_t kImages = 128;

vendor::NvjpegDecoder open_or_skip(nvjpegBackend_t backend) {
  try {
    return {backend, static_cast<int>(kImages), harness::usable_cpu_count()};
  } catch (const vendor::Unavailable& error) {
    harness::skip(error.what());
  }
}

// Where each image goes on the device.
struct Decodings {
  explicit Decodings(const std::vector<std::vector<std::byte>>& jpegs) {
    JpegDecoder headers;
    for (const auto& jpeg : jpegs) {
      const Size size = headers.size_of(jpeg);
      memory.emplace_back(static_cast<std::size_t>(size.height) * static_cast<std::size_t>(size.width) * 3);
      places.push_back(memory.back().data());
      widths.push_back(size.width);
    }
  }
  std::vector<cuda::DeviceBuffer<std::uint8_t>> memory;
  std::vector<std::uint8_t*> places;
  std::vector<int> widths;
};

double psnr_db(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    squares += difference * difference;
  }
  return squares == 0 ? 100 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.size()) / squares);
}

// Luminance is the same to a rounding, but chroma is repeated where libjpeg interpolates, which in these images is off
// by some 4 levels: 36 dB. Another image gives less than 12.
void require_as_libjpeg(const std::vector<std::byte>& jpeg, const cuda::DeviceBuffer<std::uint8_t>& decoded) {
  constexpr double kLeast_db = 25;
  std::vector<std::uint8_t> expected;
  JpegDecoder().decode(jpeg, expected);
  const double psnr = psnr_db(decoded.to_host(), expected);
  harness::require(psnr > kLeast_db, "PSNR to what libjpeg-turbo decodes is " + std::to_string(psnr) + " dB");
}

void decode(benchmark::State& state, nvjpegBackend_t backend) {
  const auto jpegs = jpegs_in_memory(data_of(Format::jpeg), kImages);
  vendor::NvjpegDecoder decoder = open_or_skip(backend);
  const Decodings out(jpegs);
  const cuda::Stream stream;
  double elapsed_s = 0, images = 0;

  const auto call = [&] {
    const auto start = harness::Clock::now();
    decoder.decode(jpegs, out.places, out.widths, stream);
    stream.synchronize();
    elapsed_s += harness::seconds_since(start);
    images += static_cast<double>(kImages);
  };
  harness::sample_host(state, {.bytes_read = bytes_of(jpegs), .items = kImages}, call, {.calls = 1});

  require_as_libjpeg(jpegs.front(), out.memory.front());
  require_as_libjpeg(jpegs.back(), out.memory.back());
  if (harness::options().once) return;
  const double one_core_s = alone({})[static_cast<std::size_t>(Stage::decode)].wall_s;
  harness::set_counter("even_at_cores", {.value = one_core_s * images / elapsed_s, .unit = "count"});
}

void add_decode(const std::string& by, nvjpegBackend_t backend) {
  constexpr std::int64_t kImage = 500 * 375 * 3;
  harness::add("pipeline/decode/by:" + by, [backend](benchmark::State& state) {
    decode(state, backend);
  }).memory([](const auto&) {
    return harness::Memory{.device_bytes = 2 * kImages * kImage, .host_bytes = kImages * kImage};
  });
}

}  // namespace

void register_decode_on_gpu() {
  add_decode("nvjpeg", NVJPEG_BACKEND_GPU_HYBRID);
  add_decode("nvjpeg_hardware", NVJPEG_BACKEND_HARDWARE);
}

}  // namespace cupel::bench::pipeline
