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

// CPU seconds that this process and children that have ended used.
double cpu_s() { return cpu_s(RUSAGE_SELF) + cpu_s(RUSAGE_CHILDREN); }

void tell_host_cpu(double used_s, std::int64_t samples) {
  harness::set_counter("host_cpu",
                       {.value = used_s / static_cast<double>(samples), .unit = "s", .better = record::Better::lower});
}

}  // namespace

void HostCpu::start() { started_s_ = cpu_s(); }
void HostCpu::stop() { used_s_ += cpu_s() - started_s_; }

harness::HostSampling HostCpu::counting(const harness::HostSampling& how) {
  harness::HostSampling counted = how;
  counted.before = [this, before = how.before] {
    if (before) before();
    start();
  };
  counted.after = [this, after = how.after] {
    stop();
    if (after) after();
  };
  return counted;
}

void HostCpu::tell() const { tell_host_cpu(used_s_, samples_); }

double EpochCosts::used_cpu_s(const Loader* loader) {
  return cpu_s() + (loader != nullptr ? loader->workers_cpu_s() : 0);
}

void EpochCosts::tell() const {
  using record::Better;
  harness::set_counter("consumer_waits", {.value = waits().consumer, .unit = "1", .better = Better::lower});
  harness::set_counter("first_batch_waits", {.value = waits().first, .unit = "1", .better = Better::none});
  tell_host_cpu(cpu_s_, samples_);
}

void tell_pinned(std::size_t bytes) {
  harness::set_counter(
      "pinned_bytes",
      {.value = static_cast<double>(bytes), .unit = "bytes", .better = record::Better::lower, .exact = true});
}

}  // namespace cupel::bench::pipeline
