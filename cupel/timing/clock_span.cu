#include "cupel/timing/clock_span.hpp"

#include <algorithm>
#include <vector>

#include "cupel/cuda/device_timer.cuh"
#include "cupel/stats/quantile.hpp"

namespace cupel::timing {
namespace {

// One thread to each SM, if the device is idle: blocks go to the emptiest.
__global__ void stamp_kernel(ClockStamp* stamps, unsigned most) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (sm >= most) return;
  stamps[sm].ns = cuda::global_ns();
  stamps[sm].cycles = static_cast<unsigned long long>(clock64());
}

}  // namespace

ClockSpan::ClockSpan() : stamps_(2 * kMostSms, cudaHostAllocMapped) {
  void* device = nullptr;
  cuda::check(cudaHostGetDevicePointer(&device, stamps_.data(), 0));
  device_stamps_ = static_cast<ClockStamp*>(device);
  sms_ = cuda::attribute(cudaDevAttrMultiProcessorCount);
  read(device_stamps_, nullptr);  // loads the kernel: behind the hold that would wait for the device
  cuda::check(cudaStreamSynchronize(nullptr));
}

void ClockSpan::read(ClockStamp* stamps, cudaStream_t stream) const {
  stamp_kernel<<<static_cast<unsigned>(sms_), 1, 0, stream>>>(stamps, static_cast<unsigned>(kMostSms));
  cuda::check(cudaGetLastError());
}

void ClockSpan::begin(cudaStream_t stream) {
  std::fill_n(stamps_.data(), 2 * kMostSms, ClockStamp{});
  read(device_stamps_, stream);
}

void ClockSpan::end(cudaStream_t stream) { read(device_stamps_ + kMostSms, stream); }

std::optional<double> ClockSpan::hz() const {
  std::vector<double> seen;
  for (std::size_t sm = 0; sm < kMostSms; ++sm) {
    const ClockStamp &first = stamps_[sm], &last = stamps_[kMostSms + sm];
    if (first.ns == 0 || last.ns <= first.ns || last.cycles <= first.cycles) continue;
    seen.push_back(static_cast<double>(last.cycles - first.cycles) / static_cast<double>(last.ns - first.ns) * 1e9);
  }
  if (seen.empty()) return std::nullopt;
  return stats::median(seen);
}

}  // namespace cupel::timing
