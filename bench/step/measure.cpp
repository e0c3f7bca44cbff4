#include "bench/step/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/step/eager_host.hpp"
#include "bench/step/update_check.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::step {
namespace {

// Five steps where a program trains for the first time. A later process of a run trains with the same program, numbers
// and device: that its first step and its first update still give the same is looked at again.
constexpr int kCurveSteps = 5, kCurveStepsAgain = 2;

int curve_steps() { return harness::options().process == 0 ? kCurveSteps : kCurveStepsAgain; }

// The largest error of a loss, as a share of the first loss. Small nets in double whose tensors are rounded to each
// precision as they are stored are off by 4e-8 in fp32, 1e-4 in tf32 and fp16 and 6e-4 in bf16 after five steps; ten
// times that and more is for deeper ones, and for sums in other orders. A step that is left out is off by 2e-2.
double bound_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 1e-3;
    case Precision::tf32:
    case Precision::amp_fp16:
      return 5e-3;
    case Precision::amp_bf16:
      break;
  }
  return 1e-2;
}

// fp32 on CUDA cores, everything kept, nothing beside the step; or the forward pass of an evaluation.
Recipe plain(const std::string& net, bool conv_bias, std::int64_t batch, bool trains) {
  Recipe recipe{.net = net, .conv_bias = conv_bias, .loading = Loading::resident};
  recipe.options.batch = batch;
  recipe.options.trains = trains;
  if (conv_bias || !net_of(recipe).has_planes()) recipe.options.layout = Layout::channels_last;
  return recipe;
}

// A recipe that trains plainly by the same rule.
Recipe plain(const Recipe& recipe) {
  Recipe all = plain(recipe.net, recipe.conv_bias, recipe.options.batch, recipe.options.trains);
  all.rule = recipe.rule;
  return all;
}

std::vector<float> plain_curve(const std::string& net, bool conv_bias, std::int64_t batch, bool trains, Rule rule,
                               int steps) {
  Recipe recipe = plain(net, conv_bias, batch, trains);
  recipe.rule = rule;
  return Training(recipe).curve(steps);
}

// The loss that each of so many batches gives in a first step, plainly.
std::vector<float> plain_first_losses(const std::string& net, bool conv_bias, std::int64_t batch,
                                      std::int64_t batches) {
  Recipe recipe = plain(net, conv_bias, batch, true);
  recipe.loading = Loading::pageable;
  Training training(recipe);
  std::vector<float> losses;
  for (std::int64_t which = 0; which < batches; ++which) {
    training.use(batch_of(recipe, which));
    training.start_again();
    losses.push_back(training.curve(1).back());
  }
  return losses;
}

std::string text(const std::vector<float>& losses) {
  std::string all;
  for (const float loss : losses) all += (all.empty() ? "" : ", ") + std::to_string(loss);
  return all;
}

// Whether all losses must be the plain ones: not in batches of several sizes, nor in parts of one, whose norms have
// statistics of their own. Before anything was learnt those of the first step must be.
bool learns_as_plainly(const Recipe& recipe) { return recipe.options.parts == 1 && recipe.sizes.size() <= 1; }

const std::vector<float>& expected_losses(const Recipe& recipe) {
  const Options& options = recipe.options;
  if (!learns_as_plainly(recipe)) {
    return harness::memoized<plain_first_losses>(recipe.net, recipe.conv_bias, options.batch, options.parts);
  }
  return harness::memoized<plain_curve>(recipe.net, recipe.conv_bias, options.batch, options.trains, recipe.rule,
                                        curve_steps());
}

// A loss after so many steps may be off by this, as a share of the first. In a first step nothing has grown yet: a
// tenth of what five may be off by, where it alone is held or has to find what later ones cannot. By AdamW they are
// allowed five times the bound: it moves each parameter by as much, whichever sign rounding gives to a gradient that is
// next to nothing. It takes a loss of 8 to 0.004 in five steps, so that a step that is left out is off by more.
double bound_of(const Recipe& recipe, std::size_t steps) {
  const double bound = bound_of(recipe.options.precision);
  if (!learns_as_plainly(recipe)) return bound / 10;
  if (recipe.rule == Rule::adamw) return steps == 0 ? bound / 10 : 5 * bound;
  return bound;
}

