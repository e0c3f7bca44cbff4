// The libraries' own choice against the fastest of what they offer, and what finding that costs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "bench/gemm/operations.hpp"
#include "bench/gemm/product.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::gemm {
namespace {

using benchmark::State;
using harness::add;
using harness::Clock;
using harness::Profile;
using harness::seconds_since;
using record::Role;

constexpr int kMostChoices = 32;

// The outcome of one search.
struct Search {
  cublasLtMatmulAlgo_t best{};
  int candidates = 0;
  double first_s = 0, best_s = 0;
  double cost_s = 0;
};

Search search(Precision precision, const Shape& shape) {
  const Problem problem(precision, shape);
  const LtProduct product(precision, shape);
  timing::Rig::get();  // made before the clock runs: it is no part of the cost
  Search found;
  const Clock::time_point start = Clock::now();
  for (const cublasLtMatmulAlgo_t& algorithm : product.choices(kMostChoices)) {
    const double time_s = timing::quick_time_s(
        [&](cudaStream_t stream) { product.multiply(problem.operands_in_turn(), algorithm, stream); });
    if (found.candidates == 0) found.first_s = time_s;
    if (found.candidates == 0 || time_s < found.best_s) {
      found.best = algorithm;
      found.best_s = time_s;
    }
    ++found.candidates;
  }
  found.cost_s = seconds_since(start);
  return found;
}

void tell(const Search& found) {
  harness::set_counter("candidates", {.value = static_cast<double>(found.candidates), .unit = "count"});
  harness::set_counter("search_time", {.value = found.cost_s, .unit = "s", .better = record::Better::lower});
  const double gain_s = found.first_s - found.best_s;
  harness::set_counter("first_was_fastest", {.value = gain_s > 0 ? 0.0 : 1.0, .unit = "1"});
  if (gain_s > 0) harness::set_counter("calls_until_paid", {.value = found.cost_s / gain_s, .unit = "count"});
}

void run(State& state, const Problem& problem, const LtProduct& product, const cublasLtMatmulAlgo_t& algorithm) {
  problem.set_roof_limit();
  timing::sample_device(state, problem.work(),
                        [&](cudaStream_t stream) { product.multiply(problem.operands_in_turn(), algorithm, stream); },
                        {.hot = measured_hot(problem.shape())});
  problem.require_right();
}

void first_choice(State& state, Precision precision, const Shape& shape) {
  const Problem problem(precision, shape);
  const LtProduct product(precision, shape);
  run(state, problem, product, product.choices(1).front());
}

// Searching again in each round would cost three times as much.
void best_choice(State& state, Precision precision, const Shape& shape) {
  const Search& found = harness::memoized<search>(precision, shape);
  const Problem problem(precision, shape);
  const LtProduct product(precision, shape);
  run(state, problem, product, found.best);
  tell(found);
}

// name: complete but for who chooses.
void register_shape(const std::string& shape_name, Precision precision, const Shape& shape, Profile smallest) {
  const std::string rest = std::string("/precision:") + traits(precision).name + "/shape:" + shape_name;
  const auto memory = [precision, shape](const auto&) {
    return harness::Memory{.device_bytes = memory_bytes(precision, shape)};
  };
  add("gemm/choice/chosen_by:heuristic" + rest, [=](State& state) { first_choice(state, precision, shape); })
      .from(smallest)
      .memory(memory)
      .advice("gemm-autotune", Role::before, rest.substr(1));
  add("gemm/choice/chosen_by:measuring" + rest, [=](State& state) { best_choice(state, precision, shape); })
      .from(smallest)
      .memory(memory)
      .advice("gemm-autotune", Role::after, rest.substr(1));
  add("gemm/choice/chosen_by:cublas" + rest, multiply(precision, [shape](const State&) { return shape; }))
      .from(smallest)
      .memory(memory)
      .advice("gemm-autotune", Role::variant, rest.substr(1), "cublas");
}

}  // namespace

void register_choice() {
  register_shape("square_4096", Precision::bf16, square(4096), Profile::quick);
  register_shape("mlp_up_4096_tokens_16", Precision::bf16, linear(16384, 4096, 16), Profile::quick);
  register_shape("square_1000", Precision::bf16, square(1000), Profile::standard);
  register_shape("mlp_up_4096_tokens_2048", Precision::bf16, linear(16384, 4096, 2048), Profile::standard);
  register_shape("square_4096", Precision::tf32, square(4096), Profile::full);
  register_shape("mlp_up_4096_wgrad", Precision::bf16, linear_backward_filter(16384, 4096, 2048), Profile::full);
  register_shape("square_8192", Precision::bf16, square(8192), Profile::full);
}

}  // namespace cupel::bench::gemm
