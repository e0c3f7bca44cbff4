// cupel_step_profiled off|on SAMPLES CALLS DEVICE: times training steps on that CUDA device, CUPTI making records of
// each kernel, copy and call or not, and prints the samples as JSON.
//
// What a process measures after CUPTI has made records in it is not as before; so step/profiler runs this program
// twice. A sample is CALLS steps and one wait, divided by CALLS.
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/step/profiled.hpp"
#include "bench/step/training.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/cupti_referee.hpp"

namespace {

using namespace cupel;
using Clock = std::chrono::steady_clock;

constexpr int kWarmUp = 5;

double sample_s(bench::step::Training& training, timing::CuptiReferee* profiler, int steps) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < steps; ++i) {
    const timing::CuptiReferee::Watch watch(profiler);
    training.step();
  }
  training.finish();
  return std::chrono::duration<double>(Clock::now() - start).count() / steps;
}

nlohmann::json measure(bool records, int samples, int steps) {
  timing::CuptiReferee* const profiler = records ? &timing::CuptiReferee::get() : nullptr;
  bench::step::Training training(bench::step::profiled_recipe());
  for (int i = 0; i < kWarmUp; ++i) sample_s(training, profiler, steps);

  std::vector<double> all_s;
  for (int i = 0; i < samples; ++i) {
    if (profiler != nullptr) profiler->forget();
    all_s.push_back(sample_s(training, profiler, steps));
  }
  const std::size_t recorded = profiler == nullptr ? 0 : profiler->collect(static_cast<std::size_t>(steps)).size();
  return {{"samples_s", all_s}, {"recorded_steps", recorded}, {"loss", training.loss()}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string records = argc == 5 ? argv[1] : "";
  const int samples = argc == 5 ? std::atoi(argv[2]) : 0, steps = argc == 5 ? std::atoi(argv[3]) : 0;
  if ((records != "on" && records != "off") || samples < 1 || steps < 1) {
    std::fprintf(stderr, "usage: cupel_step_profiled off|on SAMPLES CALLS DEVICE\n");
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a benchmark that is killed
  try {
    if (records == "on") timing::CuptiReferee::get();  // before the first CUDA call
    cuda::check(cudaSetDevice(std::atoi(argv[4])));
    const std::string text = measure(records == "on", samples, steps).dump();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0 ? 0 : bench::step::kExitFailed;
  } catch (const timing::CuptiError& error) {
    std::fprintf(stderr, "cupel_step_profiled: %s\n", error.what());
    return bench::step::kExitNoCupti;
  } catch (const cuda::CudaError& error) {
    std::fprintf(stderr, "cupel_step_profiled: %s\n", error.what());
    return error.code() == cudaErrorDevicesUnavailable ? bench::step::kExitNoDevice : bench::step::kExitFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cupel_step_profiled: %s\n", error.what());
    return bench::step::kExitFailed;
  }
}
