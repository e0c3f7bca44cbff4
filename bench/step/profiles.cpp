#include "bench/step/profiles.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/step/pieces.hpp"
#include "bench/step/profile.hpp"
#include "bench/step/recipes.hpp"
#include "bench/step/training.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/host/cannot_run.hpp"
#include "cupel/host/child.hpp"
#include "cupel/record/machine.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/cupti_referee.hpp"

namespace cupel::bench::step {
namespace {

using harness::Clock;
using harness::seconds_since;

constexpr int kWarmUp = 5;
constexpr int kSamples = 10, kFewestSamples = 3, kStepsOfSample = 4;
constexpr double kEnough_s = 1;    // of the samples of one, once the fewest are there
constexpr int kRecorded = 3;       // steps
constexpr double kLimit_s = 3600;  // of all times

struct NamedRecipe {
  std::string name;
  Recipe recipe;
};

std::vector<NamedRecipe> recipes_of_waterfalls() {
  const std::pair<const char*, std::vector<std::int64_t>> nets[] = {{"resnet18_224", {32, 64, 256}},
                                                                    {"resnet18_32", {32, 128, 512}}};
  std::vector<NamedRecipe> all;
  for (const auto& [net, batches] : nets) {
    for (const std::int64_t batch : batches) {
      for (const Layout layout : {Layout::channels_last, Layout::channels_first}) {
        for (Rung& rung : rungs(net, layout)) {
          NamedRecipe named{rung.name + "/batch:" + std::to_string(batch), rung.recipe};
          named.recipe.options.batch = batch;
          all.push_back(std::move(named));
        }
      }
    }
  }
  return all;
}

// Rows that ci/parity-pytorch-step --kinds holds against PyTorch's kernels.
std::vector<NamedRecipe> recipes_of_rows() {
  Recipe blocks = transformer_of_blocks(Launch::graph);
  blocks.options.batch = 8;
  return {
      {"step/norm_bias/bias:kept", small_images_with_bias(true)},
      {"step/norm_bias/bias:none", small_images_with_bias(false)},
      {"step/train/net:transformer_1024x12/precision:amp_bf16/layout:rows/optimizer:adamw_fused/launch:graph/batch:8",
       blocks}};
}

// Rows only where they are asked for.
std::vector<NamedRecipe> recipes(const std::string& text) {
  std::vector<NamedRecipe> all = recipes_of_waterfalls();
  if (!text.empty()) std::ranges::move(recipes_of_rows(), std::back_inserter(all));
  std::erase_if(all, [&](const NamedRecipe& named) { return named.name.find(text) == std::string::npos; });
  return all;
}

double step_s(Training& training) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kStepsOfSample; ++i) training.step();
  training.finish();
  return seconds_since(start) / kStepsOfSample;
}

double enqueue_s(Training& training) {
  training.finish();
  const Clock::time_point start = Clock::now();
  training.step();
  return seconds_since(start);
}

nlohmann::json times_of(const Recipe& recipe) {
  Training training(recipe);
  for (int i = 0; i < kWarmUp; ++i) training.step();
  std::vector<double> steps_s, enqueues_s;
  const Clock::time_point start = Clock::now();
  const auto enough = [&](int samples) { return samples >= kFewestSamples && seconds_since(start) > kEnough_s; };
  for (int i = 0; i < kSamples && !enough(i); ++i) steps_s.push_back(step_s(training));
  nlohmann::json times{{"step_s", stats::median(steps_s)}};
  if (never_waits(recipe)) {
    for (int i = 0; i < kSamples; ++i) enqueues_s.push_back(enqueue_s(training));
    times["enqueue_s"] = stats::median(enqueues_s);
  }
  return times;
}

// A recipe that cannot be here, for want of memory or of a convolution, does not end the others.
template <class Do>
void each(const std::vector<NamedRecipe>& recipes, const char* what, const Do& run) {
  std::size_t place = 0;
  for (const NamedRecipe& named : recipes) {
    const auto say = [&](const std::string& text) {
      std::fprintf(stderr, "cupel_step_profiled: %s %zu of %zu: %s\n", what, place, recipes.size(), text.c_str());
    };
    ++place;
    say(named.name);
    try {
      run(named);
    } catch (const std::exception& error) {
      if (!host::cannot_run(error)) throw;
      say(std::string("left out: ") + error.what());
    }
  }
}