double seconds_of(const std::function<void()>& call, const std::function<void()>& finish) {
  const auto start = std::chrono::steady_clock::now();
  call();
  finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Waiting costs some ten microseconds: a thousandth of this.
constexpr double kShortestMeasurement_s = 10e-3;
constexpr std::int64_t kMostCalls = 4;

// The same in all rounds.
std::int64_t calls_in_one(double call_s, std::int64_t least) {
  if (const std::int64_t earlier = harness::calls_of_earlier_rounds(record::Mode::host); earlier > 0) return earlier;
  return std::clamp(static_cast<std::int64_t>(std::ceil(kShortestMeasurement_s / call_s)), least, kMostCalls);
}

// Samples calls that take about call_s each; so many share a wait, at least.
void sample_calls_of(benchmark::State& state, const record::Workload& work, double call_s, std::int64_t least,
                     const std::function<void()>& call, const std::function<void()>& finish) {
  const std::int64_t calls = calls_in_one(call_s, least);
  std::int64_t called = 0;
  harness::sample_host(state, work,
                       [&] {
                         call();
                         if (++called % calls == 0) finish();
                       },
                       {.calls = calls, .warm_up = 0});
}

}  // namespace

namespace {

void require_expected(const std::vector<float>& seen, const Recipe& recipe) {
  const std::vector<float>& expected = expected_losses(recipe);
  harness::require(seen.size() >= expected.size(), "there are " + std::to_string(seen.size()) + " losses");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(seen[i]) - static_cast<double>(expected[i]));
    harness::require(difference <= bound_of(recipe, i) * static_cast<double>(expected.front()),
                     "the losses are " + text(seen) + "; plainly in fp32 they are " + text(expected));
  }
}

// Over the parts of a step.
double mean_of_step(const std::vector<float>& losses, std::int64_t parts, std::int64_t step) {
  double sum = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    sum += static_cast<double>(losses[static_cast<std::size_t>(step * parts + part)]);
  }
  return sum / static_cast<double>(parts);
}

// Elements as the optimizer finds them right before it changes parameters.
class BeforeUpdate : public Watcher {
 public:
  explicit BeforeUpdate(const Training& training) : training_(training) {}
  void begins(Part part, std::size_t) override {
    if (part == Part::update) seen = training_.elements();
  }
  std::vector<Training::Element> seen;

 private:
  const Training& training_;
};

}  // namespace

void require_update(Training& training, const Recipe& recipe) {
  BeforeUpdate before(training);
  const double inverse_scale = training.inverse_loss_scale();
  training.watch(&before);
  training.step_eagerly();
  training.watch(nullptr);
  const std::vector<Training::Element> after = training.elements();
  harness::require(before.seen.size() == after.size(), "parameters are not updated");
  const kernels::optimizer::Sgd sgd = sgd_of(recipe);
  const UpdateRule rule{recipe.rule == Rule::adamw ? &kAdamW : nullptr, training.adam_steps(), &sgd, inverse_scale};
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::string wrong = wrong_in_update(before.seen[i], after[i], rule);
    harness::require(wrong.empty(),
                     "element " + std::to_string(i % 3) + " of parameter " + std::to_string(i / 3) + ": " + wrong);
  }
}

std::optional<Learnt> require_curve(Training& training, const Recipe& recipe) {
  const std::vector<float> seen = training.curve(curve_steps());
  const std::int64_t parts = recipe.options.parts;
  require_expected(seen, recipe);
  if (!recipe.options.trains || curve_steps() < kCurveSteps) return std::nullopt;
  const double first = mean_of_step(seen, parts, 0), last = mean_of_step(seen, parts, kCurveSteps - 1);
  harness::require(last < first, "the loss does not fall: " + text(seen));
  return Learnt{first, last};
}

void require_training(Training& training, const Recipe& recipe) {
  if (harness::calls_of_earlier_rounds(record::Mode::host) > 0) return;
  const std::optional<Learnt> learnt = require_curve(training, recipe);
  if (!recipe.options.trains) return;
  require_update(training, recipe);
  if (!learnt) return;
  // For whoever trains the same numbers elsewhere (ci/parity-pytorch-step).
  harness::set_counter("first_loss", {learnt->first_loss, "1"});
  harness::set_counter("fifth_loss", {learnt->fifth_loss, "1"});
}

std::int64_t flops_of(const Program& program, std::int64_t samples) {
  return (program.options.trains ? 3 : 1) * samples * forward_flops(program.net);
}

void count_memory(const Training& training) {
  const auto count = [](const char* name, std::int64_t value, const char* unit, record::Better better) {
    harness::set_counter(name, {static_cast<double>(value), unit, better, true});
  };
  count("memory", training.bytes(), "bytes", record::Better::lower);
  count("activations", training.activation_bytes(), "bytes", record::Better::lower);
  if (const Casts all = casts(training.program()); all.count > 0) {
    count("casts", all.count, "count", record::Better::none);
    count("cast_bytes", all.bytes, "bytes", record::Better::none);
  }
}

