#include "cupel/timing/shortest_work.hpp"

#include <array>

namespace cupel::timing {
namespace {

struct Seen {
  int major, minor;
  double kernel_s, copy_s;
  const char* source;
};

// H200s, driver 580: an empty kernel 0.54 to 0.64 us, and a copy of 4 bytes to the host, which has the way to the host
// in it, 1.41 and 1.54 us on boards alone in their host and 2.21 on two that share one. The kernel's is set at the low
// end: kernels that fill the device show 0.2 us more cost than an empty one.
constexpr std::array kSeen{Seen{9, 0, 0.5e-6, 1.5e-6, "the low end of what CUPTI saw on NVIDIA H200s, driver 580"}};

}  // namespace

record::ShortestWork shortest_work(int compute_major, int compute_minor) {
  for (const Seen& seen : kSeen) {
    if (seen.major == compute_major && seen.minor == compute_minor) return {seen.kernel_s, seen.copy_s, seen.source};
  }
  return {kSeen[0].kernel_s, kSeen[0].copy_s, "assumed, as on an NVIDIA H200"};
}

}  // namespace cupel::timing
