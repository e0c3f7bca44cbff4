// JPEG images in host memory, decoded to device memory by nvJPEG: by kernels, and by the hardware that some GPUs have.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/host_decoding.hpp"
#include "bench/pipeline/jpegs_in_memory.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/vendor/nvjpeg.hpp"

namespace cupel::bench::pipeline {
namespace {

constexpr std::int64_t kImages = 128;

// Made once a process: that takes most of a second, and what it makes is at its speed from the second batch on.
std::unique_ptr<vendor::NvjpegDecoder> open(const nvjpegBackend_t& backend) {
  return std::make_unique<vendor::NvjpegDecoder>(backend, static_cast<int>(kImages), harness::usable_cpu_count());
}

// Where each image goes on the device, one behind the other.
struct Decodings {
  explicit Decodings(const std::vector<std::vector<std::byte>>& jpegs) {
    JpegDecoder headers;
    std::vector<std::size_t> ends = {0};
    for (const auto& jpeg : jpegs) {
      const Size size = headers.size_of(jpeg);
      ends.push_back(ends.back() + static_cast<std::size_t>(size.height) * static_cast<std::size_t>(size.width) * 3);
      widths.push_back(size.width);
    }
    memory = cuda::DeviceBuffer<std::uint8_t>(ends.back());
    for (std::size_t i = 0; i < jpegs.size(); ++i) {
      places.push_back(memory.data() + ends[i]);
      bytes.push_back(ends[i + 1] - ends[i]);
    }
  }
  std::vector<std::uint8_t> to_host(std::size_t image) const {
    std::vector<std::uint8_t> pixels(bytes[image]);
    cuda::check(cudaMemcpy(pixels.data(), places[image], pixels.size(), cudaMemcpyDeviceToHost));
    return pixels;
  }
  cuda::DeviceBuffer<std::uint8_t> memory;
  std::vector<std::uint8_t*> places;
  std::vector<std::size_t> bytes;
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
void require_as_libjpeg(const std::vector<std::vector<std::byte>>& jpegs, const Decodings& decoded) {
  constexpr double kLeast_db = 25;
  const std::vector<std::vector<std::uint8_t>> expected = decoded_apart(jpegs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double psnr = psnr_db(decoded.to_host(i), expected[i]);
    harness::require(psnr > kLeast_db, "image " + std::to_string(i) + ": PSNR to what libjpeg-turbo decodes is " +
                                           std::to_string(psnr) + " dB");
  }
}

double host_rate(const int& threads) { return HostDecoding(data_of(Format::jpeg), threads).rate(); }

// So many processors, side by side, decode as many images a second. Between the counts that are tried in proportion;
// beyond all there are, as many more as each of those is worth.
double processors_for(double per_s) {
  double count = 0, rate = 0;
  for (const std::int64_t more : harness::thread_counts(harness::usable_cpu_count())) {
    const double of_more = harness::memoized<host_rate>(static_cast<int>(more));
    const double next = static_cast<double>(more);
    if (of_more >= per_s) return count + (next - count) * (per_s - rate) / (of_more - rate);
    count = next;
    rate = of_more;
  }
  return count * per_s / rate;
}

void decode(benchmark::State& state, nvjpegBackend_t backend) {
  const auto jpegs = jpegs_in_memory(data_of(Format::jpeg), kImages);
  const std::unique_ptr<vendor::NvjpegDecoder>& decoder = harness::memoized<open>(backend);
  const Decodings out(jpegs);
  const cuda::Stream stream;
  std::vector<double> calls_s;
  HostCpu cpu;

  const auto call = [&] {
    const auto start = harness::Clock::now();
    decoder->decode(jpegs, out.places, out.widths, stream);
    stream.synchronize();
    calls_s.push_back(harness::seconds_since(start));
    cpu.took(kImages);
  };
  harness::sample_host(state, {.bytes_read = bytes_of(jpegs), .items = kImages}, call,
                       cpu.counting({.calls = 1, .warm_up = 1}));

  require_as_libjpeg(jpegs, out);
  cpu.tell();
  if (harness::options().once) return;
  const double images_per_s = static_cast<double>(kImages) / stats::median(calls_s);
  harness::set_counter("even_at_cores", {.value = processors_for(images_per_s), .unit = "count"});
}

harness::Definition& add_decode(const std::string& by, nvjpegBackend_t backend) {
  constexpr std::int64_t kImage = 500 * 375 * 3;
  return harness::add("pipeline/decode/by:" + by, [backend](benchmark::State& state) { decode(state, backend); })
      .duration([](const auto&) { return harness::Duration{.call_s = 0.01, .round_s = 0.3}; })
      .memory([](const auto&) {
        return harness::Memory{.device_bytes = 2 * kImages * kImage, .host_bytes = kImages * kImage};
      });
}

}  // namespace

void register_decode_on_gpu() {
  add_decode("nvjpeg", NVJPEG_BACKEND_GPU_HYBRID).from(harness::Profile::standard);
  add_decode("nvjpeg_hardware", NVJPEG_BACKEND_HARDWARE).from(harness::Profile::standard);
}

}  // namespace cupel::bench::pipeline
