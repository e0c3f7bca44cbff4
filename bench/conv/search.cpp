#include "bench/conv/search.hpp"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <set>
#include <utility>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::conv {
namespace {

using harness::Clock;
using harness::seconds_since;

constexpr int kSamples = 5;
constexpr double kHopeless = 2;     // times the best so far: more samples would not bring it back
constexpr double kTooLong_s = 0.1;  // to run it again and check it
constexpr int kTried = 10;          // by an autotuner: PyTorch's torch.backends.cudnn.benchmark_limit

// How long engines are tried that no heuristic named, in every profile alike. There may be dozens, of which some
// compile kernels and some take seconds a call.
double patience_s() { return harness::options().once ? 0 : 0.5; }  // once: that each benchmark runs is asked

// The proposals of these heuristics, each once, in their order.
std::vector<Candidate> proposals(Graph& graph, std::initializer_list<Heuristic> heuristics) {
  std::vector<Candidate> all;
  std::set<std::string> names;
  for (const Heuristic heuristic : heuristics) {
    for (Candidate& candidate : graph.ask(heuristic)) {
      if (names.insert(candidate.name).second) all.push_back(std::move(candidate));
    }
  }
  return all;
}

double time_s(const Graph& graph, const Data& data, const Candidate& candidate, std::int64_t workspace_bytes,
              double best_s) {
  void* memory = workspace(workspace_bytes);
  const auto run = [&](cudaStream_t stream) { graph.execute(candidate, data.tensors(), memory, stream); };
  const double first_s = timing::quick_time_s(run, 1);
  if (best_s > 0 && first_s > kHopeless * best_s) return first_s;
  return timing::quick_time_s(run, kSamples);
}

class Searching {
 public:
  explicit Searching(const Data& data) : data_(data), found_{Graph(data.problem()), {}, 0, {}, 0, {}, 0} {}

  Search run() {
    const Clock::time_point start = Clock::now();
    const std::vector<Candidate> proposed =
        proposals(found_.graph, {Heuristic::mode_a, Heuristic::mode_b, Heuristic::fallback});
    for (const Candidate& candidate : proposed) measure(candidate);
    found_.cost_s = seconds_since(start);
    found_.proposed = static_cast<std::int64_t>(found_.plans.size());
    if (patience_s() > 0) measure_others(proposed);
    for (TimedPlan& plan : found_.plans) check(plan);
    release_workspace();
    if (found_.plans.empty())
      throw NotSupported("cuDNN has no engine that can do this in this precision" + found_.untried());
    return std::move(found_);
  }

 private:
  void measure_others(const std::vector<Candidate>& proposed) {
    const Clock::time_point start = Clock::now();
    for (const Candidate& candidate : found_.graph.other_engines(proposed)) {
      if (seconds_since(start) < patience_s()) {
        measure(candidate);
      } else {
        ++found_.not_tried;
      }
    }
  }

  void measure(const Candidate& candidate) {
    if (!found_.graph.build(candidate)) {
      found_.not_run.push_back(candidate.name);
      return;
    }
    TimedPlan plan{candidate, found_.graph.workspace_bytes(candidate), 0, {}};
    if (plan.workspace_bytes > workspace_available()) {
      found_.not_run.push_back(candidate.name);
      return;
    }
    const auto does_not_run = [&](const std::exception& error) {
      found_.not_run.push_back(candidate.name + ": " + error.what());
      cuda::check(cudaDeviceSynchronize());  // throws where it took the device with it
    };
    try {
      plan.time_s = time_s(found_.graph, data_, candidate, plan.workspace_bytes, best_s_);
    } catch (const PlanFailed& error) {
      return does_not_run(error);
    } catch (const timing::HeldUp& error) {
      return does_not_run(error);
    }
    best_s_ = best_s_ > 0 ? std::min(best_s_, plan.time_s) : plan.time_s;
    found_.plans.push_back(std::move(plan));
  }

  // Once more into a fresh result: what another engine left there is not this one's.
  void check(TimedPlan& plan) {
    if (plan.time_s > kTooLong_s) return;
    data_.poison();
    const cudaStream_t stream = timing::Rig::get().stream();
    found_.graph.execute(plan.candidate, data_.tensors(), workspace(plan.workspace_bytes), stream);
    cuda::check(cudaStreamSynchronize(stream));
    plan.found = data_.glance(found_.graph, plan.candidate);
    if (!plan.found.passed()) found_.wrong.push_back(plan.candidate.name + ": " + plan.found.message());
  }

  const Data& data_;
  Search found_;
  double best_s_ = 0;
};

Search search_all(const Problem& problem) {
  const Data data(problem);
  timing::Rig::get();  // made before the clock runs: it is no part of the cost
  return Searching(data).run();
}

Plan plan_without_search(const Problem& problem, Heuristic heuristic, Engines engines) {
  Graph graph(problem);
  const Candidate candidate = build_first(graph, heuristic, engines);
  return {std::move(graph), candidate};
}

Autotuned autotune_by_itself(const Problem& problem) {
  const Data data(problem);
  timing::Rig::get();  // made before the clock runs: it is no part of the cost
  return autotune(data);
}

}  // namespace

std::string Search::untried() const {
  return not_tried == 0 ? "" : "; " + std::to_string(not_tried) + " engines were not tried for want of time";
}

const Search& search(const Problem& problem) { return harness::memoized<search_all>(problem); }

const Plan& first_plan(const Problem& problem, Heuristic heuristic, Engines engines) {
  return harness::memoized<plan_without_search>(problem, heuristic, engines);
}

const Autotuned& autotune(const Problem& problem) { return harness::memoized<autotune_by_itself>(problem); }

Autotuned autotune(const Data& data) {
  const Clock::time_point start = Clock::now();
  Graph graph(data.problem());
  Candidate best;
  double first_s = 0, best_s = 0;
  int tried = 0;
  for (const Candidate& candidate : proposals(graph, {Heuristic::mode_a, Heuristic::fallback})) {
    if (tried == kTried) break;
    if (!graph.build(candidate)) continue;
    ++tried;
    const std::int64_t bytes = graph.workspace_bytes(candidate);
    if (bytes > workspace_available()) continue;
    void* memory = workspace(bytes);
    const auto run = [&](cudaStream_t stream) { graph.execute(candidate, data.tensors(), memory, stream); };
    try {
      const double seen_s = timing::quick_time_s(run, 1);
      if (best.name.empty()) first_s = seen_s;
      if (best.name.empty() || seen_s < best_s) {
        best = candidate;
        best_s = seen_s;
      }
    } catch (const PlanFailed&) {
      continue;  // it was made and does not run: an autotuner takes another
    }
  }
  if (best.name.empty()) throw NotSupported("cuDNN's heuristics propose no engine that can do this");
  return {{std::move(graph), best}, seconds_since(start), first_s - best_s};
}

}  // namespace cupel::bench::conv
