// The naive step with one piece of advice after another, in a fixed order, and the tuned step without each: what a
// piece gives depends on what is there already, so that order alone must not decide the credit. What all of them give
// is judged from the step that people have, PyTorch's defaults: the naive one is a variant.
#include <algorithm>
#include <string>

#include "bench/step/measure.hpp"
#include "bench/step/pieces.hpp"
#include "bench/step/topics.hpp"

namespace cupel::bench::step {
namespace {

using benchmark::State;
using harness::Profile;
using record::Role;

harness::Definition& add(const std::string& name, const Recipe& recipe, const harness::Sweep& batches) {
  const auto with_batch = [recipe](std::int64_t batch) {
    Recipe whole = recipe;
    whole.options.batch = batch;
    return whole;
  };
  harness::Definition& row = harness::add(name, [with_batch](State& state) {
    sample_recipe(state, with_batch(state.range(0)), {.calls = kStepsBetweenWaits});
  });
  return with_needs(row.sweep("batch", batches), [with_batch](const auto& sizes) { return with_batch(sizes[0]); });
}

void register_net(const std::string& net, const harness::Sweep& batches, Profile adds, Profile drops) {
  const std::string where = "net:" + net;
  add("step/defaults/" + where, by_default(net, 1), batches).from(adds).advice("all-together", Role::before, where);
  for (const Rung& rung : rungs(net)) {
    harness::Definition& definition = add(rung.name, rung.recipe, batches).from(rung.adds ? adds : drops);
    // Rungs between the ends are of a naive step, and say nothing beside a framework's defaults.
    if (rung.adds && rung.change == pieces().back().name) definition.advice("all-together", Role::after, where);
    if (rung.adds && rung.change == kNothing) definition.advice("all-together", Role::variant, where, "naive");
  }
  for (const Rung& rung : rungs_in_bf16(net)) {
    const bool is_autocast = rung.change == "amp_bf16";
    add(rung.name, rung.recipe, batches).from(is_autocast ? std::max(adds, Profile::standard) : Profile::full);
  }
  for (const Rung& rung : rungs(net, Layout::channels_first)) add(rung.name, rung.recipe, batches).from(Profile::full);
}

// The same for a host that launches as slowly as PyTorch's does, where that is not at hand: of one batch.
void register_eager_host(const std::string& net, std::int64_t batch, Profile adds) {
  for (const Rung& rung : rungs(net, Layout::channels_last, Host::eager)) {
    add(rung.name, rung.recipe, {.quick = {batch}}).from(rung.adds ? adds : Profile::full);
  }
}

}  // namespace

void register_waterfall() {
  register_net("resnet18_224", {.quick = {64}, .full = {32, 256}}, Profile::standard, Profile::standard);
  register_net("resnet18_32", {.quick = {128}, .full = {32, 512}}, Profile::quick, Profile::standard);
  register_eager_host("resnet18_32", 128, Profile::standard);
  register_eager_host("resnet18_224", 64, Profile::full);
}

}  // namespace cupel::bench::step
