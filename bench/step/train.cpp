// A step as people have it: by net, precision, layout, optimizer, launch and batch. PyTorch's own step is TF32
// convolutions, channels first, the optimizer by operation, launched one by one.
#include <string>

#include "bench/step/measure.hpp"
#include "bench/step/recipes.hpp"
#include "bench/step/topics.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using harness::Profile;

struct NamedRecipe {
  const char* name;  // in full, but for the batch
  Recipe recipe;
  Profile from = Profile::standard;
};

// Inputs are resident, as what is measured is the step.
Recipe recipe(const char* net, Precision precision, Layout layout, Update update, Launch launch) {
  Recipe all{.net = net, .update = update, .launch = launch, .loading = Loading::resident};
  all.options.precision = precision;
  all.options.layout = layout;
  return all;
}

constexpr auto kFirst = Layout::channels_first, kLast = Layout::channels_last;

void add(const NamedRecipe& named, const harness::Sweep& batches) {
  const auto with_batch = [recipe = named.recipe](std::int64_t batch) {
    Recipe all = recipe;
    all.options.batch = batch;
    return all;
  };
  harness::Definition& added = harness::add(named.name, [with_batch](State& state) {
    sample_recipe(state, with_batch(state.range(0)), {.calls = kStepsBetweenWaits});
  });
  with_needs(added.sweep("batch", batches).from(named.from),
             [with_batch](const auto& sizes) { return with_batch(sizes[0]); });
}

void register_images() {
  const auto r = [](const char* net, Precision precision, Layout layout, Update update = Update::foreach,
                    Launch launch = Launch::eager) { return recipe(net, precision, layout, update, launch); };
  const char *large = "resnet18_224", *small = "resnet18_32";
  const NamedRecipe of_large[] = {
      {"step/train/net:resnet18_224/precision:fp32/layout:nchw/optimizer:foreach/launch:eager",
       r(large, Precision::fp32, kFirst), Profile::full},
      {"step/train/net:resnet18_224/precision:tf32/layout:nchw/optimizer:foreach/launch:eager",
       r(large, Precision::tf32, kFirst)},
      {"step/train/net:resnet18_224/precision:tf32/layout:nhwc/optimizer:foreach/launch:eager",
       r(large, Precision::tf32, kLast), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_fp16/layout:nchw/optimizer:foreach/launch:eager",
       r(large, Precision::amp_fp16, kFirst), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_fp16/layout:nhwc/optimizer:foreach/launch:eager",
       r(large, Precision::amp_fp16, kLast), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_bf16/layout:nchw/optimizer:foreach/launch:eager",
       r(large, Precision::amp_bf16, kFirst), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_bf16/layout:nhwc/optimizer:foreach/launch:eager",
       r(large, Precision::amp_bf16, kLast), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_bf16/layout:nhwc/optimizer:fused/launch:eager",
       r(large, Precision::amp_bf16, kLast, Update::fused), Profile::full},
      {"step/train/net:resnet18_224/precision:amp_bf16/layout:nhwc/optimizer:fused/launch:graph",
       r(large, Precision::amp_bf16, kLast, Update::fused, Launch::graph)},
  };
  const NamedRecipe of_small[] = {
      {"step/train/net:resnet18_32/precision:tf32/layout:nchw/optimizer:foreach/launch:eager",
       r(small, Precision::tf32, kFirst), Profile::full},
      {"step/train/net:resnet18_32/precision:amp_fp16/layout:nhwc/optimizer:foreach/launch:eager",
       r(small, Precision::amp_fp16, kLast), Profile::full},
      {"step/train/net:resnet18_32/precision:amp_bf16/layout:nhwc/optimizer:foreach/launch:eager",
       r(small, Precision::amp_bf16, kLast), Profile::full},
      {"step/train/net:resnet18_32/precision:amp_bf16/layout:nhwc/optimizer:fused/launch:eager",
       r(small, Precision::amp_bf16, kLast, Update::fused), Profile::full},
      {"step/train/net:resnet18_32/precision:amp_bf16/layout:nhwc/optimizer:fused/launch:graph",
       r(small, Precision::amp_bf16, kLast, Update::fused, Launch::graph)},
  };
  for (const NamedRecipe& named : of_large) add(named, {.quick = {128}, .full = {32, 64, 256}});
  for (const NamedRecipe& named : of_small) add(named, {.quick = {128}, .full = {32, 512}});
}

void register_tokens() {
  const auto r = [](const char* net, Precision precision, Launch launch) {
    return recipe(net, precision, kLast, Update::foreach, launch);
  };
  const NamedRecipe of_tokens[] = {
      {"step/train/net:transformer_1024/precision:fp32/layout:rows/optimizer:foreach/launch:eager",
       r("transformer_1024", Precision::fp32, Launch::eager), Profile::full},
      {"step/train/net:transformer_1024/precision:tf32/layout:rows/optimizer:foreach/launch:eager",
       r("transformer_1024", Precision::tf32, Launch::eager), Profile::full},
      {"step/train/net:transformer_1024/precision:amp_bf16/layout:rows/optimizer:foreach/launch:eager",
       r("transformer_1024", Precision::amp_bf16, Launch::eager)},
      {"step/train/net:transformer_1024/precision:amp_bf16/layout:rows/optimizer:foreach/launch:graph",
       r("transformer_1024", Precision::amp_bf16, Launch::graph), Profile::full},
      {"step/train/net:transformer_4096/precision:tf32/layout:rows/optimizer:foreach/launch:eager",
       r("transformer_4096", Precision::tf32, Launch::eager), Profile::full},
      {"step/train/net:transformer_4096/precision:amp_bf16/layout:rows/optimizer:foreach/launch:eager",
       r("transformer_4096", Precision::amp_bf16, Launch::eager), Profile::full},
  };
  for (const NamedRecipe& named : of_tokens) add(named, {.quick = {4}, .full = {16}});

  // As people have it: attention in one operation. Written out as a variant.
  const NamedRecipe of_blocks[] = {
      {"step/train/net:transformer_1024x12/precision:amp_bf16/layout:rows/optimizer:adamw_fused/launch:eager",
       transformer_of_blocks(Launch::eager)},
      {"step/train/net:transformer_1024x12/precision:amp_bf16/layout:rows/optimizer:adamw_fused/launch:graph",
       transformer_of_blocks(Launch::graph)},
      {"step/train/net:transformer_1024x12/precision:amp_bf16/layout:rows/optimizer:adamw_fused/launch:eager/"
       "attention:written_out",
       transformer_of_blocks(Launch::eager, false), Profile::full},
  };
  for (const NamedRecipe& named : of_blocks) add(named, {.quick = {8}});
}

}  // namespace

void register_train() {
  register_images();
  register_tokens();
}

}  // namespace cupel::bench::step