// Ties what is enqueued to the part of the step that it is for: a watch each.
class Ties : public Watcher {
 public:
  explicit Ties(timing::CuptiReferee& referee) : referee_(referee) {}

  void begins(Part part, std::size_t operation) override {
    watch_.reset();
    watch_.emplace(&referee_);
    parts_.emplace_back(part, operation);
  }

  void end() { watch_.reset(); }

  std::vector<Seen> seen() {
    std::vector<Seen> all;
    for (const timing::DeviceRecord& record : referee_.records()) {
      const auto& [part, operation] = parts_.at(record.watch);
      all.push_back({.what = static_cast<Seen::What>(record.what),
                     .part = part,
                     .operation = operation,
                     .time_s = record.time_s,
                     .bytes = record.bytes,
                     .is_pageable = record.is_pageable,
                     .launches = record.records});
    }
    return all;
  }

 private:
  timing::CuptiReferee& referee_;
  std::optional<timing::CuptiReferee::Watch> watch_;
  std::vector<std::pair<Part, std::size_t>> parts_;
};

static_assert(static_cast<int>(Seen::What::d2d) == static_cast<int>(timing::DeviceRecord::What::device_to_device));

record::StepProfile recorded(const NamedRecipe& named, const std::string& device) {
  timing::CuptiReferee& referee = timing::CuptiReferee::get();
  Recipe eager = named.recipe;
  eager.launch = Launch::eager;
  Training training(eager);
  for (int i = 0; i < kWarmUp; ++i) training.step();
  training.finish();
  referee.forget();
  Ties ties(referee);
  training.watch(&ties);
  for (int i = 0; i < kRecorded; ++i) training.step();
  ties.end();
  cuda::check(cudaDeviceSynchronize());  // copies ahead are on a stream of their own
  record::StepProfile profile = profile_of(named.recipe, ties.seen(), kRecorded);
  profile.benchmark = named.name;
  profile.device = device;
  return profile;
}

std::filesystem::path file_of(const std::filesystem::path& folder, std::string name) {
  std::ranges::replace(name, '/', '.');
  std::ranges::replace(name, ':', '-');
  return folder / (name + ".json");
}

// Passes a child's line of progress on.
bool say_on(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  return false;
}

}  // namespace

std::string measured_times(const std::string& text) {
  nlohmann::json all = nlohmann::json::object();
  each(recipes(text), "timing", [&](const NamedRecipe& named) { all[named.name] = times_of(named.recipe); });
  return all.dump();
}

void write_profiles(const std::filesystem::path& folder, const std::string& text) {
  timing::CuptiReferee::get();  // before the first CUDA call, and before anything that would be for nothing without it
  const host::ChildResult child = host::run_child({.program = host::beside_this_program("cupel_step_profiled"),
                                                   .arguments = {"times", text},
                                                   .time_limit_s = kLimit_s,
                                                   .keep_bytes = 1 << 20,
                                                   .hears = say_on});
  if (!host::exited_with(child, 0)) {
    throw std::runtime_error("the child that takes times: " + host::ending_text(child) + "; why is above");
  }
  const nlohmann::json times = nlohmann::json::parse(child.output_text);
  const std::string device = device::read_device_info(0, nullptr).name;
  files::make_folders(folder);
  each(recipes(text), "recording", [&](const NamedRecipe& named) {
    if (!times.contains(named.name)) return;
    record::StepProfile profile = recorded(named, device);
    profile.step_s = times[named.name].at("step_s");
    if (times[named.name].contains("enqueue_s")) profile.enqueue_s = times[named.name]["enqueue_s"].get<double>();
    files::write_file(file_of(folder, named.name), to_json(profile));
  });
}

}  // namespace cupel::bench::step
