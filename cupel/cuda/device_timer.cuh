// The device's timer, which all SMs share. It advances in steps: 32 ns on an H200, 1 us on older devices.
#pragma once

namespace cupel::cuda {

__device__ inline unsigned long long global_ns() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

}  // namespace cupel::cuda
