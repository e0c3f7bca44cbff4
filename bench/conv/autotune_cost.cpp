// The cost of searching to a program: a step with a shape it knows, and steps with a new shape each time, searched for,
// asked of the heuristic, or found in a cache of plans.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/conv/keep_once.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/search.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using record::Role;

enum class Policy { search, heuristic, cached };

constexpr std::int64_t kBatch = 32;
constexpr int kShapes = 16;  // that come round and round; without a cache each is new each time

// res4_3x3 at sizes of 14 and more, as when images keep their shape.
Problem problem_of(int step) {
  Problem problem{shape_of(layer("res4_3x3"), kBatch), Pass::forward, Precision::fp16, Layout::channels_last};
  problem.shape.in[2] += step % kShapes;
  return problem;
}

Plan plan_for(const Data& data, Policy policy) {
  if (policy == Policy::search) return autotune(data).plan;
  Graph graph(data.problem());
  const Candidate candidate = build_first(graph, Heuristic::mode_a);
  return {std::move(graph), candidate};
}

// One call, to completion.
void run(const Plan& plan, const Data& data) {
  const cudaStream_t stream = timing::Rig::get().stream();
  plan.graph.execute(plan.candidate, data.tensors(), workspace(plan.graph.workspace_bytes(plan.candidate)), stream);
  cuda::check(cudaStreamSynchronize(stream));
}

// The plan is there when the first step begins.
void same_shape(State& state) {
  const Problem problem = problem_of(kShapes / 2);  // the work that the others count
  const Plan& plan = autotune(problem).plan;
  const Data data(problem);

  harness::sample_host(state, data.problem().work(), [&] { run(plan, data); });

  data.require_right(plan.graph, plan.candidate);
}

// A plan for every shape that comes.
std::map<int, Plan> plans_of_all_shapes() {
  std::map<int, Plan> plans;
  for (int step = 0; step < kShapes; ++step) {
    plans.emplace(step, plan_for(Data(problem_of(step)), Policy::heuristic));
  }
  return plans;
}

int next_step() {
  static int step = 0;
  return ++step;
}

// Asked of the heuristic, or found in the cache.
void new_shapes(State& state, Policy policy) {
  const auto* cache = policy == Policy::cached ? &harness::memoized<plans_of_all_shapes>() : nullptr;
  int step = 0;
  std::optional<Data> data;
  std::optional<Plan> made;
  const Plan* plan = nullptr;
  harness::HostSampling how{.calls = 1, .warm_up = 1};
  // Its numbers are the loader's work, and what becomes of the plan before is a later matter: neither is the step's.
  how.before = [&] {
    made.reset();
    step = next_step();
    data.emplace(problem_of(step));
  };

  harness::sample_host(
      state, problem_of(kShapes / 2).work(),
      [&] {
        if (cache == nullptr) made.emplace(plan_for(*data, policy));
        plan = cache != nullptr ? &cache->at(step % kShapes) : &*made;
        run(*plan, *data);
      },
      how);

  data->require_right(plan->graph, plan->candidate);
}

// Searched for. One step a round: each takes as long as thousands of steps without.
void searched_shapes(State&) {
  timing::Rig::get();  // made before the clock runs: it is no part of the cost
  const Data data(problem_of(next_step()));

  const harness::Clock::time_point start = harness::Clock::now();
  const Plan plan = autotune(data).plan;
  run(plan, data);
  keep_one(problem_of(kShapes / 2).work(), harness::seconds_since(start));

  data.require_right(plan.graph, plan.candidate);
}

// A layer that no other benchmark of the quick and the standard profile searches for.
Problem searched_problem() {
  return {shape_of(layer("res3_3x3_stride"), kBatch), Pass::forward, Precision::fp16, Layout::channels_last};
}

// The first search of the process for this convolution, with plans to make and kernels to load, by whichever benchmark
// wants it first.
const Autotuned& first_search() {
  make_handle();
  return autotune(searched_problem());
}

void search_first(State&) {
  const Autotuned& found = first_search();
  const Data data(searched_problem());
  keep_once({.items = 1}, found.cost_s);
  run(found.plan, data);
  data.require_right(found.plan.graph, found.plan.candidate);
}

// The same search again, one a round: what is left is asking, making plans from what is loaded, and timing.
void search_again(State&) {
  first_search();
  const Data data(searched_problem());

  const Autotuned found = autotune(data);
  keep_one({.items = 1}, found.cost_s);

  run(found.plan, data);
  data.require_right(found.plan.graph, found.plan.candidate);
}

harness::Body varying(Policy policy) {
  return [policy](State& state) { new_shapes(state, policy); };
}

harness::Memory wanted_memory(const std::vector<std::int64_t>&) {
  return {.device_bytes = problem_of(kShapes - 1).memory_bytes()};
}

}  // namespace

void register_autotune_cost() {
  add("conv/autotune_cost/search:first/layer:res3_3x3_stride/precision:fp16/batch:32", search_first)
      .first_of_process()
      .from(Profile::standard)
      .memory(wanted_memory);
  add("conv/autotune_cost/search:repeated/layer:res3_3x3_stride/precision:fp16/batch:32", search_again)
      .from(Profile::standard)
      .memory(wanted_memory);
  const std::string scenario = "layer:res4_3x3/precision:fp16/batch:32";
  add("conv/autotune_cost/shapes:fixed/policy:search", same_shape)
      .from(Profile::standard)
      .memory(wanted_memory)
      .advice("autotune-cost", Role::variant, scenario, "fixed_shapes");
  add("conv/autotune_cost/shapes:varying/policy:search", searched_shapes)
      .from(Profile::standard)
      .memory(wanted_memory)
      .advice("autotune-cost", Role::after, scenario);
  add("conv/autotune_cost/shapes:varying/policy:heuristic", varying(Policy::heuristic))
      .from(Profile::standard)
      .memory(wanted_memory)
      .advice("autotune-cost", Role::before, scenario);
  add("conv/autotune_cost/shapes:varying/policy:cached", varying(Policy::cached))
      .from(Profile::standard)
      .memory(wanted_memory)
      .advice("autotune-cost", Role::variant, scenario, "cached");
}

}  // namespace cupel::bench::conv
