// The same 512 samples in batches of one size and another, in whole batches and in parts whose gradients are added, and
// in batches whose size varies.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "bench/step/measure.hpp"
#include "bench/step/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/graph.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/host/cannot_run.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using harness::Profile;
using record::Role;

constexpr std::int64_t kSamples = 512;

// PyTorch's step, the images there.
Recipe usual(std::int64_t batch) {
  Recipe recipe{.loading = Loading::resident};
  recipe.options.batch = batch;
  recipe.options.precision = Precision::tf32;
  return recipe;
}

bool can_be_had(std::int64_t bytes) {
  try {
    const cuda::DeviceBuffer<char> all(static_cast<std::size_t>(bytes));
    return true;
  } catch (const cuda::OutOfMemory&) {
    return false;
  }
}

std::int64_t bytes_of_training(const std::int64_t& batch) { return Training(usual(batch)).bytes(); }

// Bytes that a step of so many images holds, what cuDNN works in with it: two sizes say it, as each image has the same.
std::int64_t bytes_held(std::int64_t batch) {
  constexpr std::int64_t kFew = 16, kMore = 32;
  const std::int64_t few = harness::memoized<bytes_of_training>(kFew),
                     more = harness::memoized<bytes_of_training>(kMore);
  return few + (more - few) / (kMore - kFew) * (batch - kFew);
}

