// A training of a net on the device, step by step, with everything around the step: copies, gradients, optimizer, loss
// scale, waiting.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bench/step/device_machine.hpp"
#include "bench/step/recipe.hpp"
#include "bench/step/update_check.hpp"
#include "bench/step/values.hpp"
#include "bench/step/watch.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/optimizer/optimizer.hpp"

namespace cupel::bench::step {

/// Rule::adamw, as sgd_of().
inline constexpr kernels::optimizer::Adam kAdamW{.learning_rate = 1e-3, .weight_decay = 0.01, .decoupled = true};

/// The samples of a recipe's batch number `which`: another one each. Made once a process.
const Batch& batch_of(const Recipe& recipe, std::int64_t which);

class Training {
 public:
  /// Throws NotSupported where the device lacks the precision, Unavailable, OutOfMemory, std::invalid_argument for what
  /// does not go together, and as DeviceMachine.
  explicit Training(const Recipe& recipe);
  ~Training();

  /// Who is told of each part of a step from now on; may be null. Outlives the steps.
  void watch(Watcher* watcher) { watcher_ = watcher; }

  /// Every step takes this batch from now on, as large as the recipe's, which outlives them. Throws
  /// std::invalid_argument where it is not as large, or where batches are not copied from pageable memory.
  void use(const Batch& batch);

  /// Values, moments and the count of steps are as they were made.
  void start_again();

  /// Enqueues a step, all parts of its batch, and waits for what the recipe waits for.
  void step();

  /// Whether it has taken two steps or more: kernels are loaded then, and a graph is captured.
  bool has_trained() const { return steps_ > 1; }

  /// Waits until all steps are done.
  void finish() const { stream_.synchronize(); }

  /// The loss of the last step's last part. Waits.
  float loss();

  /// Losses of so many steps, of each part of a step in turn. Batches come in such a way that a step which reads one
  /// before it is there, or another one's, has another loss: where they are resident the next one is put in place here,
  /// and where they are copied ahead now the copy comes late, now the step.
  std::vector<float> curve(int steps);

  using Element = OptimizedElement;
  /// The first, the middle and the last element of each parameter, in the order of the program. Waits.
  std::vector<Element> elements() const;
  /// The factor of gradients before they are used: 1 but for amp_fp16. Waits.
  float inverse_loss_scale() const;
  /// Steps of AdamW that were taken. Waits.
  std::int64_t adam_steps() const;

  /// A step that is launched operation by operation, whatever the recipe says; what a graph holds is the same.
  void step_eagerly();

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
  void set_up_batches();
  std::size_t place_of_batch(std::int64_t step, std::int64_t part) const;
  void load_ahead(std::int64_t part);
  void hold_next_copy();
  void let_copy_go();
  DeviceMachine& machine() { return *machines_[static_cast<std::size_t>(steps_) % machines_.size()]; }
  void begin(Part part) {
    if (watcher_ != nullptr) watcher_->begins(part, 0);
  }
  void load(std::int64_t part);
  void bring(std::size_t place, void* images, std::int64_t image_count, void* labels, std::int64_t label_count,
             cudaStream_t stream);
  void fill_gradients(cudaStream_t stream);
  kernels::optimizer::LossScale unscale(cudaStream_t stream);
  void update(cudaStream_t stream);

  Recipe recipe_;
  DeviceState state_;
  std::vector<std::unique_ptr<DeviceMachine>> machines_;  // of each size; the largest is the first
  cuda::Stream stream_, copies_;
  std::vector<const Batch*> batches_;  // in turn, in pageable memory; as many as a step has parts, two at least
  struct Pinned {
    cuda::PinnedBuffer<float> images;
    cuda::PinnedBuffer<std::int32_t> labels;
  };
  struct Resident {
    cuda::DeviceBuffer<float> images;
    cuda::DeviceBuffer<std::int32_t> labels;
  };
  std::vector<Pinned> pinned_;      // each batch, where they come from pinned memory
  std::vector<Resident> resident_;  // each part's, where they are on the device
  Resident next_;                   // copied ahead
  cuda::PinnedBuffer<float> landed_loss_{1}, landed_inf_{1};
  std::shared_ptr<std::atomic<bool>> held_;  // the copy of the next batch, until it is true
  bool comes_late_ = false;                  // see curve()
  std::vector<float>* heard_ = nullptr;      // losses of parts
  cuda::Event copied_{cudaEventDisableTiming}, taken_{cudaEventDisableTiming};
  cuda::DeviceBuffer<std::uint32_t> spins_{1};
  std::unique_ptr<Optimizer> optimizer_;
  std::function<void(cudaStream_t)> graph_;
  const char* last_loss_ = nullptr;  // in device memory
  std::int64_t steps_ = 0;
  Watcher* watcher_ = nullptr;
};

}  // namespace cupel::bench::step
