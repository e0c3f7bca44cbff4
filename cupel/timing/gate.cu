#include "cupel/timing/gate.hpp"

namespace cupel::timing {
namespace {

constexpr unsigned long long kPatience_ns = 2'000'000'000;

__device__ unsigned long long global_ns() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__global__ void wait_for_host(volatile int* flags) {
  const unsigned long long start = global_ns();
  while (flags[0] == 0) {
    if (global_ns() - start > kPatience_ns) {
      flags[1] = 1;
      __threadfence_system();
      return;
    }
  }
}

}  // namespace

Gate::Gate() : flags_(2, cudaHostAllocMapped) {
  flags_[0] = 1;
  flags_[1] = 0;
  void* device = nullptr;
  cuda::check(cudaHostGetDevicePointer(&device, flags_.data(), 0));
  device_flags_ = static_cast<int*>(device);
}

void Gate::close(cudaStream_t stream) {
  volatile int* flags = flags_.data();
  flags[0] = 0;
  flags[1] = 0;
  wait_for_host<<<1, 1, 0, stream>>>(device_flags_);
  cuda::check(cudaGetLastError());
}

void Gate::open() noexcept { *static_cast<volatile int*>(flags_.data()) = 1; }

bool Gate::stood_open_by_itself() const { return static_cast<const volatile int*>(flags_.data())[1] != 0; }

}  // namespace cupel::timing
