// The enumeration of algorithms that frameworks chose from in the age of the advice: guessed and measured, beside the
// graphs' choice.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/conv/data.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/legacy_algorithms.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/sample_plan.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Clock;
using harness::Profile;
using harness::seconds_since;
using harness::operator""_MiB;
using record::Role;

// PyTorch gave the search as much as was free. A gibibyte is enough for all layers here.
constexpr std::int64_t kWorkspace = 1024_MiB;

enum class Chosen { guessed, measured };

struct Found {
  std::vector<Algorithm> algorithms;
  double cost_s = 0;
};

Found ranked(const Problem& problem, Chosen chosen) {
  const Data data(problem);
  const LegacyConvolution convolution(problem);
  void* memory = chosen == Chosen::measured ? workspace(kWorkspace) : nullptr;
  Found found;
  const Clock::time_point start = Clock::now();
  found.algorithms =
      chosen == Chosen::measured ? convolution.find(data.tensors(), memory, kWorkspace) : convolution.guess();
  found.cost_s = seconds_since(start);
  return found;
}

// The guess ranks by time alone; a program takes the first that its workspace is enough for.
const Algorithm& first_that_fits(const std::vector<Algorithm>& algorithms) {
  const auto found = std::ranges::find_if(
      algorithms, [](const Algorithm& algorithm) { return algorithm.workspace_bytes <= kWorkspace; });
  if (found == algorithms.end()) throw NotSupported("every algorithm of before the graphs wants more than 1 GiB");
  return *found;
}

void list(const Found& found, Chosen chosen) {
  const char* const cost = chosen == Chosen::measured ? "search_time" : "heuristic_time";
  harness::set_counter(cost, {.value = found.cost_s, .unit = "s"});
  for (const Algorithm& algorithm : found.algorithms) {
    if (algorithm.time_s > 0) harness::set_counter(algorithm.name + "/time", {.value = algorithm.time_s, .unit = "s"});
    harness::set_counter(algorithm.name + "/workspace",
                         {.value = static_cast<double>(algorithm.workspace_bytes), .unit = "bytes"});
  }
}

void run(State& state, const Problem& problem, Chosen chosen) {
  const Found& found = harness::memoized<ranked>(problem, chosen);
  const Data data(problem);
  const LegacyConvolution convolution(problem);
  const Algorithm& best = first_that_fits(found.algorithms);
  data.set_roof_limit();
  void* memory = workspace(best.workspace_bytes);

  const auto call = [&](cudaStream_t stream) { convolution.execute(best, data.tensors(), memory, stream); };

  timing::sample_device(state, problem.work(), call, how_measured(problem));

  data.require_right(best.notes, call);
  list(found, chosen);
  harness::set_note("algorithm " + best.name + transforms_note(problem, best.notes, best.workspace_bytes));
}

// Names are put together here: "conv/legacy/chosen_by:<rule>/pass:.../layer:.../precision:.../layout:.../batch:64".
void register_point(const char* layer_name, Pass pass, Precision precision, Layout layout, Profile smallest) {
  constexpr std::int64_t kBatch = 64;
  const Problem problem{shape_of(layer(layer_name), kBatch), pass, precision, layout};
  const std::string where = std::string("pass:") + kernels::dot::to_string(pass) + "/layer:" + layer_name +
                            "/precision:" + to_string(precision) + "/layout:" + to_string(layout) + "/batch:64";
  const auto memory = [problem](const auto&) {
    return harness::Memory{.device_bytes = problem.memory_bytes() + kWorkspace};
  };
  const auto body = [problem](Chosen chosen) {
    return [problem, chosen](State& state) { run(state, problem, chosen); };
  };
  add("conv/legacy/chosen_by:get_v7/" + where, body(Chosen::guessed))
      .from(smallest)
      .memory(memory)
      .advice("cudnn-autotune", Role::variant, where, "legacy_get_v7");
  add("conv/legacy/chosen_by:find_ex/" + where, body(Chosen::measured))
      .from(smallest)
      .memory(memory)
      .advice("cudnn-autotune", Role::variant, where, "legacy_find_ex");
}

}  // namespace

void register_legacy() {
  register_point("res2_3x3", Pass::forward, Precision::fp16, Layout::channels_last, Profile::standard);
  register_point("res5_3x3", Pass::forward, Precision::tf32, Layout::channels_first, Profile::standard);
  register_point("res2_3x3", Pass::backward_data, Precision::fp16, Layout::channels_last, Profile::full);
  register_point("res2_3x3", Pass::backward_filter, Precision::fp16, Layout::channels_last, Profile::full);
}

}  // namespace cupel::bench::conv
