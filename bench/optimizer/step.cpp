// A step of Adam or SGD by a kernel for each operation and tensor, by a kernel for each operation over all tensors, and
// by one kernel; from a stream and from a CUDA graph.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/optimizer/measure.hpp"
#include "bench/optimizer/topics.hpp"
#include "bench/optimizer/training_state.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/optimizer/optimizer.hpp"
#include "kernels/training/models.hpp"

namespace cupel::bench::optimizer {
namespace {

using benchmark::State;
using harness::Profile;
using kernels::optimizer::Adam;
using kernels::optimizer::Sgd;
using kernels::optimizer::Way;
using record::Role;

constexpr Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};
constexpr Sgd kSgd{.learning_rate = 1e-2, .momentum = 0.9};
constexpr int kAdamOperations = 9, kSgdOperations = 3;

enum class Rule { adamw, sgd };

// Each array of the algorithm once: AdamW reads parameter, gradient and two moments and writes three of them, 28 bytes
// a parameter; SGD has one moment, 20 bytes. What the slow ways read and write again is not the algorithm's.
record::Workload workload(Rule rule, std::int64_t parameters) {
  if (rule == Rule::adamw)
    return {.bytes_read = 16 * parameters, .bytes_written = 12 * parameters, .items = parameters};
  return {.bytes_read = 12 * parameters, .bytes_written = 8 * parameters, .items = parameters};
}

// A graph's kernels count one by one: whether a queue that is held back takes a graph of a thousand is not written down
// anywhere.
int launches_of(Rule rule, Way way, std::size_t tensors) {
  if (way == Way::fused) return 1;
  const int operations = rule == Rule::adamw ? kAdamOperations : kSgdOperations;
  return way == Way::foreach ? operations : operations * static_cast<int>(tensors);
}

void step(State& state, Rule rule, Way way, Launch launch, const std::string& model) {
  TrainingState training(sizes_of(model));
  training.reset();
  const auto& tensors = training.tensors();
  const auto one_step = prepared(launch, [&](cudaStream_t stream) {
    if (rule == Rule::adamw) {
      kernels::optimizer::step(way, kAdamW, TrainingState::kStep, tensors, {}, stream);
    } else {
      kernels::optimizer::step(way, kSgd, tensors, {}, stream);
    }
  });
  timing::set_memory_limit(bytes_of(sizes_of(model)));

  sample_step(state, workload(rule, tensors.count()), one_step, launches_of(rule, way, tensors.tensors().size()));

  training.require_step(one_step, rule == Rule::adamw ? &kAdamW : nullptr, rule == Rule::sgd ? &kSgd : nullptr, 1,
                        std::string("step by ") + to_string(way));
}

harness::Definition& add(const std::string& name, Rule rule, Way way, Launch launch, const std::string& model) {
  return harness::add(name, [=](State& state) { step(state, rule, way, launch, model); })
      .memory([model](const std::vector<std::int64_t>&) {
        return harness::Memory{.device_bytes = bytes_of(sizes_of(model))};
      });
}

}  // namespace

