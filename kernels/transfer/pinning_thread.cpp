#include "kernels/transfer/pinning_thread.hpp"

#include <cstring>

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels::transfer {
namespace {

int current_device() {
  int device = 0;
  cuda::check(cudaGetDevice(&device));
  return device;
}

}  // namespace

PinningThread::PinningThread() {
  thread_ = std::jthread([this, device = current_device()](std::stop_token stop) { run(stop, device); });
}

PinningThread::~PinningThread() = default;

void PinningThread::start(std::span<const std::byte> batch, std::byte* pinned, cudaEvent_t free) {
  const std::scoped_lock lock(mutex_);
  batch_ = batch;
  pinned_ = pinned;
  free_ = free;
  changed_.notify_all();
}

void PinningThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return pinned_ == nullptr; });
  cuda::check(error_);
}

void PinningThread::run(std::stop_token stop, int device) {
  error_ = cudaSetDevice(device);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return pinned_ != nullptr; })) {
    lock.unlock();
    const cudaError_t error = cudaEventSynchronize(free_);
    std::memcpy(pinned_, batch_.data(), batch_.size());
    lock.lock();
    if (error_ == cudaSuccess) error_ = error;
    pinned_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace cupel::kernels::transfer
