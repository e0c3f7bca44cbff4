#include "bench/step/training.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "cupel/cuda/graph.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"

namespace cupel::bench::step {
namespace {

using cuda::check;

device::Arithmetic arithmetic_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      break;
    case Precision::tf32:
      return device::Arithmetic::tf32;
    case Precision::amp_fp16:
      return device::Arithmetic::fp16;
    case Precision::amp_bf16:
      return device::Arithmetic::bf16;
  }
  return device::Arithmetic::fp32;
}

// PyTorch's 65536 is found to be too much in the first steps, which are then skipped: this is where it would end.
constexpr float kFirstLossScale = 1024;

constexpr kernels::optimizer::Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};

// Before anything is made: inputs take the host a while.
Recipe checked_here(const Recipe& recipe) {
  Recipe all = checked(recipe);
  vendor::require_cublas();
  vendor::require_cudnn();
  timing::require_arithmetic(to_string(all.options.precision), arithmetic_of(all.options.precision));
  return all;
}

// What does not change from one training to the next.
std::vector<std::vector<float>> make_parameters(const std::string& net, bool conv_bias, Layout layout,
                                                std::uint64_t seed) {
  Recipe recipe{.net = net, .conv_bias = conv_bias};
  recipe.options.layout = layout;
  recipe.options.trains = false;
  const Program program = program_of(recipe, 1);
  std::vector<std::vector<float>> all;
  for (const int id : program.of(Home::parameter)) all.push_back(first_values(program, id, seed));
  return all;
}

Batch make_samples(const std::string& net, std::int64_t batch, Layout layout, std::uint64_t seed) {
  Recipe recipe{.net = net};
  recipe.options.layout = layout;
  recipe.options.trains = false;
  return make_batch(program_of(recipe, batch), seed);
}

kernels::optimizer::Way way_of(Update update) {
  switch (update) {
    case Update::foreach:
      return kernels::optimizer::Way::foreach;
    case Update::fused:
      return kernels::optimizer::Way::fused;
    case Update::loop:
      break;
  }
  return kernels::optimizer::Way::loop;
}

}  // namespace

// Moments of the parameters, which lie as these do.
struct Training::Optimizer {
  Optimizer(const Program& program, DeviceState& state, Rule rule)
      : m(static_cast<std::size_t>(state.bytes(Home::parameter))),
        v(rule == Rule::adamw ? m.size() : 0),
        scratch(v.size()),
        tensors(list(program, state)) {
    for (cuda::DeviceBuffer<char>* moments : {&m, &v}) {
      if (moments->size() > 0) check(cudaMemset(moments->data(), 0, moments->size()));
    }
    const float zero = 0;
    found_inf = cuda::DeviceBuffer<float>(std::span(&zero, 1));
  }

  kernels::optimizer::TensorList list(const Program& program, DeviceState& state) {
    const Plan plan = make_plan(program, lifetimes(program));
    const auto floats = [](char* data) { return reinterpret_cast<float*>(data); };
    std::vector<kernels::optimizer::Tensor> all;
    for (const int id : program.of(Home::parameter)) {
      const std::int64_t at = plan.offset[static_cast<std::size_t>(id)];
      kernels::optimizer::Tensor tensor{floats(state.data(Home::parameter) + at), state.data(Home::gradient) + at,
                                        floats(m.data() + at)};
      if (v.size() > 0) {
        tensor.v = floats(v.data() + at);
        tensor.scratch = floats(scratch.data() + at);
      }
      tensor.count = program.tensor(id).count;
      all.push_back(tensor);
    }
    return {DType::fp32, std::move(all)};
  }

  std::int64_t bytes() const { return static_cast<std::int64_t>(m.size() + v.size() + scratch.size()); }

  cuda::DeviceBuffer<char> m, v, scratch;
  kernels::optimizer::TensorList tensors;
  cuda::DeviceBuffer<float> found_inf;
  std::int64_t step = 0;  // of Adam
};

