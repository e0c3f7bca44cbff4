// Runs a program on the device: each operation is a kernel of ours or a call of cuBLAS's or cuDNN's, as a framework
// would make it.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/step/plan.hpp"
#include "bench/step/program.hpp"
#include "bench/step/recipe.hpp"
#include "bench/step/watch.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/memory_pool.hpp"
#include "cupel/vendor/cudnn_attention.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/training/training.hpp"

namespace cupel::bench::step {

/// The arrays that last from step to step: parameters, gradients, statistics of norms. It is the same for every batch,
/// precision and layout of a net, so that several machines may share it.
class DeviceState {
 public:
  /// Uninitialised but for the statistics. Throws OutOfMemory.
  explicit DeviceState(const Plan& plan);

  char* data(Home home) { return memory_[static_cast<std::size_t>(home)].data(); }
  std::int64_t bytes(Home home) const;
  std::int64_t total_bytes() const;

  /// For the tensors of a step, where they have no place of their own: made at the first call, and keeps what it has.
  /// Throws CudaError.
  cuda::MemoryPool& pool();
  /// The most that it held of the system at a time, in bytes.
  std::int64_t pool_bytes() const { return pool_ ? pool_->most_reserved_bytes() : 0; }

 private:
  std::optional<cuda::MemoryPool> pool_;
  std::array<cuda::DeviceBuffer<char>, kHomes> memory_;
};

class DeviceMachine {
 public:
  /// Makes all plans of cuDNN's. state: outlives it. larger: in whose workspace and planned memory it works, as the two
  /// never run at once; outlives it; null for memory of its own. Throws OutOfMemory, vendor::NotSupported, Unavailable,
  /// CudnnError; std::invalid_argument where fused attention is to be of fp32.
  DeviceMachine(Program program, const std::vector<Lifetime>& lifetimes, DeviceState& state, Pool pool = Pool::planned,
                DeviceMachine* larger = nullptr);
  ~DeviceMachine() = default;
  DeviceMachine(const DeviceMachine&) = delete;
  DeviceMachine& operator=(const DeviceMachine&) = delete;

  const Program& program() const { return program_; }

  /// Where a tensor lies in device memory; for images, loss and what the state holds.
  char* data(int tensor) const { return pointer_[static_cast<std::size_t>(tensor)]; }
  std::int32_t* labels() { return labels_at_; }

  /// Images and labels lie there from now on, in device memory.
  void take_inputs(float* images, std::int32_t* labels) {
    pointer_[static_cast<std::size_t>(program_.of(Home::image).front())] = reinterpret_cast<char*>(images);
    labels_at_ = labels;
  }

  /// Enqueues all operations, or those of the forward pass. first_part: gradients that are added to start anew. Where
  /// the pool is planned, it neither allocates nor waits. watcher: is told of each operation; may be null.
  void run(cudaStream_t stream, bool first_part = true, Watcher* watcher = nullptr);

  /// Device memory of its own beside the state's, in bytes: tensors, but for those of a pool, and what cuDNN works in.
  std::int64_t bytes() const;

  /// Returns the bytes of the tensors that a step makes.
  std::int64_t activation_bytes() const { return plan_.bytes_of(Home::planned); }

  /// For amp_fp16; in device memory.
  kernels::training::LossScale* loss_scale() { return loss_scale_.data(); }

 private:
  void run(const Operation& operation, cudaStream_t stream, bool first_part);
  void run_convolution(const Operation& operation, cudaStream_t stream);
  void run_batch_norm(const Operation& operation, cudaStream_t stream);
  void run_frozen_norm_backward(const Operation& operation, cudaStream_t stream);
  void run_product(const Operation& operation, cudaStream_t stream);
  void run_attention(const Operation& operation, cudaStream_t stream);
  void run_fused_attention(const Operation& operation, cudaStream_t stream);
  std::int64_t workspace_bytes(const Operation& operation) const;
  vendor::AttentionNode attention_of(const Operation& operation) const;
  void run_loss(const Operation& operation, cudaStream_t stream);
  void update_running(cudaStream_t stream);
  void prepare_workspace(const DeviceMachine* larger);
  void take_tensors(int place, cudaStream_t stream);
  void give_tensors_back(int place, cudaStream_t stream);

  char* in(const Operation& operation, std::size_t which) const { return data(operation.in[which]); }
  char* out(const Operation& operation, std::size_t which) const { return data(operation.out[which]); }
  float* in_floats(const Operation& o, std::size_t which) const { return reinterpret_cast<float*>(in(o, which)); }
  float* out_floats(const Operation& o, std::size_t which) const { return reinterpret_cast<float*>(out(o, which)); }
  DType type_in(const Operation& o, std::size_t which) const { return dtype_of(program_.tensor(o.in[which]).number); }
  bool tf32() const { return program_.options.precision != Precision::fp32; }

  Program program_;
  std::vector<Lifetime> lifetimes_;
  Plan plan_;
  DeviceState& state_;
  Pool pool_;
  std::vector<char*> pointer_;  // of each tensor
  cuda::DeviceBuffer<char> planned_, images_, loss_, workspace_;
  char* workspace_at_ = nullptr;  // its own, or the larger one's
  cuda::DeviceBuffer<std::int32_t> labels_;
  std::int32_t* labels_at_ = labels_.data();
  cuda::DeviceBuffer<float> unbias_;  // of each channel of each batch norm
  cuda::DeviceBuffer<kernels::training::LossScale> loss_scale_;
  kernels::reduce::Workspace sums_;
};

}  // namespace cupel::bench::step
