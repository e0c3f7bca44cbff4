// A training of a net on the device, step by step, with everything around the step: copies, gradients, optimizer, loss
// scale, waiting.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bench/step/device_machine.hpp"
#include "bench/step/recipe.hpp"
#include "bench/step/values.hpp"
#include "bench/step/watch.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/optimizer/optimizer.hpp"

namespace cupel::bench::step {

/// What Rule::sgd is here.
inline constexpr kernels::optimizer::Sgd kSgd{.learning_rate = 0.02, .momentum = 0.9, .weight_decay = 1e-4};

class Training {
 public:
  /// Throws NotSupported where the device lacks the precision, Unavailable, OutOfMemory, std::invalid_argument for what
  /// does not go together, and as DeviceMachine.
  explicit Training(const Recipe& recipe);
  ~Training();

  /// Who is told of each part of a step from now on; may be null. Outlives the steps.
  void watch(Watcher* watcher) { watcher_ = watcher; }

  /// Steps take this batch from now on, as large as the recipe's, which outlives them. Throws std::invalid_argument
  /// where it is not as large, or where batches are not copied from pageable memory.
  void use(const Batch& batch);

  /// Enqueues a step, all parts of its batch, and waits for what the recipe waits for.
  void step();

  /// Waits until all steps are done.
  void finish() const { stream_.synchronize(); }

  /// The loss of the last step's last part. Waits.
  float loss();

  /// Losses of so many steps.
  std::vector<float> curve(int steps);

  /// The last step's, each parameter's in the order of the program, laid out as the parameter is: as the optimizer
  /// left it, and all but the fused ones add the weight decay to it. Waits.
  std::vector<std::vector<float>> gradients() const;

  /// All of its device memory.
  std::int64_t bytes() const;

  /// The largest batch's.
  const Program& program() const { return machines_.front()->program(); }

  /// Bytes of the largest batch's tensors that a step makes: what precision and recomputation change.
  std::int64_t activation_bytes() const { return machines_.front()->activation_bytes(); }
  /// Samples of a step; where there are several sizes in turn, of a step of each.
  std::int64_t samples() const;
  cudaStream_t stream() const { return stream_; }

  /// All of a step but the copies and what waits: what a graph captures.
  void enqueue(cudaStream_t stream);

 private:
  struct Optimizer;

  void set_up_values();
  DeviceMachine& machine() { return *machines_[static_cast<std::size_t>(steps_) % machines_.size()]; }
  void begin(Part part) {
    if (watcher_ != nullptr) watcher_->begins(part, 0);
  }
  void load();
  void bring(void* images, std::int64_t image_count, void* labels, std::int64_t label_count, cudaStream_t stream);
  void fill_gradients(cudaStream_t stream);
  void update(cudaStream_t stream);

  Recipe recipe_;
  DeviceState state_;
  std::vector<std::unique_ptr<DeviceMachine>> machines_;  // of each size; the largest is the first
  cuda::Stream stream_, copies_;
  const Batch* batch_;  // in pageable memory
  cuda::PinnedBuffer<float> pinned_images_, landed_loss_{1}, landed_inf_{1};
  cuda::PinnedBuffer<std::int32_t> pinned_labels_;
  cuda::DeviceBuffer<float> next_images_;
  cuda::DeviceBuffer<std::int32_t> next_labels_;
  cuda::Event copied_{cudaEventDisableTiming}, taken_{cudaEventDisableTiming};
  std::unique_ptr<Optimizer> optimizer_;
  std::function<void(cudaStream_t)> graph_;
  const char* last_loss_ = nullptr;  // in device memory
  std::int64_t steps_ = 0;
  Watcher* watcher_ = nullptr;
};

}  // namespace cupel::bench::step