void sample_calls(benchmark::State& state, const record::Workload& work, const std::function<void()>& call,
                  const std::function<void()>& finish) {
  harness::begin_sampling();
  const double call_s = seconds_of(call, finish);
  sample_calls_of(state, work, call_s, 1, call, finish);
}

// Two steps ahead of all: the first may load kernels, the second captures the graph where there is one. One is enough
// where the training has trained: both were then.
void sample_steps(benchmark::State& state, const record::Workload& work, Training& training, std::int64_t steps,
                  std::int64_t calls) {
  const auto finish = [&] { training.finish(); };
  harness::begin_sampling();
  if (!training.has_trained()) training.step();
  finish();
  const double step_s = seconds_of([&] { training.step(); }, finish);
  sample_calls_of(
      state, work, step_s * static_cast<double>(steps), calls,
      [&] {
        for (std::int64_t i = 0; i < steps; ++i) training.step();
      },
      finish);
}

namespace {

// Seconds of an operation there, and whose they are.
void tell_of(const EagerHost& host, const OperationCosts& costs) {
  harness::set_counter("host_per_operation", {host.operation_s(), "s"});
  harness::set_counter("host_per_step", {host.step_s(), "s"});
  harness::set_note("the host's: " + costs.origin);
}

}  // namespace

void sample_recipe(benchmark::State& state, const Recipe& recipe, const Sampled& how) {
  const bool is_first = harness::calls_of_earlier_rounds(record::Mode::host) == 0;
  if (is_first) expected_losses(recipe);  // made before the training takes its memory
  Training training(recipe);
  require_training(training, recipe);
  const OperationCosts costs = operation_costs(harness::data_folder() / "pytorch-host");
  EagerHost host(recipe, training.program(), costs);
  if (recipe.host == Host::eager) {
    training.watch(&host);
    tell_of(host, costs);
  }

  const std::int64_t all = how.steps * training.samples() / static_cast<std::int64_t>(sizes_of(recipe).size());
  const std::int64_t samples = how.samples > 0 ? how.samples : all;
  const std::int64_t calls = recipe.reads_loss_every == 1 ? 1 : how.calls;  // it waits in each step as it is
  sample_steps(state, {.flops = flops_of(training.program(), samples), .items = samples}, training, how.steps, calls);

  const float loss = training.loss();
  harness::require(std::isfinite(loss), "after it was timed the loss is " + std::to_string(loss));
  count_memory(training);
}

namespace {

// Fitted to steps of ResNet-18 on an H200.
double step_flops_per_s(const Recipe& recipe) {
  const bool is_last = recipe.options.layout == Layout::channels_last;
  switch (recipe.options.precision) {
    case Precision::fp32:
      return 2.2e13;
    case Precision::tf32:
      return is_last ? 6e13 : 4.5e13;
    case Precision::amp_fp16:
    case Precision::amp_bf16:
      return is_last ? 1.3e14 : 6.5e13;
  }
  return 2.2e13;
}

// A step is trained a few times in each round before it is timed.
harness::Duration duration_of(const Recipe& recipe, std::int64_t steps) {
  const auto samples = static_cast<double>(recipe.options.batch * recipe.options.parts);
  const double flops = (recipe.options.trains ? 3 : 1) * samples * static_cast<double>(forward_flops(net_of(recipe)));
  constexpr double kEager_s = 5e-3;  // of some hundreds of operations
  const double step_s = std::max(flops / step_flops_per_s(recipe), recipe.host == Host::eager ? kEager_s : 0);
  return {.call_s = static_cast<double>(steps) * step_s, .round_s = 0.055 + 2.5 * step_s};
}

harness::Memory memory_of(const Recipe& recipe) {
  const std::int64_t images = 4 * recipe.options.batch * net_of(recipe).layers.front().out.count();
  std::int64_t device = planned_bytes(recipe);
  if (learns_as_plainly(recipe)) device = std::max(device, planned_bytes(plain(recipe)));
  const std::int64_t batches = std::max<std::int64_t>(recipe.options.parts, 2);
  return {.device_bytes = device, .host_bytes = (2 * batches + 1) * images};
}

}  // namespace

harness::Definition& with_needs(harness::Definition& row,
                                std::function<Recipe(const std::vector<std::int64_t>&)> recipe, std::int64_t steps) {
  return row.memory([recipe](const auto& sizes) { return memory_of(recipe(sizes)); })
      .duration([recipe, steps](const auto& sizes) { return duration_of(recipe(sizes), steps); });
}

harness::Definition& with_needs(harness::Definition& row, const Recipe& recipe, std::int64_t steps) {
  return with_needs(
      row, [recipe](const auto&) { return recipe; }, steps);
}

}  // namespace cupel::bench::step
