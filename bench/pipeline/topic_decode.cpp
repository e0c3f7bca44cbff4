// JPEG images in memory, decoded by libjpeg-turbo on one processor and on all.
#include <algorithm>
#include <string>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/host_decoding.hpp"
#include "bench/pipeline/setup.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

void decode(benchmark::State& state) {
  HostDecoding decoding(data_of(Format::jpeg), static_cast<int>(state.range(0)));
  const auto& images = decoding.images();
  const record::Workload work = {.bytes_read = bytes_of(images), .items = static_cast<std::int64_t>(images.size())};
  HostCpu cpu;
  const auto call = [&] {
    decoding.run();
    cpu.took(work.items);
  };
  harness::sample_host(state, work, call, cpu.counting({.calls = 1, .warm_up = 1}));

  const auto [seen, expected] = std::ranges::mismatch(decoding.pixels(), decoded_apart(images));
  harness::require(seen == decoding.pixels().end(), "image " + std::to_string(seen - decoding.pixels().begin()) +
                                                        " differs from what a decoder of its own makes of it");
  cpu.tell();
}

}  // namespace

void register_decode() {
  const std::vector<std::int64_t> threads = harness::thread_counts(harness::usable_cpu_count());
  harness::add("pipeline/decode/by:libjpeg_turbo", decode)
      .host_only()
      .sweep("threads", {.quick = {threads.front(), threads.back()}, .standard = threads})
      .memory([](const std::vector<std::int64_t>& args) {
        return harness::Memory{.host_bytes = args[0] * HostDecoding::kImagesEach * (std::int64_t{700} << 10)};
      });
}

}  // namespace cupel::bench::pipeline