// PyTorch takes foreach unless told otherwise, so that is before.
void register_step() {
  const auto adamw = [](const std::string& name, Way way, Launch launch, const std::string& model) -> auto& {
    return add(name, Rule::adamw, way, launch, model);
  };
  const std::string many = "rule:adamw/model:many_equal", resnet = "rule:adamw/model:resnet50";
  adamw("optimizer/step/rule:adamw/model:many_equal/way:loop", Way::loop, Launch::stream, "many_equal")
      .advice("fused-adam", Role::variant, many, "loop");
  adamw("optimizer/step/rule:adamw/model:many_equal/way:foreach", Way::foreach, Launch::stream, "many_equal")
      .advice("fused-adam", Role::before, many);
  adamw("optimizer/step/rule:adamw/model:many_equal/way:fused", Way::fused, Launch::stream, "many_equal")
      .advice("fused-adam", Role::after, many);
  adamw("optimizer/step/rule:adamw/model:many_equal/way:loop/launch:graph", Way::loop, Launch::graph, "many_equal")
      .from(Profile::standard)
      .advice("fused-adam", Role::variant, many, "loop_in_graph");

  adamw("optimizer/step/rule:adamw/model:resnet50/way:loop", Way::loop, Launch::stream, "resnet50")
      .advice("fused-adam", Role::variant, resnet, "loop");
  adamw("optimizer/step/rule:adamw/model:resnet50/way:foreach", Way::foreach, Launch::stream, "resnet50")
      .advice("fused-adam", Role::before, resnet);
  adamw("optimizer/step/rule:adamw/model:resnet50/way:fused", Way::fused, Launch::stream, "resnet50")
      .advice("fused-adam", Role::after, resnet);
  adamw("optimizer/step/rule:adamw/model:resnet50/way:loop/launch:graph", Way::loop, Launch::graph, "resnet50")
      .advice("fused-adam", Role::variant, resnet, "loop_in_graph");
  adamw("optimizer/step/rule:adamw/model:resnet50/way:fused/launch:graph", Way::fused, Launch::graph, "resnet50")
      .from(Profile::standard)
      .advice("fused-adam", Role::variant, resnet, "fused_in_graph");

  const std::string gpt2 = "rule:adamw/model:gpt2_small", large = "rule:adamw/model:one_large";
  adamw("optimizer/step/rule:adamw/model:gpt2_small/way:loop", Way::loop, Launch::stream, "gpt2_small")
      .from(Profile::standard)
      .advice("fused-adam", Role::variant, gpt2, "loop");
  adamw("optimizer/step/rule:adamw/model:gpt2_small/way:foreach", Way::foreach, Launch::stream, "gpt2_small")
      .from(Profile::standard)
      .advice("fused-adam", Role::before, gpt2);
  adamw("optimizer/step/rule:adamw/model:gpt2_small/way:fused", Way::fused, Launch::stream, "gpt2_small")
      .from(Profile::standard)
      .advice("fused-adam", Role::after, gpt2);
  adamw("optimizer/step/rule:adamw/model:one_large/way:loop", Way::loop, Launch::stream, "one_large")
      .from(Profile::standard)
      .advice("fused-adam", Role::variant, large, "loop");
  adamw("optimizer/step/rule:adamw/model:one_large/way:foreach", Way::foreach, Launch::stream, "one_large")
      .advice("fused-adam", Role::before, large);
  adamw("optimizer/step/rule:adamw/model:one_large/way:fused", Way::fused, Launch::stream, "one_large")
      .advice("fused-adam", Role::after, large);

  const auto sgd = [](const std::string& name, Way way, const std::string& model) -> auto& {
    return add(name, Rule::sgd, way, Launch::stream, model).from(Profile::standard);
  };
  const std::string sgd_resnet = "rule:sgd/model:resnet50", sgd_large = "rule:sgd/model:one_large";
  sgd("optimizer/step/rule:sgd/model:resnet50/way:loop", Way::loop, "resnet50")
      .advice("fused-adam", Role::variant, sgd_resnet, "loop");
  sgd("optimizer/step/rule:sgd/model:resnet50/way:foreach", Way::foreach, "resnet50")
      .advice("fused-adam", Role::before, sgd_resnet);
  sgd("optimizer/step/rule:sgd/model:resnet50/way:fused", Way::fused, "resnet50")
      .advice("fused-adam", Role::after, sgd_resnet);
  sgd("optimizer/step/rule:sgd/model:one_large/way:loop", Way::loop, "one_large")
      .advice("fused-adam", Role::variant, sgd_large, "loop");
  sgd("optimizer/step/rule:sgd/model:one_large/way:foreach", Way::foreach, "one_large")
      .advice("fused-adam", Role::before, sgd_large);
  sgd("optimizer/step/rule:sgd/model:one_large/way:fused", Way::fused, "one_large")
      .advice("fused-adam", Role::after, sgd_large);
}

}  // namespace cupel::bench::optimizer