Training::Training(const Recipe& recipe)
    : recipe_(checked_here(recipe)),
      state_(plan_of(program_of(recipe_, recipe_.options.batch), recipe_)),
      batch_(&harness::memoized<make_samples>(recipe_.net, recipe_.options.batch, recipe_.options.layout,
                                              harness::options().seed)) {
  for (const std::int64_t size : sizes_of(recipe_)) {
    Program program = program_of(recipe_, size);
    const std::vector<Lifetime> lives = lifetimes_of(program, recipe_);
    machines_.push_back(std::make_unique<DeviceMachine>(std::move(program), lives, state_, recipe_.pool));
  }
  if (recipe_.options.trains) optimizer_ = std::make_unique<Optimizer>(program(), state_, recipe_.rule);
  if (recipe_.loading == Loading::pinned || recipe_.loading == Loading::ahead) {
    pinned_images_ = cuda::PinnedBuffer<float>(batch_->images.size());
    pinned_labels_ = cuda::PinnedBuffer<std::int32_t>(batch_->labels.size());
    std::ranges::copy(batch_->images, pinned_images_.data());
    std::ranges::copy(batch_->labels, pinned_labels_.data());
  }
  if (recipe_.loading == Loading::ahead) {
    next_images_ = cuda::DeviceBuffer<float>(batch_->images.size());
    next_labels_ = cuda::DeviceBuffer<std::int32_t>(batch_->labels.size());
  }
  set_up_values();
}

std::int64_t Training::samples() const {
  std::int64_t sum = 0;
  for (const auto& machine : machines_) sum += machine->program().options.batch;
  return sum * recipe_.options.parts;
}

Training::~Training() {
  // What is under way uses memory that goes now.
  cudaStreamSynchronize(copies_);
  cudaStreamSynchronize(stream_);
}

void Training::set_up_values() {
  const auto& values = harness::memoized<make_parameters>(recipe_.net, recipe_.conv_bias, recipe_.options.layout,
                                                          harness::options().seed);
  const auto put = [](void* to, const std::vector<float>& from) {
    check(cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice));
  };
  const std::vector<int> parameters = program().of(Home::parameter);
  for (std::size_t p = 0; p < parameters.size(); ++p) put(machine().data(parameters[p]), values[p]);
  for (const Home home : {Home::running_mean, Home::running_variance}) {
    for (const int id : program().of(home)) put(machine().data(id), first_values(program(), id, 0));
  }
  const kernels::training::LossScale scale{.scale = kFirstLossScale, .inverse = 1 / kFirstLossScale};
  for (const auto& machine : machines_) {
    check(cudaMemcpy(machine->loss_scale(), &scale, sizeof(scale), cudaMemcpyHostToDevice));
    const Program& of = machine->program();
    bring(machine->data(of.of(Home::image).front()), of.images(), machine->labels(), of.labels(), nullptr);
  }
  check(cudaDeviceSynchronize());
  if (recipe_.loading == Loading::ahead) {
    bring(next_images_.data(), program().images(), next_labels_.data(), program().labels(), copies_);
    check(cudaEventRecord(copied_, copies_));
  }
}