// By doubling until it does not fit, then by halves, to a 64th.
template <class Fits>
std::int64_t greatest_that(const Fits& fits) {
  std::int64_t good = 1;
  while (fits(2 * good)) good *= 2;
  std::int64_t bad = 2 * good;
  while (bad - good > good / 64 + 1) {
    const std::int64_t middle = (good + bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

// cuDNN counts the elements of a tensor in 31 bits.
bool tensors_are_small_enough(std::int64_t batch) {
  std::int64_t most = 0;  // of a sample
  for (const Layer& layer : net_of(usual(1)).layers) most = std::max(most, layer.out.count());
  return batch * most <= std::numeric_limits<std::int32_t>::max();
}

// By the bytes that it holds, and the elements of its tensors; and less, if what is free cannot be had at once. No such
// step is taken. The quick profile does not ask whether it can be had: after so much memory was given back the device
// is busy for some tenths of a second.
std::int64_t largest_batch() {
  bytes_held(1);  // before it is asked what is free
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  std::int64_t good = greatest_that([&](std::int64_t batch) {
    return bytes_held(batch) <= static_cast<std::int64_t>(free) && tensors_are_small_enough(batch);
  });
  const bool asks = harness::options().profile != Profile::quick;
  if (!asks || harness::options().once) return good;  // all memory is not taken from whoever runs beside
  while (good > 1 && !can_be_had(bytes_held(good))) good -= good / 64 + 1;
  return good;
}

// Takes a step of so many images. Why it cannot be taken; empty where it can.
std::string why_not(std::int64_t batch) {
  try {
    Training training(usual(batch));
    training.step();
    training.finish();
    return std::isfinite(training.loss()) ? "" : "the loss is no number";
  } catch (const cuda::OutOfMemory&) {
    return "out of memory";
  } catch (const std::exception& error) {
    if (!host::cannot_run(error)) throw;
    return error.what();
  }
}

struct Largest {
  std::int64_t batch = 64;
  std::string more_fails_by;  // what the least that fails, fails by
};

// From the one that its bytes let expect, up or down by a 64th: two steps where that is right, in place of some twenty
// by doubling and halving.
Largest largest_trained() {
  if (harness::options().once) return {};  // all memory is not taken from whoever runs beside
  Largest largest;
  largest.batch = harness::memoized<largest_batch>();
  const auto fits = [&](std::int64_t batch) {
    std::string why = why_not(batch);
    if (why.empty()) return true;
    largest.more_fails_by = std::move(why);
    return false;
  };
  const auto part = [&] { return largest.batch / 64 + 1; };
  if (fits(largest.batch)) {
    while (fits(largest.batch + part())) largest.batch += part();
    return largest;
  }
  do {
    largest.batch -= part();
  } while (largest.batch > 1 && !fits(largest.batch));
  return largest;
}

void step_of_largest(State& state) {
  const auto& [largest, more_fails_by] = harness::memoized<largest_trained>();
  Training training(usual(largest));
  sample_steps(state, {.flops = flops_of(training.program(), largest), .items = largest}, training, 1);
  harness::require(std::isfinite(training.loss()), "the loss is no number");
  count_memory(training);
  harness::set_counter("largest_batch", {static_cast<double>(largest), "count", record::Better::higher});
  if (!more_fails_by.empty()) harness::set_note("a larger batch fails: " + more_fails_by);
}

// A step's time by the device alone: its kernels one right behind the other, as a graph has them. Once a process, since
// a large batch takes longer to capture and warm up than to sample. The batch tells them apart: it is all in which
// trainings of usual() differ.
double device_s_of(Training& training, std::int64_t batch) {
  static auto& known = *new std::map<std::int64_t, double>;
  const auto found = known.find(batch);
  if (found != known.end()) return found->second;
  const auto graph = cuda::captured([&](cudaStream_t stream) { training.enqueue(stream); });
  return known[batch] = timing::quick_time_s(graph, 3);
}

// device_time by what is sampled is the share of the time in which the device is busy (advice/knee.hpp). The largest
// batch is asked before the training has its memory.
void sample_size(State& state, std::int64_t batch) {
  const Recipe recipe = usual(batch);
  const std::int64_t largest = harness::memoized<largest_batch>();
  Training training(recipe);
  require_training(training, recipe);
  const double device_s = device_s_of(training, batch);

  const std::int64_t steps = kSamples / batch;
  sample_steps(state, {.flops = flops_of(training.program(), kSamples), .items = kSamples}, training, steps);

  count_memory(training);
  harness::set_counter("device_time", {device_s * static_cast<double>(steps), "s", record::Better::lower});
  harness::set_counter("largest_batch", {static_cast<double>(largest), "count", record::Better::higher});
}

void register_size() {
  struct Size {
    const char* name;
    std::int64_t batch;
    Profile from;
  };
  static constexpr Size kSizes[] = {
      {"step/batch/size:8", 8, Profile::full},      {"step/batch/size:16", 16, Profile::full},
      {"step/batch/size:32", 32, Profile::quick},   {"step/batch/size:64", 64, Profile::full},
      {"step/batch/size:128", 128, Profile::quick}, {"step/batch/size:256", 256, Profile::standard},
      {"step/batch/size:512", 512, Profile::full},
  };
  for (const auto& [name, batch, from] : kSizes) {
    harness::Definition& row = harness::add(name, [size = batch](State& state) { sample_size(state, size); });
    with_needs(row.from(from), usual(batch), kSamples / batch);
    const std::string variant = std::to_string(batch);
    if (batch == 32) {
      row.advice("batch-size", Role::before, "net:resnet18_224");
    } else {
      row.advice("batch-size", batch > 32 ? Role::after : Role::variant, "net:resnet18_224", variant);
    }
  }
}

// Steps that are taken say what size rows say by bytes.
void register_largest() {
  with_needs(harness::add("step/batch/largest", step_of_largest).from(Profile::standard), usual(512), 16);
}

// The larger the part, the nearer to the whole; norms see the part alone, so that it learns a little otherwise.
void register_accumulate() {
  const auto recipe = [](std::int64_t of, std::int64_t micro) {
    Recipe all = usual(micro);
    all.options.parts = of / micro;
    all.options.adds_gradients = all.options.parts > 1;
    return all;
  };
  const auto add = [&](const std::string& name, std::int64_t of, std::int64_t micro, Profile from) -> auto& {
    const Recipe all = recipe(of, micro);
    return with_needs(harness::add(name, [all](State& state) { sample_recipe(state, all); }).from(from), all);
  };
  add("step/accumulate/of:128/micro:128", 128, 128, Profile::standard)
      .advice("grad-accumulation", Role::before, "of:128");
  add("step/accumulate/of:128/micro:32", 128, 32, Profile::standard)
      .advice("grad-accumulation", Role::after, "of:128", "micro_32");
  add("step/accumulate/of:512/micro:512", 512, 512, Profile::full).advice("grad-accumulation", Role::before, "of:512");
  add("step/accumulate/of:512/micro:256", 512, 256, Profile::full)
      .advice("grad-accumulation", Role::after, "of:512", "micro_256");
  add("step/accumulate/of:512/micro:128", 512, 128, Profile::full)
      .advice("grad-accumulation", Role::after, "of:512", "micro_128");
  add("step/accumulate/of:512/micro:32", 512, 32, Profile::full)
      .advice("grad-accumulation", Role::after, "of:512", "micro_32");
}

// Four batches and 192 samples each. Memory as it is wanted comes from a pool that keeps what it has, as a framework's
// allocator does; else it is made once, for the largest, and the smaller ones take part of it. cuDNN's plans are kept
// by shape.
void register_shapes() {
  constexpr std::int64_t kSum = 192, kSteps = 4;
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& sizes, Pool pool) -> auto& {
    Recipe recipe = usual(sizes.front());
    recipe.sizes = sizes;
    recipe.pool = pool;
    harness::Definition& row = harness::add(
        name, [recipe](State& state) { sample_recipe(state, recipe, {.steps = kSteps, .samples = kSum}); });
    return with_needs(row.from(Profile::standard), recipe, kSteps);
  };
  const std::vector<std::int64_t> varying = {64, 48, 56, 24}, equal = {48};
  add("step/shapes/batches:varying/memory:as_wanted", varying, Pool::kept)
      .advice("fixed-batch", Role::before, "net:resnet18_224");
  add("step/shapes/batches:equal/memory:as_wanted", equal, Pool::kept)
      .advice("fixed-batch", Role::after, "net:resnet18_224", "equal");
  add("step/shapes/batches:varying/memory:for_largest", varying, Pool::planned)
      .advice("fixed-batch", Role::after, "net:resnet18_224", "for_largest");
}

}  // namespace

void register_batch() {
  register_size();
  register_largest();
  register_accumulate();
  register_shapes();
}

}  // namespace cupel::bench::step
