// Runs in a process of its own: after it the device is lost.
#include <gtest/gtest.h>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/gpu_instrument.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing {
namespace {

TEST(AnExceptionOutOfABenchmark, IsJudgedByWhatItLeavesOfTheDevice) {
  GpuInstrument instrument;
  ASSERT_EQ(instrument.unavailable(), "");

  EXPECT_FALSE(instrument.lost(std::runtime_error("wrong result")));
  try {
    cuda::DeviceBuffer<char> buffer(std::size_t{1} << 50);
    FAIL() << "a petabyte was had";
  } catch (const std::exception& e) {
    EXPECT_TRUE(host::cannot_run(e)) << e.what();
    EXPECT_FALSE(instrument.lost(e)) << e.what();
  }
  EXPECT_FALSE(instrument.lost(std::runtime_error("wrong result"))) << "memory came back";
  EXPECT_FALSE(instrument.lost(cuda::NotSupported("bf16 wants a newer device")));
  EXPECT_FALSE(instrument.lost(cuda::CudaError(cudaErrorInvalidValue, std::source_location::current())));

  try {
    Rig::get().once(test::launch_fault, {});
    FAIL() << "a write to address 0 went through";
  } catch (const std::exception& e) {
    EXPECT_TRUE(instrument.lost(e)) << e.what();
  }
  EXPECT_TRUE(instrument.lost(std::runtime_error("another"))) << "the fault outlasts its exception";
  EXPECT_TRUE(instrument.lost(cuda::NotSupported("nothing for this"))) << "a fault may hide behind it";
}

}  // namespace
}  // namespace cupel::timing
