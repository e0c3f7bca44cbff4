#include "cupel/timing/quick_time.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing {
namespace {

TEST(QuickTime, TellsHowLongTheWorkTakes) {
  const double short_s = quick_time_s([](cudaStream_t s) { test::launch_spin(100'000, s); });
  const double long_s = quick_time_s([](cudaStream_t s) { test::launch_spin(1'000'000, s); });

  EXPECT_GT(short_s, 100'000 / 5e9);  // no clock is faster than 5 GHz
  EXPECT_NEAR(long_s / short_s, 10, 2.5);
}

TEST(QuickTime, PassesOnThatTheWorkWaits) {
  EXPECT_THROW(quick_time_s([](cudaStream_t s) { cuda::check(cudaStreamSynchronize(s)); }), std::runtime_error);
}

}  // namespace
}  // namespace cupel::timing
