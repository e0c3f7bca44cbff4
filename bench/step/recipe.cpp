#include "bench/step/recipe.hpp"

#include <algorithm>
#include <stdexcept>

#include "bench/step/nets.hpp"

namespace cupel::bench::step {
namespace {

void require_that(bool holds, const char* rule) {
  if (!holds) throw std::invalid_argument(rule);
}

}  // namespace

Recipe checked(Recipe recipe) {
  if (recipe.fills_gradients) recipe.options.adds_gradients = true;
  const bool graph = recipe.launch == Launch::graph;
  require_that(!graph || recipe.pool == Pool::planned, "a graph keeps the memory that it was captured with");
  require_that(recipe.scaler != Scaler::folded || recipe.update == Update::fused, "a folded scale is a fused update's");
  require_that(!graph || recipe.options.parts == 1, "parts of a batch are not captured");
  require_that(!graph || recipe.sizes.size() <= 1, "a graph has batches of one size");
  const bool half = product_type(recipe.options.precision) != DType::fp32;
  require_that(!recipe.options.fused_attention || half, "fused attention is of half formats");
  require_that(recipe.options.parts == 1 || recipe.options.adds_gradients, "gradients of parts have to be added");
  require_that(recipe.loading != Loading::ahead || recipe.sizes.size() <= 1, "what is copied ahead is of one size");
  require_that(recipe.sizes.empty() || recipe.sizes.front() == recipe.options.batch, "the first size is the largest");
  for (const std::int64_t size : recipe.sizes) {
    require_that(size >= 1 && size <= recipe.options.batch, "the first size is the largest");
  }
  return recipe;
}

bool host_looks_at_scale(const Recipe& recipe) {
  if (recipe.options.precision != Precision::amp_fp16 || recipe.launch == Launch::graph) return false;
  return recipe.scaler == Scaler::host_looks || recipe.update != Update::fused;
}

kernels::optimizer::Sgd sgd_of(const Recipe& recipe) {
  constexpr double kFullRate = 0.02;
  const auto samples = static_cast<double>(std::min(recipe.options.batch * recipe.options.parts, kFullRateSamples));
  const double rate = kFullRate * samples / static_cast<double>(kFullRateSamples);
  return {.learning_rate = rate, .momentum = 0.9, .weight_decay = 1e-4};
}

Net net_of(const Recipe& recipe) {
  if (!recipe.conv_bias) return net_of(recipe.net);
  require_that(recipe.net == "resnet18_224" || recipe.net == "resnet18_32", "only ResNets have biases to choose");
  return resnet18(recipe.net == "resnet18_224" ? 224 : 32, true);
}

std::vector<std::int64_t> sizes_of(const Recipe& recipe) {
  return recipe.sizes.empty() ? std::vector<std::int64_t>{recipe.options.batch} : recipe.sizes;
}

Program program_of(const Recipe& recipe, std::int64_t batch) {
  Options options = recipe.options;
  options.batch = batch;
  return make_program(net_of(recipe), options);
}

std::vector<Lifetime> lifetimes_of(const Program& program, const Recipe& recipe) {
  return recipe.keeps_all ? kept_lifetimes(program) : lifetimes(program);
}

Plan plan_of(const Program& program, const Recipe& recipe) { return make_plan(program, lifetimes_of(program, recipe)); }

std::int64_t planned_bytes(const Recipe& recipe) {
  const Recipe complete = checked(recipe);
  const Plan plan = plan_of(program_of(complete, complete.options.batch), complete);
  const std::int64_t moments = !recipe.options.trains ? 0 : recipe.rule == Rule::adamw ? 3 : 1;
  const bool in_parts = recipe.loading == Loading::resident && recipe.options.parts > 1;
  const std::int64_t more_inputs = recipe.loading == Loading::ahead ? 1 : in_parts ? recipe.options.parts : 0;
  return plan.total_bytes() + moments * plan.bytes_of(Home::parameter) + more_inputs * plan.bytes_of(Home::image);
}

}  // namespace cupel::bench::step
