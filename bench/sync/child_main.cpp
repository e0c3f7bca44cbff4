// cupel_sync_child SAMPLES LAUNCHES DEVICE: times kernel launches on that CUDA device and prints a ChildReport.
//
// CUDA_LAUNCH_BLOCKING is read once, when a process makes its context; so sync/launch_blocking runs this program twice,
// with it and without, and compares like with like. A sample is LAUNCHES launches and one wait, divided by LAUNCHES:
// the wait makes sure that the work is done in both.
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "bench/sync/child_report.hpp"
#include "bench/sync/work.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace cupel;

constexpr std::int64_t kBytes = 1 << 20;  // as the steps of sync/every_step
constexpr int kWarmUp = 5;
constexpr int kFailed = 4;

double sample_s(bench::sync::CountedWork& work, const cuda::Stream& stream, std::int64_t launches) {
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < launches; ++i) work.launch();
  stream.synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(launches);
}

bool blocking() {
  const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

bench::sync::ChildReport measure(int samples, std::int64_t launches) {
  const cuda::Stream stream;
  bench::sync::CountedWork work(kBytes, stream);
  for (int i = 0; i < kWarmUp; ++i) sample_s(work, stream, launches);

  bench::sync::ChildReport report;
  report.blocking = blocking();
  report.launches_per_sample = launches;
  for (int i = 0; i < samples; ++i) report.samples_s.push_back(sample_s(work, stream, launches));
  report.launched = work.expected();
  report.ran = work.ran();
  return report;
}

int code_of(const std::exception& error) {
  const auto* const call = dynamic_cast<const cuda::CudaError*>(&error);
  if (call != nullptr && call->code() == cudaErrorDevicesUnavailable) return bench::sync::kExitNoDevice;
  return host::cannot_run(error) ? bench::sync::kExitCannotRun : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc == 4 ? std::atoi(argv[1]) : 0;
  const int launches = argc == 4 ? std::atoi(argv[2]) : 0;
  if (samples < 1 || launches < 1) {
    std::fprintf(stderr, "usage: cupel_sync_child SAMPLES LAUNCHES DEVICE\n");
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a benchmark that is killed
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "cupel_sync_child: no usable device: %s\n", cudaGetErrorString(error));
    return bench::sync::kExitNoDevice;
  }
  try {
    cuda::check(cudaSetDevice(std::atoi(argv[3])));
    const std::string text = bench::sync::to_text(measure(samples, launches));
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 ? 0 : kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cupel_sync_child: %s\n", error.what());
    return code_of(error);
  }
}
