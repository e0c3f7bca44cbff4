// Keeps less of the forward pass, or keeps it in shorter numbers: time against bytes.
#include <string>

#include "bench/step/measure.hpp"
#include "bench/step/topics.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using harness::Profile;
using record::Role;

Recipe usual(std::int64_t batch) {
  Recipe recipe{.loading = Loading::resident};
  recipe.options.batch = batch;
  recipe.options.precision = Precision::tf32;
  return recipe;
}

// make(batch): the recipe.
template <class Make>
harness::Definition& add(const std::string& name, const Make& make,
                         const harness::Sweep& batches = {.quick = {32}, .full = {128, 256}}) {
  harness::Definition& row = harness::add(name, [make](State& state) { sample_recipe(state, make(state.range(0))); });
  return with_needs(row.sweep("batch", batches), [make](const auto& sizes) { return make(sizes[0]); });
}

void register_checkpoint() {
  const auto keeping = [](Keep keep) {
    return [keep](std::int64_t batch) {
      Recipe recipe = usual(batch);
      recipe.options.keep = keep;
      return recipe;
    };
  };
  add("step/checkpoint/keep:all", keeping(Keep::all)).advice("checkpointing", Role::before, "net:resnet18_224");
  add("step/checkpoint/keep:sqrt", keeping(Keep::sqrt))
      .advice("checkpointing", Role::after, "net:resnet18_224", "sqrt");

  // Where people use it: many blocks alike, of each of which the input is kept.
  const auto of_blocks = [](Keep keep) {
    return [keep](std::int64_t batch) {
      Recipe recipe{.net = "transformer_1024x12", .loading = Loading::resident};
      recipe.options.batch = batch;
      recipe.options.precision = Precision::amp_bf16;
      recipe.options.fused_attention = true;
      recipe.options.layout = Layout::channels_last;
      recipe.options.keep = keep;
      return recipe;
    };
  };
  const harness::Sweep batches = {.quick = {8}, .full = {32}};
  add("step/checkpoint/keep:all/net:transformer_1024x12", of_blocks(Keep::all), batches)
      .from(Profile::standard)
      .advice("checkpointing", Role::before, "net:transformer_1024x12");
  add("step/checkpoint/keep:sqrt/net:transformer_1024x12", of_blocks(Keep::sqrt), batches)
      .from(Profile::standard)
      .advice("checkpointing", Role::after, "net:transformer_1024x12", "sqrt");
}

void register_evaluate() {
  const auto evaluating = [](bool kept) {
    return [kept](std::int64_t batch) {
      Recipe recipe = usual(batch);
      recipe.options.trains = false;
      recipe.keeps_all = kept;
      return recipe;
    };
  };
  add("step/evaluate/grad:kept", evaluating(true)).advice("no-grad", Role::before, "net:resnet18_224");
  add("step/evaluate/grad:none", evaluating(false)).advice("no-grad", Role::after, "net:resnet18_224");
}

// Judged by the bytes of what a step makes.
void register_precision() {
  const auto in = [](Precision precision) {
    return [precision](std::int64_t batch) {
      Recipe recipe = usual(batch);
      recipe.options.precision = precision;
      return recipe;
    };
  };
  add("step/memory/precision:fp32", in(Precision::fp32)).advice("mixed-memory", Role::before, "net:resnet18_224");
  add("step/memory/precision:amp_fp16", in(Precision::amp_fp16))
      .from(harness::Profile::full)
      .advice("mixed-memory", Role::after, "net:resnet18_224", "amp_fp16");
  add("step/memory/precision:amp_bf16", in(Precision::amp_bf16))
      .advice("mixed-memory", Role::after, "net:resnet18_224", "amp_bf16");
}

}  // namespace

void register_memory() {
  register_checkpoint();
  register_evaluate();
  register_precision();
}

}  // namespace cupel::bench::step
