// The choice of cuDNN's heuristics against what a framework's search finds, and beside both the fastest of all engines:
// without and with limits of workspace, among deterministic engines only, and among those that keep sums in fp32. And
// the list of all engines, for whoever wants to see for themselves.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bench/conv/keep_once.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/sample_plan.hpp"
#include "bench/conv/search.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using harness::operator""_MiB;
using record::Role;

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// The conditions on the fastest plan.
struct Wanted {
  std::int64_t workspace_limit = kNoLimit;
  bool deterministic = false;
  bool fp32_sums = false;

  bool accepts(const TimedPlan& plan) const {
    const Notes& notes = plan.candidate.notes;
    return plan.workspace_bytes <= workspace_limit && (!deterministic || notes.deterministic) &&
           (!fp32_sums || !notes.reduces_precision);
  }
};

void heuristic_choice(State& state, const Problem& problem, Heuristic heuristic, Engines engines) {
  const Data data(problem);
  const Plan& plan = first_plan(problem, heuristic, engines);
  sample_plan(state, data, plan.graph, plan.candidate);
}

// Counts how long a search took, and after how many calls the engine that it chose has made up for it against the
// heuristic's first, by the search's own times: never, where it is no faster.
void tell_cost(double cost_s, double gain_s) {
  harness::set_counter("search_time", {.value = cost_s, .unit = "s", .better = record::Better::lower});
  if (gain_s > 0) harness::set_counter("steps_until_paid", {.value = cost_s / gain_s, .unit = "count"});
}

void tell_cost(const Search& found, const Problem& problem, const TimedPlan* chosen) {
  const std::string& first = first_plan(problem, Heuristic::mode_a).candidate.name;
  const auto of_heuristic = std::ranges::find(found.plans, first, [](const TimedPlan& p) { return p.candidate.name; });
  const bool known = chosen != nullptr && of_heuristic != found.plans.end();
  tell_cost(found.cost_s, known ? of_heuristic->time_s - chosen->time_s : 0);
}

void framework_choice(State& state, const Problem& problem) {
  const Autotuned& found = autotune(problem);
  const Data data(problem);
  sample_plan(state, data, found.plan.graph, found.plan.candidate);
  tell_cost(found.cost_s, found.gain_s);
}

void fastest_choice(State& state, const Problem& problem, const Wanted& wanted) {
  const Search& found = search(problem);
  const Data data(problem);
  const TimedPlan* best = found.fastest([&](const TimedPlan& plan) { return wanted.accepts(plan); });
  if (best == nullptr) throw NotSupported("no engine of cuDNN's can do this within these limits" + found.untried());
  sample_plan(state, data, found.graph, best->candidate);
  tell_cost(found, problem, best);
}

// One plan's part of the record, under the engine's name: time, workspace, error and notes. A wrong one has no time;
// one that takes a tenth of a second and more has no error.
void list(const TimedPlan& plan) {
  const std::string name = plan.candidate.name + "/";
  const auto flag = [&](const char* note, bool set) {
    harness::set_counter(name + note, {.value = set ? 1.0 : 0.0, .unit = "1"});
  };
  if (plan.found.passed()) harness::set_counter(name + "time", {.value = plan.time_s, .unit = "s"});
  harness::set_counter(name + "workspace", {.value = static_cast<double>(plan.workspace_bytes), .unit = "bytes"});
  const kernels::dot::DotErrors& errors = plan.found.errors;
  if (errors.checked > 0) {
    harness::set_counter(name + "relative_error", {.value = errors.relative_frobenius, .unit = "1"});
    flag("rounds_partial_sums", plan.found.rounds_parts);
  }
  flag("deterministic", plan.candidate.notes.deterministic);
  flag("tensor_cores", plan.candidate.notes.tensor_cores);
  flag("reduces_precision", plan.candidate.notes.reduces_precision);
  flag("winograd", plan.candidate.notes.winograd);
  flag("fft", plan.candidate.notes.fft);
  flag("compiled_at_run_time", plan.candidate.notes.compiled_at_run_time);
}

