#include "bench/step/training.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cupel/cuda/graph.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "kernels/sync/launches.hpp"

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

// Before anything is made: inputs take the host a while.
Recipe checked_here(const Recipe& recipe) {
  Recipe all = checked(recipe);
  vendor::require_cublas();
  vendor::require_cudnn();
  timing::require_arithmetic(to_string(all.options.precision), arithmetic_of(all.options.precision));
  return all;
}

// Makes the first parameters, which are the same for each training.
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

// Batches that a step does not tell apart by itself: each part has one of its own, and a whole batch is another in the
// next step.
std::int64_t count_of_batches(const Recipe& recipe) { return std::max<std::int64_t>(recipe.options.parts, 2); }

constexpr std::byte kNaNByte{0xff};

template <class T>
void fill_with_nan(T* data, std::int64_t count) {
  check(cudaMemset(data, static_cast<int>(kNaNByte), static_cast<std::size_t>(count) * sizeof(T)));
}

// On the device's side a step may be as late as this; longer than a copy from pinned memory takes by any link.
std::int64_t late_ns(std::int64_t bytes) {
  constexpr std::int64_t kAtLeast_ns = 2'000'000, kSlowest_bytes_per_s = 5'000'000'000;
  return kAtLeast_ns + bytes * 1'000'000'000 / kSlowest_bytes_per_s;
}

