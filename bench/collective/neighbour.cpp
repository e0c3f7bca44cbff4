#include "bench/collective/neighbour.hpp"

#include <algorithm>
#include <cmath>

#include "bench/collective/products.hpp"
#include "bench/collective/ranks.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/this_device.hpp"
#include "cupel/vendor/cublas.hpp"

namespace cupel::bench::collective {
namespace {

constexpr double kCovers = 3;
constexpr int kProducts = 4;  // 0.7 ms on an H200
constexpr int kTimes = 5;
constexpr int kMostTimes = 6;  // of the work; more would not fit behind a hold

// The first product loads cuBLAS, which must not come behind a hold.
double products_alone_s() {
  multiply(1);
  Ranks::get().wait();
  return median_held_s([] { multiply(kProducts); }, timing_products(kProducts), kTimes);
}

bool has_products() {
  try {
    vendor::require_cublas();
    return device::lacking("bf16", device::Arithmetic::bf16, timing::this_device()).empty();
  } catch (const vendor::Unavailable&) {
    return false;
  }
}

}  // namespace

HeldSampling timing_products(int products) { return {.beside = true, .calls = products, .timed = &Spans::beside_s}; }

int calls_that_cover(double timed_s, double call_s, int most) {
  return static_cast<int>(std::clamp(std::ceil(kCovers * timed_s / call_s), 1.0, static_cast<double>(most)));
}

void count_product_slowdown(const std::function<void()>& work) {
  if (!has_products()) return;
  const double alone_s = harness::memoized<products_alone_s>();
  const int times = calls_that_cover(alone_s, median_held_s(work, {}, kTimes), kMostTimes);
  const auto both = [&] {
    for (int i = 0; i < times; ++i) work();
    multiply(kProducts);
  };
  const double beside_s = median_held_s(both, timing_products(kProducts), kTimes);
  harness::set_counter("product_slowdown", {beside_s / alone_s, "1", record::Better::lower, false});
}

}  // namespace cupel::bench::collective