// The time of the row is the search's: building and timing all that the heuristics propose, once a process.
void list_engines(State&, const Problem& problem) {
  const Search& found = search(problem);
  keep_once({.items = 1}, found.cost_s);
  harness::set_counter("proposed", {.value = static_cast<double>(found.proposed), .unit = "count"});
  for (const TimedPlan& plan : found.plans) list(plan);
  harness::set_counter("plans", {.value = static_cast<double>(found.plans.size()), .unit = "count"});
  harness::set_counter("not_tried", {.value = static_cast<double>(found.not_tried), .unit = "count"});
  harness::set_counter("not_run", {.value = static_cast<double>(found.not_run.size()), .unit = "count"});
  tell_cost(found, problem, found.fastest([](const TimedPlan&) { return true; }));
  harness::require(found.wrong.empty(), found.wrong.empty() ? "" : found.wrong.front());
}

constexpr std::int64_t kBatch = 64;

struct Point {
  const char* layer;
  Pass pass;
  Precision precision;
  Layout layout;
  Profile smallest;
  std::int64_t batch = kBatch;
};

constexpr std::int64_t kFrameworksGive = 32;  // MiB of workspace: as PyTorch gives cuBLAS on Hopper

std::string described(const Point& point) {
  return std::string("pass:") + kernels::dot::to_string(point.pass) + "/layer:" + point.layer +
         "/precision:" + to_string(point.precision) + "/layout:" + to_string(point.layout) +
         "/batch:" + std::to_string(point.batch);
}

// Names are put together here: "conv/choice/chosen_by:<rule>/pass:.../layer:.../precision:.../layout:.../batch:...".
void register_point(const Point& point) {
  const Problem problem{shape_of(layer(point.layer), point.batch), point.pass, point.precision, point.layout};
  const std::string where = described(point);
  const double search_s = point.smallest == Profile::full ? 0.25 : 0;  // the large layers, with slow engines
  const auto define = [&](const std::string& rule, harness::Body body) -> Definition& {
    return add("conv/choice/chosen_by:" + rule + "/" + where, std::move(body))
        .from(point.smallest)
        .duration([search_s](const auto&) { return harness::Duration{.round_s = search_s}; })
        .memory([problem](const auto&) { return harness::Memory{.device_bytes = problem.memory_bytes()}; });
  };
  const auto heuristic = [&](Heuristic mode, Engines engines = Engines::all) {
    return [problem, mode, engines](State& state) { heuristic_choice(state, problem, mode, engines); };
  };
  const auto fastest = [&](Wanted wanted) {
    return [problem, wanted](State& state) { fastest_choice(state, problem, wanted); };
  };
  // Advice is judged on what is the default: fp32 without tensor cores is nobody's, and its rows stand beside it.
  const auto advise = [&](Definition& definition, const char* advice, Role role, const std::string& scenario,
                          const std::string& variant = "") {
    const bool is_beside = point.precision == Precision::fp32 && role == Role::after;
    definition.advice(advice, is_beside ? Role::variant : role, scenario, variant);
  };
  // In the profile that a point appears in, the quick and the standard one have what the advice compares. The search
  // through all engines takes longer than a quick row may.
  const Profile searched = std::max(point.smallest, Profile::standard);
  const Profile more = point.smallest == Profile::quick ? Profile::standard : Profile::full;

  Definition& heuristics = define("heuristic_a", heuristic(Heuristic::mode_a));
  advise(heuristics, "cudnn-autotune", Role::before, where);
  advise(heuristics, "autotune-memory", Role::before, where);
  Definition& framework = define("framework_search", [problem](State& state) { framework_choice(state, problem); });
  advise(framework, "cudnn-autotune", Role::after, where);
  advise(framework, "autotune-memory", Role::after, where);
  advise(framework, "deterministic", Role::before, where);
  advise(define("heuristic_deterministic", heuristic(Heuristic::mode_a, Engines::deterministic)), "deterministic",
         Role::after, where);
  Definition& best = define("fastest", fastest({})).from(searched);
  advise(best, "cudnn-autotune", Role::variant, where, "fastest");
  advise(best, "deterministic", Role::variant, where, "fastest");
  advise(best, "conv-workspace", Role::after, where, "unlimited");
  advise(define("fastest_deterministic", fastest({.deterministic = true})).from(searched), "deterministic",
         Role::variant, where, "fastest_deterministic");
  advise(define("heuristic_b", heuristic(Heuristic::mode_b)).from(more), "cudnn-autotune", Role::variant, where,
         "heuristic_b");
  if (is_half(point.precision)) {
    advise(define("fastest_fp32_sums", fastest({.fp32_sums = true})).from(more), "cudnn-autotune", Role::variant, where,
           "fp32_sums");
  }
  for (const std::int64_t mib : {0, 32, 256, 1024}) {
    Definition& limited =
        define("fastest/workspace_mib:" + std::to_string(mib), fastest({.workspace_limit = mib * 1_MiB}))
            .from(mib == kFrameworksGive ? searched : std::max(searched, more));
    const Role role = mib == kFrameworksGive ? Role::before : mib == 0 ? Role::variant : Role::after;
    advise(limited, "conv-workspace", role, where, role == Role::before ? "" : std::to_string(mib) + "_mib");
  }
  add("conv/engines/" + where, [problem](State& state) { list_engines(state, problem); })
      .from(std::max(point.smallest, Profile::standard))
      .duration([search_s](const auto&) { return harness::Duration{.round_s = 6 * search_s}; })
      .memory([problem](const auto&) { return harness::Memory{.device_bytes = problem.memory_bytes()}; });
}

