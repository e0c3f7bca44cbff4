// Small habits around a step: how often the loss is looked at, how gradients are made zero, biases before norms, and
// activations written over their inputs.
#include <string>

#include "bench/step/measure.hpp"
#include "bench/step/recipes.hpp"
#include "bench/step/topics.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using record::Role;

harness::Definition& add(const std::string& name, const Recipe& recipe, const Sampled& how = {}) {
  return with_needs(harness::add(name, [recipe, how](State& state) { sample_recipe(state, recipe, how); }), recipe,
                    how.steps);
}

// Twenty steps a sample, in all of which every:1 reads the loss, and in one sample of five every:100, once.
void register_logging() {
  const auto every = [](int steps) {
    Recipe recipe = small_images();
    recipe.reads_loss_every = steps;
    return recipe;
  };
  constexpr Sampled kTwenty{.steps = 20};
  add("step/logging/every:1", every(1), kTwenty)
      .from(harness::Profile::standard)
      .advice("logging", Role::before, "net:resnet18_32");
  add("step/logging/every:10", every(10), kTwenty)
      .from(harness::Profile::full)
      .advice("logging", Role::after, "net:resnet18_32", "every_10");
  add("step/logging/every:100", every(100), kTwenty)
      .from(harness::Profile::standard)
      .advice("logging", Role::after, "net:resnet18_32", "every_100");
}

void register_zero_grad() {
  Recipe filled = small_images();
  filled.fills_gradients = true;
  add("step/zero_grad/by:fill", filled).from(harness::Profile::full);
  add("step/zero_grad/by:none", small_images()).from(harness::Profile::full);
}

// As people have it: in bfloat16, channels last.
harness::Definition& add_norm_bias(bool is_kept) {
  const auto with = [is_kept](std::int64_t batch) {
    Recipe recipe = small_images_with_bias(is_kept);
    recipe.net = "resnet18_224";
    recipe.options.batch = batch;
    return recipe;
  };
  const std::string name = std::string("step/norm_bias/bias:") + (is_kept ? "kept" : "none") + "/net:resnet18_224";
  harness::Definition& row = harness::add(name, [with](State& state) { sample_recipe(state, with(state.range(0))); });
  return with_needs(row, [with](const auto& sizes) { return with(sizes[0]); })
      .sweep("batch", {.quick = {64}, .full = {256}})
      .from(harness::Profile::standard)
      .advice("norm-bias", is_kept ? Role::before : Role::after, "net:resnet18_224");
}

void register_norm_bias() {
  add("step/norm_bias/bias:kept", small_images_with_bias(true))
      .from(harness::Profile::standard)
      .advice("norm-bias", Role::before, "net:resnet18_32");
  add("step/norm_bias/bias:none", small_images_with_bias(false))
      .from(harness::Profile::standard)
      .advice("norm-bias", Role::after, "net:resnet18_32");
  add_norm_bias(true);
  add_norm_bias(false);
}

void register_inplace_relu() {
  Recipe apart = small_images();
  apart.options.inplace_relu = false;
  add("step/inplace_relu/inplace:off", apart)
      .from(harness::Profile::standard)
      .advice("inplace-relu", Role::before, "net:resnet18_32");
  add("step/inplace_relu/inplace:on", small_images())
      .from(harness::Profile::standard)
      .advice("inplace-relu", Role::after, "net:resnet18_32");
}

// The loss scale in a step: beside a single update, as optimizer/loss_scaling has it, it looks
// dear.
void register_loss_scaling() {
  const auto by = [](Scaler scaler) {
    Recipe recipe = small_images();
    recipe.options.precision = Precision::amp_fp16;
    recipe.update = Update::fused;
    recipe.scaler = scaler;
    return recipe;
  };
  constexpr Sampled kSteps{.calls = kStepsBetweenWaits};
  add("step/loss_scaling/scale:folded", by(Scaler::folded), kSteps)
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::before, "net:resnet18_32");
  add("step/loss_scaling/scale:device_looks", by(Scaler::as_frameworks), kSteps)
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::after, "net:resnet18_32", "device_looks");
  add("step/loss_scaling/scale:host_looks", by(Scaler::host_looks), kSteps)
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::after, "net:resnet18_32", "host_looks");
}

}  // namespace

void register_habits() {
  register_logging();
  register_zero_grad();
  register_norm_bias();
  register_inplace_relu();
  register_loss_scaling();
}

}  // namespace cupel::bench::step