// A stream waits in it until its flag is up, or a second is over.
void CUDART_CB wait_for_flag(void* flag) {
  const std::unique_ptr<std::shared_ptr<std::atomic<bool>>> is_up(
      static_cast<std::shared_ptr<std::atomic<bool>>*>(flag));
  for (int look = 0; look < 10'000 && !(*is_up)->load(); ++look) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
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

const Batch& batch_of(const Recipe& recipe, std::int64_t which) {
  return harness::memoized<make_samples>(recipe.net, recipe.options.batch, recipe.options.layout,
                                         harness::options().seed + static_cast<std::uint64_t>(which));
}

// Moments of the parameters, which lie as these do.
struct Training::Optimizer {
  // counts: AdamW's steps on the device, as a graph has to.
  Optimizer(const Program& program, DeviceState& state, Rule rule, bool counts)
      : m(static_cast<std::size_t>(state.bytes(Home::parameter))),
        v(rule == Rule::adamw ? m.size() : 0),
        scratch(v.size()),
        count(rule == Rule::adamw && counts ? 1 : 0),
        tensors(list(program, state)) {
    const float zero = 0;
    found_inf = cuda::DeviceBuffer<float>(std::span(&zero, 1));
    start_again();
  }

  void start_again() {
    for (cuda::DeviceBuffer<char>* moments : {&m, &v}) {
      if (moments->size() > 0) check(cudaMemset(moments->data(), 0, moments->size()));
    }
    if (count.size() > 0) check(cudaMemset(count.data(), 0, count.size_bytes()));
    step = 0;
  }

  std::int64_t steps() const {
    if (count.size() == 0) return step;
    std::int64_t steps = 0;
    check(cudaMemcpy(&steps, count.data(), sizeof(steps), cudaMemcpyDeviceToHost));
    return steps;
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
  cuda::DeviceBuffer<kernels::optimizer::AdamCount> count;
  kernels::optimizer::TensorList tensors;
  cuda::DeviceBuffer<float> found_inf;
  std::int64_t step = 0;  // of Adam
};

Training::Training(const Recipe& recipe)
    : recipe_(checked_here(recipe)), state_(plan_of(program_of(recipe_, recipe_.options.batch), recipe_)) {
  for (const std::int64_t size : sizes_of(recipe_)) {
    Program program = program_of(recipe_, size);
    const std::vector<Lifetime> lives = lifetimes_of(program, recipe_);
    DeviceMachine* const larger =
        recipe_.pool == Pool::planned && !machines_.empty() ? machines_.front().get() : nullptr;
    machines_.push_back(std::make_unique<DeviceMachine>(std::move(program), lives, state_, recipe_.pool, larger));
  }
  if (recipe_.options.trains) {
    optimizer_ = std::make_unique<Optimizer>(program(), state_, recipe_.rule, recipe_.launch == Launch::graph);
  }
  set_up_batches();
  set_up_values();
}

void Training::set_up_batches() {
  for (std::int64_t which = 0; which < count_of_batches(recipe_); ++which) {
    batches_.push_back(&batch_of(recipe_, which));
    const Batch& batch = *batches_.back();
    if (recipe_.loading == Loading::pinned || recipe_.loading == Loading::ahead) {
      Pinned& pinned = pinned_.emplace_back(Pinned{cuda::PinnedBuffer<float>(batch.images.size()),
                                                   cuda::PinnedBuffer<std::int32_t>(batch.labels.size())});
      std::ranges::copy(batch.images, pinned.images.data());
      std::ranges::copy(batch.labels, pinned.labels.data());
    }
    if (recipe_.loading == Loading::resident && recipe_.options.parts > 1) {
      resident_.push_back({cuda::DeviceBuffer<float>(std::span<const float>(batch.images)),
                           cuda::DeviceBuffer<std::int32_t>(std::span<const std::int32_t>(batch.labels))});
    }
  }
  if (recipe_.loading == Loading::ahead) {
    next_ = {cuda::DeviceBuffer<float>(batches_[0]->images.size()),
             cuda::DeviceBuffer<std::int32_t>(batches_[0]->labels.size())};
  }
}

// A step of one part takes one batch, and the next step the next one; where there are parts, each has its own.
std::size_t Training::place_of_batch(std::int64_t step, std::int64_t part) const {
  return static_cast<std::size_t>(step * recipe_.options.parts + part) % batches_.size();
}

std::int64_t Training::samples() const {
  std::int64_t sum = 0;
  for (const auto& machine : machines_) sum += machine->program().options.batch;
  return sum * recipe_.options.parts;
}

Training::~Training() {
  let_copy_go();
  // Work under way uses memory that is freed now.
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
    void* const images = machine->data(of.of(Home::image).front());
    if (recipe_.loading == Loading::resident) {
      bring(0, images, of.images(), machine->labels(), of.labels(), nullptr);
    } else {
      fill_with_nan(static_cast<float*>(images), of.images());  // a batch that does not come is none
      check(cudaMemset(machine->labels(), 0, static_cast<std::size_t>(of.labels()) * sizeof(std::int32_t)));
    }
  }
  check(cudaDeviceSynchronize());
  if (recipe_.loading == Loading::ahead) {
    fill_with_nan(next_.images.data(), program().images());
    check(cudaDeviceSynchronize());
    bring(0, next_.images.data(), program().images(), next_.labels.data(), program().labels(), copies_);
    check(cudaEventRecord(copied_, copies_));
  }
}

void Training::start_again() {
  let_copy_go();
  check(cudaDeviceSynchronize());
  steps_ = 0;
  if (optimizer_) optimizer_->start_again();
  set_up_values();
}

// A copy of the batch's first samples from the host.
void Training::bring(std::size_t place, void* images, std::int64_t image_count, void* labels, std::int64_t label_count,
                     cudaStream_t stream) {
  const bool pinned = !pinned_.empty();
  const Batch& batch = *batches_[place];
  check(cudaMemcpyAsync(images, pinned ? pinned_[place].images.data() : batch.images.data(),
                        static_cast<std::size_t>(image_count) * sizeof(float), cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(labels, pinned ? pinned_[place].labels.data() : batch.labels.data(),
                        static_cast<std::size_t>(label_count) * sizeof(std::int32_t), cudaMemcpyHostToDevice, stream));
}

void Training::use(const Batch& batch) {
  if (recipe_.loading != Loading::pageable)
    throw std::invalid_argument("a batch in use is copied from pageable memory");
  if (batch.images.size() != batches_[0]->images.size() || batch.labels.size() != batches_[0]->labels.size()) {
    throw std::invalid_argument("a batch in use is as large as the recipe's");
  }
  batches_ = {&batch};
}

void Training::load(std::int64_t part) {
  begin(Part::load);
  const Program& of = machine().program();
  if (recipe_.loading == Loading::resident) {
    if (resident_.empty()) return;
    Resident& here = resident_[place_of_batch(steps_, part)];
    return machine().take_inputs(here.images.data(), here.labels.data());
  }
  if (recipe_.loading == Loading::ahead) return load_ahead(part);
  bring(place_of_batch(steps_, part), machine().data(of.of(Home::image).front()), of.images(), machine().labels(),
        of.labels(), stream_);
  if (recipe_.loading == Loading::pageable) check(cudaStreamSynchronize(stream_));
}

// Takes what came meanwhile, and lets the next one come.
void Training::load_ahead(std::int64_t part) {
  const Program& of = machine().program();
  check(cudaStreamWaitEvent(stream_, copied_, 0));
  if (comes_late_) kernels::sync::spin(late_ns(4 * of.images()), spins_.data(), stream_);
  check(cudaMemcpyAsync(machine().data(of.of(Home::image).front()), next_.images.data(), next_.images.size_bytes(),
                        cudaMemcpyDeviceToDevice, stream_));
  check(cudaMemcpyAsync(machine().labels(), next_.labels.data(), next_.labels.size_bytes(), cudaMemcpyDeviceToDevice,
                        stream_));
  check(cudaEventRecord(taken_, stream_));
  if (held_) {
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(2 * late_ns(4 * of.images())));  // a step that did not wait has read
    let_copy_go();
  }
  check(cudaStreamWaitEvent(copies_, taken_, 0));
  if (comes_late_ && steps_ % 2 == 0) hold_next_copy();
  bring(place_of_batch(steps_, part + 1), next_.images.data(), of.images(), next_.labels.data(), of.labels(), copies_);
  check(cudaEventRecord(copied_, copies_));
}

// Until the next step has been enqueued.
void Training::hold_next_copy() {
  held_ = std::make_shared<std::atomic<bool>>(false);
  auto flag = std::make_unique<std::shared_ptr<std::atomic<bool>>>(held_);
  check(cudaLaunchHostFunc(copies_, wait_for_flag, flag.get()));
  static_cast<void>(flag.release());  // wait_for_flag() deletes it
}

void Training::let_copy_go() {
  if (held_) std::exchange(held_, nullptr)->store(true);
}

void Training::step() {
  last_loss_ = machine().data(machine().program().of(Home::loss).front());
  if (recipe_.options.parts > 1) {
    fill_gradients(stream_);
    for (std::int64_t part = 0; part < recipe_.options.parts; ++part) {
      load(part);
      machine().run(stream_, part == 0 && !recipe_.fills_gradients, watcher_);
      if (heard_ != nullptr) heard_->push_back(loss());
    }
    update(stream_);
  } else {
    load(0);
    // The first step loads the kernels, which may be refused while a stream is captured.
    if (recipe_.launch == Launch::graph && steps_ == 1) graph_ = cuda::captured([&](cudaStream_t s) { enqueue(s); });
    graph_ ? graph_(stream_) : enqueue(stream_);
    if (heard_ != nullptr) heard_->push_back(loss());
  }
  ++steps_;
  if (recipe_.reads_loss_every > 0 && steps_ % recipe_.reads_loss_every == 0) loss();
}

void Training::step_eagerly() {
  const auto graph = std::exchange(graph_, nullptr);
  const Launch launch = std::exchange(recipe_.launch, Launch::eager);
  step();
  graph_ = graph;
  recipe_.launch = launch;
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
kernels::optimizer::LossScale Training::unscale(cudaStream_t stream) {
  Optimizer& o = *optimizer_;
  if (recipe_.options.precision != Precision::amp_fp16) return {};
  if (recipe_.scaler == Scaler::folded) return {.inverse = &machine().loss_scale()->inverse};
  kernels::optimizer::unscale(o.tensors, &machine().loss_scale()->inverse, o.found_inf.data(), stream);
  if (host_looks_at_scale(recipe_)) {
    check(cudaMemcpyAsync(landed_inf_.data(), o.found_inf.data(), sizeof(float), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  }
  return {.found_inf = o.found_inf.data()};
}

void Training::update(cudaStream_t stream) {
  if (!optimizer_) return;
  begin(Part::update);
  Optimizer& o = *optimizer_;
  const kernels::optimizer::LossScale scale = unscale(stream);
  if (o.count.size() > 0) {
    kernels::optimizer::counted_step(way_of(recipe_.update), kAdamW, o.count.data(), o.tensors, scale, stream);
  } else if (recipe_.rule == Rule::adamw) {
    kernels::optimizer::step(way_of(recipe_.update), kAdamW, ++o.step, o.tensors, scale, stream);
  } else {
    kernels::optimizer::step(way_of(recipe_.update), sgd_of(recipe_), o.tensors, scale, stream);
  }
  if (scale.found_inf != nullptr) {
    kernels::training::update_loss_scale(machine().loss_scale(), o.found_inf.data(), {}, stream);
  }
}

float Training::loss() {
  begin(Part::read_loss);
  check(cudaMemcpyAsync(landed_loss_.data(), last_loss_, sizeof(float), cudaMemcpyDeviceToHost, stream_));
  finish();
  return landed_loss_[0];
}

std::vector<float> Training::curve(int steps) {
  std::vector<float> losses;
  heard_ = &losses;
  comes_late_ = recipe_.loading == Loading::ahead;
  for (int i = 0; i < steps; ++i) {
    if (recipe_.loading == Loading::resident && resident_.empty()) {
      const Program& of = machine().program();
      bring(place_of_batch(steps_, 0), machine().data(of.of(Home::image).front()), of.images(), machine().labels(),
            of.labels(), stream_);
    }
    step();
  }
  let_copy_go();
  comes_late_ = false;
  heard_ = nullptr;
  return losses;
}

std::vector<Training::Element> Training::elements() const {
  finish();
  std::vector<Element> all;
  const std::vector<kernels::optimizer::Tensor>& tensors = optimizer_->tensors.tensors();
  const auto number = [](const void* array, std::int64_t i) {
    float value = 0;
    check(cudaMemcpy(&value, static_cast<const float*>(array) + i, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
  };
  for (const kernels::optimizer::Tensor& one : tensors) {
    for (const std::int64_t i : {std::int64_t{0}, one.count / 2, one.count - 1}) {
      all.push_back({number(one.parameter, i), number(one.gradient, i), number(one.m, i),
                     one.v == nullptr ? 0 : number(one.v, i)});
    }
  }
  return all;
}

float Training::inverse_loss_scale() const {
  if (recipe_.options.precision != Precision::amp_fp16) return 1;
  finish();
  kernels::training::LossScale scale;
  check(cudaMemcpy(&scale, machines_.front()->loss_scale(), sizeof(scale), cudaMemcpyDeviceToHost));
  return scale.inverse;
}

std::int64_t Training::adam_steps() const {
  finish();
  return optimizer_->steps();
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
  if (recipe_.pool != Pool::planned) of_machines += state_.pool_bytes();
  auto inputs_bytes = static_cast<std::int64_t>(next_.images.size_bytes() + next_.labels.size_bytes());
  for (const Resident& one : resident_) {
    inputs_bytes += static_cast<std::int64_t>(one.images.size_bytes() + one.labels.size_bytes());
  }
  return state_.total_bytes() + of_machines + (optimizer_ ? optimizer_->bytes() : 0) + inputs_bytes;
}

}  // namespace cupel::bench::step
