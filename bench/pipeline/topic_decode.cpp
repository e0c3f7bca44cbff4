// JPEG images in memory, decoded by libjpeg-turbo on one processor and on all.
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/jpegs_in_memory.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/side_by_side.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

constexpr std::int64_t kImagesEach = 8;

void decode(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const auto images = jpegs_in_memory(data_of(Format::jpeg), kImagesEach * threads);
  std::vector<JpegDecoder> decoders(static_cast<std::size_t>(threads));
  std::vector<std::vector<std::uint8_t>> pixels(images.size());

  // A thread's own images, one after another.
  const auto share = [&](int thread) {
    const auto first = static_cast<std::size_t>(thread * kImagesEach);
    for (std::size_t i = first; i < first + kImagesEach; ++i)
      decoders[static_cast<std::size_t>(thread)].decode(images[i], pixels[i]);
  };
  const record::Workload work = {.bytes_read = bytes_of(images), .items = static_cast<std::int64_t>(images.size())};
  HostCpu cpu;
  const auto call = [&] {
    side_by_side(threads, share);
    cpu.took(work.items);
  };
  harness::sample_host(state, work, call, cpu.counting({.calls = 1, .warm_up = 1}));

  std::vector<std::uint8_t> again;
  JpegDecoder().decode(images.back(), again);
  harness::require(pixels.back() == again, "the last image differs from what one thread decodes");
  cpu.tell();
}

}  // namespace

void register_decode() {
  const std::vector<std::int64_t> threads = harness::thread_counts(harness::usable_cpu_count());
  harness::add("pipeline/decode/by:libjpeg_turbo", decode)
      .host_only()
      .sweep("threads", {.quick = {threads.front(), threads.back()}, .standard = threads})
      .memory([](const std::vector<std::int64_t>& args) {
        return harness::Memory{.host_bytes = args[0] * kImagesEach * (std::int64_t{700} << 10)};
      });
}

}  // namespace cupel::bench::pipeline
