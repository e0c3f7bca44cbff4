// The CUDA runtime with its errors as exceptions and its resources owned.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/host/cannot_run.hpp"

namespace cupel::cuda {

/// "rig.cpp:42".
std::string place(const std::source_location& where);

/// Says in one line why something that is asked cannot be done here.
class NotSupported : public std::runtime_error, public host::CannotRun {
 public:
  using std::runtime_error::runtime_error;
};

/// A CUDA call that failed. what(): name, text, file and line.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& where);
  cudaError_t code() const { return code_; }
  /// The context is beyond use: every later call fails too.
  bool sticky() const;

 private:
  cudaError_t code_;
};

/// A CUDA call that this device cannot carry out, as it is now.
class CudaRefusal : public CudaError, public host::CannotRun {
 public:
  using CudaError::CudaError;
};

/// Device memory ran out: what was wanted and what was free, in bytes.
class OutOfMemory : public CudaRefusal {
 public:
  OutOfMemory(std::size_t wanted, std::size_t free, const std::source_location& where);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Throws CudaError unless cudaSuccess; a CudaRefusal where the device cannot do it.
void check(cudaError_t code, const std::source_location& where = std::source_location::current());

/// The same, where users can be told more of a call that cannot be carried out here: then it throws NotSupported with
/// these words and the status. Which statuses those are is said once, for both.
void check(cudaError_t code, const std::string& if_refused,
           const std::source_location& where = std::source_location::current());

/// The calling thread's: a new thread has device 0, whichever is measured. Throws CudaError.
int current_device();

/// An attribute of a device. Throws CudaError.
int attribute(cudaDeviceAttr which, int device = current_device(),
              const std::source_location& where = std::source_location::current());

/// A non-blocking stream.
class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking, int priority = 0);
  cudaStream_t get() const { return stream_.get(); }
  operator cudaStream_t() const { return stream_.get(); }
  void synchronize() const;

 private:
  struct Destroy {
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// An event that keeps time unless flags say otherwise.
class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault);
  cudaEvent_t get() const { return event_.get(); }
  operator cudaEvent_t() const { return event_.get(); }

 private:
  struct Destroy {
    void operator()(cudaEvent_t e) const noexcept { cudaEventDestroy(e); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// Seconds between two recorded events, by the device's clock; both must be complete. Throws CudaError.
double elapsed_s(const Event& from, const Event& to);

namespace detail {
void* allocate_device(std::size_t bytes, const std::source_location& where);
void* allocate_pinned(std::size_t bytes, unsigned flags, const std::source_location& where);
struct FreeDevice {
  void operator()(void* p) const noexcept { cudaFree(p); }
};
struct FreePinned {
  void operator()(void* p) const noexcept { cudaFreeHost(p); }
};
}  // namespace detail

/// `size` elements of device memory, uninitialised. Throws OutOfMemory.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size, const std::source_location& where = std::source_location::current())
      : data_(static_cast<T*>(detail::allocate_device(size * sizeof(T), where))), size_(size) {}
  /// A copy of the host's data.
  explicit DeviceBuffer(std::span<const T> host) : DeviceBuffer(host.size()) { from_host(host); }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }

  /// Blocks until the data is there, for every stream. host.size() must be size().
  void from_host(std::span<const T> host) {
    if (host.size() != size_) throw std::invalid_argument("DeviceBuffer::from_host: sizes differ");
    check(cudaMemcpy(data_.get(), host.data(), size_bytes(), cudaMemcpyHostToDevice));
    // From pageable memory cudaMemcpy may return with the data still in the driver's buffer.
    check(cudaStreamSynchronize(cudaStreamLegacy));
  }
  /// Blocks until the device has finished everything, then copies.
  std::vector<T> to_host() const {
    check(cudaDeviceSynchronize());
    std::vector<T> host(size_);
    check(cudaMemcpy(host.data(), data_.get(), size_bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  std::unique_ptr<T[], detail::FreeDevice> data_;
  std::size_t size_ = 0;
};

/// `size` elements of page-locked host memory, uninitialised; flags as of cudaHostAlloc. Throws OutOfMemory.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t size, unsigned flags = cudaHostAllocDefault,
                        const std::source_location& where = std::source_location::current())
      : data_(static_cast<T*>(detail::allocate_pinned(size * sizeof(T), flags, where))), size_(size) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> span() { return {data_.get(), size_}; }

 private:
  std::unique_ptr<T[], detail::FreePinned> data_;
  std::size_t size_ = 0;
};

}  // namespace cupel::cuda
