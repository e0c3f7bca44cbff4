#include "bench/pipeline/epoch_costs.hpp"

#include <sys/resource.h>

#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {
namespace {

double cpu_s(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

double EpochCosts::used_cpu_s(const Loader* loader) {
  return cpu_s(RUSAGE_SELF) + cpu_s(RUSAGE_CHILDREN) + (loader != nullptr ? loader->workers_cpu_s() : 0);
}

void EpochCosts::tell() const {
  using record::Better;
  harness::set_counter("consumer_waits", {.value = waited_s_ / elapsed_s_, .unit = "1", .better = Better::lower});
  harness::set_counter("host_cpu",
                       {.value = cpu_s_ / static_cast<double>(samples_), .unit = "s", .better = Better::lower});
}

}  // namespace cupel::bench::pipeline