// A copy of the batch's first samples from the host.
void Training::bring(void* images, std::int64_t image_count, void* labels, std::int64_t label_count,
                     cudaStream_t stream) {
  const bool pinned = pinned_images_.size() > 0;
  check(cudaMemcpyAsync(images, pinned ? pinned_images_.data() : batch_->images.data(),
                        static_cast<std::size_t>(image_count) * sizeof(float), cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(labels, pinned ? pinned_labels_.data() : batch_->labels.data(),
                        static_cast<std::size_t>(label_count) * sizeof(std::int32_t), cudaMemcpyHostToDevice, stream));
}

void Training::use(const Batch& batch) {
  if (recipe_.loading != Loading::pageable)
    throw std::invalid_argument("a batch in use is copied from pageable memory");
  if (batch.images.size() != batch_->images.size() || batch.labels.size() != batch_->labels.size()) {
    throw std::invalid_argument("a batch in use is as large as the recipe's");
  }
  batch_ = &batch;
}

void Training::load() {
  begin(Part::load);
  const Program& of = machine().program();
  void* const images = machine().data(of.of(Home::image).front());
  if (recipe_.loading == Loading::resident) return;
  if (recipe_.loading != Loading::ahead) {
    bring(images, of.images(), machine().labels(), of.labels(), stream_);
    if (recipe_.loading == Loading::pageable) check(cudaStreamSynchronize(stream_));
    return;
  }
  // Takes what came meanwhile, and lets the next one come.
  check(cudaStreamWaitEvent(stream_, copied_, 0));
  check(cudaMemcpyAsync(images, next_images_.data(), next_images_.size_bytes(), cudaMemcpyDeviceToDevice, stream_));
  check(cudaMemcpyAsync(machine().labels(), next_labels_.data(), next_labels_.size_bytes(), cudaMemcpyDeviceToDevice,
                        stream_));
  check(cudaEventRecord(taken_, stream_));
  check(cudaStreamWaitEvent(copies_, taken_, 0));
  bring(next_images_.data(), of.images(), next_labels_.data(), of.labels(), copies_);
  check(cudaEventRecord(copied_, copies_));
}

void Training::step() {
  if (recipe_.options.parts > 1) {
    fill_gradients(stream_);
    for (std::int64_t part = 0; part < recipe_.options.parts; ++part) {
      load();
      machine().run(stream_, part == 0 && !recipe_.fills_gradients, watcher_);
    }
    update(stream_);
  } else {
    load();
    // The first step loads the kernels, which may be refused while a stream is captured.
    if (recipe_.launch == Launch::graph && steps_ == 1) graph_ = cuda::captured([&](cudaStream_t s) { enqueue(s); });
    graph_ ? graph_(stream_) : enqueue(stream_);
  }
  last_loss_ = machine().data(machine().program().of(Home::loss).front());
  ++steps_;
  if (recipe_.reads_loss_every > 0 && steps_ % recipe_.reads_loss_every == 0) loss();
}

void Training::fill_gradients(cudaStream_t stream) {
  if (!recipe_.fills_gradients) return;
  begin(Part::fill);
  const auto bytes = static_cast<std::size_t>(state_.bytes(Home::gradient));
  check(cudaMemsetAsync(state_.data(Home::gradient), 0, bytes, stream));
}

void Training::enqueue(cudaStream_t stream) {
  fill_gradients(stream);
  machine().run(stream, !recipe_.fills_gradients, watcher_);
  update(stream);
}

// As PyTorch's GradScaler: all gradients are unscaled and looked through; where the optimizer is not fused the host
// looks whether there was an infinity, but for a captured step, in which it cannot.
void Training::update(cudaStream_t stream) {
  if (!optimizer_) return;
  begin(Part::update);
  Optimizer& o = *optimizer_;
  kernels::optimizer::LossScale scale;
  const bool scales = recipe_.options.precision == Precision::amp_fp16;
  if (scales) {
    kernels::optimizer::unscale(o.tensors, &machine().loss_scale()->inverse, o.found_inf.data(), stream);
    scale.found_inf = o.found_inf.data();
    if (recipe_.update != Update::fused && recipe_.launch == Launch::eager) {
      check(cudaMemcpyAsync(landed_inf_.data(), o.found_inf.data(), sizeof(float), cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
    }
  }
  if (recipe_.rule == Rule::adamw) {
    kernels::optimizer::step(way_of(recipe_.update), kAdamW, ++o.step, o.tensors, scale, stream);
  } else {
    kernels::optimizer::step(way_of(recipe_.update), kSgd, o.tensors, scale, stream);
  }
  if (scales) kernels::training::update_loss_scale(machine().loss_scale(), o.found_inf.data(), {}, stream);
}

float Training::loss() {
  begin(Part::read_loss);
  check(cudaMemcpyAsync(landed_loss_.data(), last_loss_, sizeof(float), cudaMemcpyDeviceToHost, stream_));
  finish();
  return landed_loss_[0];
}

std::vector<float> Training::curve(int steps) {
  std::vector<float> losses;
  for (int i = 0; i < steps; ++i) {
    step();
    losses.push_back(loss());
  }
  return losses;
}

std::vector<std::vector<float>> Training::gradients() const {
  finish();
  std::vector<std::vector<float>> all;
  for (const int id : program().of(Home::gradient)) {
    std::vector<float>& values = all.emplace_back(static_cast<std::size_t>(program().tensor(id).count));
    check(
        cudaMemcpy(values.data(), machines_.front()->data(id), values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  }
  return all;
}

std::int64_t Training::bytes() const {
  std::int64_t of_machines = 0;
  for (const auto& machine : machines_) of_machines += machine->bytes();
  return state_.total_bytes() + of_machines + (optimizer_ ? optimizer_->bytes() : 0) +
         static_cast<std::int64_t>(next_images_.size_bytes() + next_labels_.size_bytes());
}

}  // namespace cupel::bench::step
