// The cost that mixed precision adds to a step: unscaling the gradients, looking for infinities, and acting on what was
// found, by the host, which has to wait for it, or by the device.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/optimizer/measure.hpp"
#include "bench/optimizer/topics.hpp"
#include "bench/optimizer/training_state.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/optimizer/optimizer.hpp"
#include "kernels/training/models.hpp"

namespace cupel::bench::optimizer {
namespace {

using benchmark::State;
using cuda::check;
using kernels::optimizer::Adam;
using kernels::optimizer::Way;
using record::Role;

constexpr Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};
constexpr float kInverseScale = 1.0f;  // gradients keep their size however often they are unscaled

enum class Scaling { none, host_looks, device_looks };

// The two numbers of a scaler in device memory, and where one of them lands on the host.
struct Scaler {
  Scaler() : inverse(number(kInverseScale)), found_inf(number(0)), landing(1) {}

  static cuda::DeviceBuffer<float> number(float value) {
    return cuda::DeviceBuffer<float>(std::span<const float>(std::vector<float>{value}));
  }

  // Waits for the device.
  bool found(cudaStream_t stream) {
    check(cudaMemcpyAsync(landing.data(), found_inf.data(), sizeof(float), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    return landing[0] != 0;
  }

  cuda::DeviceBuffer<float> inverse, found_inf;
  cuda::PinnedBuffer<float> landing;
};

void scaled_step(State& state, Scaling scaling, const std::string& model) {
  TrainingState training(sizes_of(model));
  training.reset();
  const auto& tensors = training.tensors();
  Scaler scaler;
  const auto update = [&](const kernels::optimizer::LossScale& scale, cudaStream_t stream) {
    kernels::optimizer::step(Way::fused, kAdamW, TrainingState::kStep, tensors, scale, stream);
  };
  const auto one_step = [&](cudaStream_t stream) {
    if (scaling == Scaling::none) return update({}, stream);
    check(cudaMemsetAsync(scaler.found_inf.data(), 0, sizeof(float), stream));
    kernels::optimizer::unscale(tensors, scaler.inverse.data(), scaler.found_inf.data(), stream);
    if (scaling == Scaling::device_looks) return update({nullptr, scaler.found_inf.data()}, stream);
    if (!scaler.found(stream)) update({}, stream);
  };
  timing::set_memory_limit(bytes_of(sizes_of(model)));

  // Parameter, gradient and both moments read, all but the gradient written: gradients are fp32, as autocast leaves
  // them to GradScaler. Unscaling is not the algorithm's, so that the rows differ in time only.
  const std::int64_t n = tensors.count();
  sample_step(state, {.bytes_read = 16 * n, .bytes_written = 12 * n, .items = n}, one_step, 3,
              scaling == Scaling::host_looks);

  training.require_step(one_step, &kAdamW, nullptr, static_cast<double>(kInverseScale), "step with loss scaling");
}

harness::Definition& add(const std::string& name, Scaling scaling, const std::string& model) {
  return harness::add(name, [=](State& state) { scaled_step(state, scaling, model); })
      .memory([model](const std::vector<std::int64_t>&) {
        return harness::Memory{.device_bytes = bytes_of(sizes_of(model))};
      });
}

}  // namespace

void register_loss_scaling() {
  const std::string resnet = "model:resnet50", gpt2 = "model:gpt2_small";
  add("optimizer/loss_scaling/model:resnet50/gradients:fp32/scaling:none", Scaling::none, "resnet50")
      .advice("loss-scaling", Role::before, resnet);
  add("optimizer/loss_scaling/model:resnet50/gradients:fp32/scaling:host_looks", Scaling::host_looks, "resnet50")
      .advice("loss-scaling", Role::after, resnet, "host_looks");
  add("optimizer/loss_scaling/model:resnet50/gradients:fp32/scaling:device_looks", Scaling::device_looks, "resnet50")
      .advice("loss-scaling", Role::after, resnet, "device_looks");

  add("optimizer/loss_scaling/model:gpt2_small/gradients:fp32/scaling:none", Scaling::none, "gpt2_small")
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::before, gpt2);
  add("optimizer/loss_scaling/model:gpt2_small/gradients:fp32/scaling:host_looks", Scaling::host_looks, "gpt2_small")
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::after, gpt2, "host_looks");
  add("optimizer/loss_scaling/model:gpt2_small/gradients:fp32/scaling:device_looks", Scaling::device_looks,
      "gpt2_small")
      .from(harness::Profile::standard)
      .advice("loss-scaling", Role::after, gpt2, "device_looks");
}

}  // namespace cupel::bench::optimizer
