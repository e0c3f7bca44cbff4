// In a process of its own: after it the device is lost.
#include <gtest/gtest.h>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/gpu_instrument.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing {
namespace {

using Judgement = harness::Instrument::Judgement;

TEST(AnExceptionOutOfABenchmark, IsJudgedByWhatItLeavesOfTheDevice) {
  GpuInstrument instrument;
  ASSERT_EQ(instrument.unavailable(), "");

  EXPECT_EQ(instrument.judge(std::runtime_error("wrong result")), Judgement::failed);
  try {
    cuda::DeviceBuffer<char> buffer(std::size_t{1} << 50);
    FAIL() << "a petabyte was had";
  } catch (const std::exception& e) {
    EXPECT_EQ(instrument.judge(e), Judgement::skipped) << e.what();
  }
  EXPECT_EQ(instrument.judge(std::runtime_error("wrong result")), Judgement::failed) << "memory came back";
  EXPECT_EQ(instrument.judge(cuda::NotSupported("bf16 wants a newer device")), Judgement::skipped);
  EXPECT_EQ(instrument.judge(cuda::CudaRefusal(cudaErrorNotSupported, std::source_location::current())),
            Judgement::skipped);
  EXPECT_EQ(instrument.judge(cuda::CudaError(cudaErrorInvalidValue, std::source_location::current())),
            Judgement::failed);

  try {
    Rig::get().once(test::launch_fault, {});
    FAIL() << "a write to address 0 went through";
  } catch (const std::exception& e) {
    EXPECT_EQ(instrument.judge(e), Judgement::lost) << e.what();
  }
  EXPECT_EQ(instrument.judge(std::runtime_error("another")), Judgement::lost) << "the fault outlasts its exception";
  EXPECT_EQ(instrument.judge(cuda::NotSupported("nothing for this")), Judgement::lost) << "a fault may hide behind it";
}

}  // namespace
}  // namespace cupel::timing
