// What the functions of the emulated CUDA runtime share.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "tests/emulator/stream.hpp"

namespace cupel::emulator {

/// What a function of the runtime returns: `code`, or, on a device that is lost, what lost it. Kept for
/// cudaGetLastError().
cudaError_t answer(cudaError_t code);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for. handle: null of one that was never named.
std::size_t shared_bytes_allowed(const void* handle);

/// What programs hold as a pointer to an opaque type. Never the address of one that was destroyed and is used on.
template <class Handle, class Object>
class Handles {
 public:
  Handle make(Object object) {
    const std::lock_guard lock(mutex_);
    auto* made = new Object(std::move(object));
    alive_.insert(made);
    return reinterpret_cast<Handle>(made);
  }
  /// nullptr where there is none.
  Object* find(Handle handle) {
    const std::lock_guard lock(mutex_);
    auto* object = reinterpret_cast<Object*>(handle);
    return alive_.contains(object) ? object : nullptr;
  }
  bool destroy(Handle handle) {
    const std::lock_guard lock(mutex_);
    auto* object = reinterpret_cast<Object*>(handle);
    if (alive_.erase(object) == 0) return false;
    delete object;
    return true;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<Object*> alive_;
};

/// nullptr where there is no such stream.
std::shared_ptr<Stream> stream_of(cudaStream_t handle);

/// Enqueues, or adds to the graph while the stream is captured, and then `ticket` is left as it is.
cudaError_t submit(cudaStream_t handle, Operation operation, Ticket* ticket = nullptr);

/// cudaErrorStreamCaptureUnsupported, and an end to the capture, where the calling thread captures: for calls that may
/// wait or allocate.
cudaError_t refuse_in_capture();

/// Pools give back what they keep beyond their threshold whenever the program has waited.
void trim_pools();

}  // namespace cupel::emulator
