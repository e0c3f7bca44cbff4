// A thread that copies batches into pinned memory, as a data loader has one: the thread that launches does not.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>

#include <cuda_runtime.h>

namespace cupel::kernels::transfer {

class PinningThread {
 public:
  PinningThread();
  ~PinningThread();
  PinningThread(const PinningThread&) = delete;
  PinningThread& operator=(const PinningThread&) = delete;

  /// Has a batch copied to `pinned`, once `free` was reached on its stream. One at a time: the one before was waited
  /// for.
  void start(std::span<const std::byte> batch, std::byte* pinned, cudaEvent_t free);

  /// Until the batch that was started is there. Throws CudaError of the thread's wait.
  void wait();

 private:
  void run(std::stop_token stop, int device);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::span<const std::byte> batch_;
  std::byte* pinned_ = nullptr;  // null: there is nothing to do
  cudaEvent_t free_ = nullptr;
  cudaError_t error_ = cudaSuccess;
  std::jthread thread_;
};

}  // namespace cupel::kernels::transfer