// Measured on an H200 through PyTorch, the first is where autotuning gave nothing, and of the third, the second without
// tensor cores, it gave a third. The last of the list are what the other advice is about: kernels for tensor cores that
// want workspace for the other layout, and a heuristic that takes a plan with sums in no fixed order. In the points
// before, cuDNN 9.19 has deterministic plans only.
std::vector<Point> chosen_points() {
  using enum Pass;
  constexpr Layout nchw = Layout::channels_first, nhwc = Layout::channels_last;
  std::vector<Point> points = {
      {"res2_3x3", forward, Precision::fp16, nhwc, Profile::quick},
      {"res5_3x3", forward, Precision::tf32, nchw, Profile::quick},
      {"res5_3x3", forward, Precision::fp32, nchw, Profile::standard},
      {"res2_3x3", backward_data, Precision::fp16, nhwc, Profile::standard},
      {"res2_3x3", backward_filter, Precision::fp16, nhwc, Profile::standard},
      {"res2_3x3", forward, Precision::fp16, nchw, Profile::standard},
      {"res2_3x3", backward_filter, Precision::tf32, nchw, Profile::standard},
      {"example_3x3", forward, Precision::tf32, nchw, Profile::standard, 1},
  };
  const auto add_once = [&points](const Point& point) {
    const bool there = std::ranges::any_of(points, [&](const Point& p) { return described(p) == described(point); });
    if (!there) points.push_back(point);
  };
  for (const auto* list : {&resnet50(), &others()}) {
    for (const Layer& layer : *list) {
      add_once({layer.name, forward, Precision::fp16, nhwc, Profile::full});
    }
  }
  for (const char* name : {"stem_7x7", "res3_3x3_stride", "res3_1x1_expand", "res4_3x3", "res5_3x3", "depthwise_3x3",
                           "grouped_3x3", "dilated_3x3", "volume_3x3x3"}) {
    add_once({name, forward, Precision::tf32, nhwc, Profile::full});
    add_once({name, forward, Precision::fp32, nhwc, Profile::full});
    add_once({name, backward_data, Precision::fp16, nhwc, Profile::full});
    add_once({name, backward_filter, Precision::fp16, nhwc, Profile::full});
  }
  return points;
}

}  // namespace

void register_choice() {
  for (const Point& point : chosen_points()) register_point(point);
}

}  // namespace cupel::bench::conv
