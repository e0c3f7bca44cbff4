// cupel_step_profiled profiles FOLDER [TEXT]: writes profiles of the steps of the waterfall, or of those whose name
// holds TEXT; see profiles.hpp. `times TEXT` is what its child does.
//
// For ci/parity-pytorch-step, in fp32, channels first where there is a choice:
// cupel_step_profiled gradients NET BATCH FILE: takes a step and writes the gradients one behind the other as floats.
// cupel_step_profiled learn FILE BATCH: trains the small ResNet-18 on each image of a file in CIFAR-10's binary form
// once, and prints the loss of each step.
//
// cupel_step_profiled off|on SAMPLES CALLS DEVICE: times training steps on that CUDA device, CUPTI making records of
// each kernel, copy and call or not, and prints the samples as JSON, or in one line why there are none.
//
// What a process measures after CUPTI has made records in it is not as before; so step/profiler runs this program
// twice. A sample is CALLS steps and one wait, divided by CALLS.
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/step/child_report.hpp"
#include "bench/step/profiled.hpp"
#include "bench/step/profiles.hpp"
#include "bench/step/training.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/host/cannot_run.hpp"
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

bench::step::ChildReport measure(bool records, int samples, int steps) {
  timing::CuptiReferee* const profiler = records ? &timing::CuptiReferee::get() : nullptr;
  bench::step::Training training(bench::step::profiled_recipe());
  for (int i = 0; i < kWarmUp; ++i) sample_s(training, profiler, steps);

  bench::step::ChildReport report;
  for (int i = 0; i < samples; ++i) {
    if (profiler != nullptr) profiler->forget();
    report.samples_s.push_back(sample_s(training, profiler, steps));
  }
  if (profiler != nullptr) {
    report.recorded_steps = static_cast<std::int64_t>(profiler->collect(static_cast<std::size_t>(steps)).size());
  }
  report.loss = static_cast<double>(training.loss());
  return report;
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
  if (!net_of(recipe).has_planes()) recipe.options.layout = kernels::dot::Layout::channels_last;
  bench::step::Training training(recipe);
  training.step();
  std::string bytes;
  for (const std::vector<float>& gradient : training.gradients()) {
    bytes.append(reinterpret_cast<const char*>(gradient.data()), gradient.size() * sizeof(float));
  }
  files::write_file(file, bytes);
}

std::vector<bench::step::Batch> read_batches(const bench::step::Program& program, const std::string& file) {
  try {
    return batches_of(program, files::read_file(file));
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

void print_losses(const std::string& file, std::int64_t batch) {
  bench::step::Recipe recipe{.net = "resnet18_32"};
  recipe.options.batch = batch;
  const std::vector<bench::step::Batch> batches = read_batches(program_of(recipe, batch), file);
  bench::step::Training training(recipe);
  for (const bench::step::Batch& one : batches) {
    training.use(one);
    print(std::to_string(training.curve(1).back()) + "\n");
  }
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
  if (what == "learn" && words.size() == 3) {
    print_losses(words[1], std::atoll(words[2].c_str()));
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
  print(to_text(measure(what == "on", samples, steps)));
  return true;
}

int code_of(const std::exception& error) {
  const auto* const call = dynamic_cast<const cuda::CudaError*>(&error);
  if (call != nullptr && call->code() == cudaErrorDevicesUnavailable) return bench::step::kExitNoDevice;
  return host::cannot_run(error) ? bench::step::kExitCannotRun : bench::step::kExitFailed;
}

// For a person on stderr, and for a benchmark, which reads stdout, there.
int failed(const std::exception& error, int code, std::string_view what) {
  std::fprintf(stderr, "cupel_step_profiled: %s\n", error.what());
  if (what == "on" || what == "off") std::printf("%s\n", error.what());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  try {
    if (run({argv + 1, argv + argc})) return 0;
    std::fprintf(stderr,
                 "usage: cupel_step_profiled profiles FOLDER [TEXT]\n"
                 "       cupel_step_profiled gradients NET BATCH FILE\n"
                 "       cupel_step_profiled learn FILE BATCH\n"
                 "       cupel_step_profiled off|on SAMPLES CALLS DEVICE\n");
    return 2;
  } catch (const timing::CuptiError& error) {
    return failed(error, bench::step::kExitNoCupti, what);
  } catch (const std::exception& error) {
    return failed(error, code_of(error), what);
  }
}
