// cupel_step_profiled profiles FOLDER [TEXT]: writes profiles of the steps of the waterfall, or of those whose name
// holds TEXT; see profiles.hpp. `times TEXT` is what its child does.
//
// cupel_step_profiled gradients NET BATCH FILE: takes a step in fp32, channels first, and writes the gradients one
// behind the other as floats, for ci/parity-pytorch-step.
//
// cupel_step_profiled off|on SAMPLES CALLS DEVICE: times training steps on that CUDA device, CUPTI making records of
// each kernel, copy and call or not, and prints the samples as JSON.
//
// What a process measures after CUPTI has made records in it is not as before; so step/profiler runs this program
// twice. A sample is CALLS steps and one wait, divided by CALLS.
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/step/profiled.hpp"
#include "bench/step/profiles.hpp"
#include "bench/step/training.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/record/output_file.hpp"
#include "cupel/timing/cupti_referee.hpp"

namespace {

using namespace cupel;
using harness::Clock;

constexpr int kWarmUp = 5;

double sample_s(bench::step::Training& training, timing::CuptiReferee* profiler, int steps) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < steps; ++i) {
    const timing::CuptiReferee::Watch watch(profiler);
    training.step();
  }
  training.finish();
  return harness::seconds_since(start) / steps;
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

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write what was measured");
}

void write_gradients(const std::string& net, std::int64_t batch, const std::string& file) {
  // The fused optimizer leaves the gradients as they are: the others add the decay to them.
  bench::step::Recipe recipe{
      .net = net, .update = bench::step::Update::fused, .loading = bench::step::Loading::resident};
  recipe.options.batch = batch;
  bench::step::Training training(recipe);
  training.step();
  std::string bytes;
  for (const std::vector<float>& gradient : training.gradients()) {
    bytes.append(reinterpret_cast<const char*>(gradient.data()), gradient.size() * sizeof(float));
  }
  record::write_file(file, bytes);
}

// False where the line says nothing that this program does.
bool run(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "profiles" && (words.size() == 2 || words.size() == 3)) {
    bench::step::write_profiles(words[1], words.size() == 3 ? words[2] : "");
    return true;
  }
  if (what == "gradients" && words.size() == 4) {
    write_gradients(words[1], std::atoll(words[2].c_str()), words[3]);
    return true;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a benchmark that is killed
  if (what == "times" && words.size() == 2) {
    print(bench::step::measured_times(words[1]));
    return true;
  }
  const int samples = words.size() == 4 ? std::atoi(words[1].c_str()) : 0;
  const int steps = words.size() == 4 ? std::atoi(words[2].c_str()) : 0;
  if ((what != "on" && what != "off") || samples < 1 || steps < 1) return false;
  if (what == "on") timing::CuptiReferee::get();  // before the first CUDA call
  cuda::check(cudaSetDevice(std::atoi(words[3].c_str())));
  print(measure(what == "on", samples, steps).dump());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (run({argv + 1, argv + argc})) return 0;
    std::fprintf(stderr,
                 "usage: cupel_step_profiled profiles FOLDER [TEXT]\n"
                 "       cupel_step_profiled gradients NET BATCH FILE\n"
                 "       cupel_step_profiled off|on SAMPLES CALLS DEVICE\n");
    return 2;
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
