// A data set that fits in memory, as large as an epoch: decoded again in each epoch, or kept decoded. Augmentation is
// done again in both.
#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

void add_cache(Format format, const std::string& called, const char* data, bool kept) {
  Setup setup = {.format = format, .kept_decoded = kept};
  if (format == Format::cifar10) setup.samples = 512, setup.batch = 64;
  setup.among = setup.samples;
  harness::add(std::string("pipeline/cache/data:") + data + "/format:" + called,
               [setup](benchmark::State& state) { measure_epochs(state, setup); })
      .host_only()
      .from(format == Format::jpeg ? harness::Profile::quick : harness::Profile::standard)
      .duration([setup](const auto&) { return duration_of(setup); })
      .advice("cache-data", kept ? Role::after : Role::before, "format:" + called)
      .memory([setup](const auto&) { return memory_of(setup); });
}

}  // namespace

void register_cache() {
  for (const auto& [format, called] : {std::pair{Format::jpeg, "jpeg"}, std::pair{Format::cifar10, "cifar10"}}) {
    add_cache(format, called, "decoded_each_time", false);
    add_cache(format, called, "kept_decoded", true);
  }
}

}  // namespace cupel::bench::pipeline
