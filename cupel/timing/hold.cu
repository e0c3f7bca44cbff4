#include "cupel/cuda/device_timer.cuh"
#include "cupel/timing/hold.hpp"

namespace cupel::timing {
namespace {

// Where Windows watches the device (WSL), a kernel of two seconds is ended.
constexpr unsigned long long kPatience_ns = 500'000'000;
// Time from the host's release until both streams go on: long enough for the second stream to poll the first several
// times.
constexpr unsigned long long kNotice_ns = 5'000;

__device__ void wait_until(unsigned long long ns) {
  while (cuda::global_ns() < ns) {
  }
}

__device__ void wait_for_flag(volatile int* flags) {
  const unsigned long long start = cuda::global_ns();
  while (flags[0] == 0) {
    if (cuda::global_ns() - start > kPatience_ns) {
      flags[1] = 1;
      __threadfence_system();
      return;
    }
  }
}

__global__ void wait_for_host(volatile int* flags) { wait_for_flag(flags); }

// Runs on the stream that waits for the host, and sets the moment at which both go on.
__global__ void lead(volatile int* flags, volatile unsigned long long* release, unsigned long long hold) {
  wait_for_flag(flags);
  const unsigned long long at = cuda::global_ns() + kNotice_ns;
  release[1] = at;
  __threadfence();
  release[0] = hold;
  wait_until(at);
}

// Where both streams share a queue, this begins when the other stream is done, and finds the moment past.
__global__ void follow(const volatile unsigned long long* release, unsigned long long hold) {
  const unsigned long long start = cuda::global_ns();
  while (release[0] != hold) {
    if (cuda::global_ns() - start > 2 * kPatience_ns) return;  // nobody leads; longer than the other one waits
  }
  __threadfence();
  wait_until(release[1]);
}

__global__ void empty() {}

}  // namespace

Hold::Hold() : flags_(2, cudaHostAllocMapped) {
  flags_[0] = 1;
  flags_[1] = 0;
  void* device = nullptr;
  cuda::check(cudaHostGetDevicePointer(&device, flags_.data(), 0));
  device_flags_ = static_cast<int*>(device);
}

void Hold::load(cudaStream_t stream) {
  release();
  wait_for_host<<<1, 1, 0, stream>>>(device_flags_);
  cuda::check(cudaGetLastError());
  lead<<<1, 1, 0, stream>>>(device_flags_, release_.data(), holds_);
  cuda::check(cudaGetLastError());
  follow<<<1, 1, 0, stream>>>(release_.data(), holds_);
  cuda::check(cudaGetLastError());
}

void Hold::begin(cudaStream_t stream) {
  lower();
  wait_for_host<<<1, 1, 0, stream>>>(device_flags_);
  cuda::check(cudaGetLastError());
}

void Hold::begin(cudaStream_t stream, cudaStream_t beside) {
  lower();
  ++holds_;
  lead<<<1, 1, 0, stream>>>(device_flags_, release_.data(), holds_);
  cuda::check(cudaGetLastError());
  follow<<<1, 1, 0, beside>>>(release_.data(), holds_);
  cuda::check(cudaGetLastError());
}

void Hold::lower() noexcept {
  volatile int* flags = flags_.data();
  flags[0] = 0;
  flags[1] = 0;
}

void Hold::release() noexcept { *static_cast<volatile int*>(flags_.data()) = 1; }

bool Hold::gave_up() const { return static_cast<const volatile int*>(flags_.data())[1] != 0; }

void launch_empty(cudaStream_t stream) {
  empty<<<1, 1, 0, stream>>>();
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::timing
