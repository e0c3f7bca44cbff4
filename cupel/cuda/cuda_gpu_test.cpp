#include "cupel/cuda/cuda.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace cupel::cuda {
namespace {

TEST(DeviceBuffer, GivesBackWhatItWasGiven) {
  std::vector<int> values(1031);
  std::iota(values.begin(), values.end(), -7);

  const DeviceBuffer<int> buffer{std::span<const int>(values)};

  EXPECT_EQ(buffer.to_host(), values);
}

TEST(DeviceBuffer, OfNothingIsLegal) {
  const DeviceBuffer<float> buffer(0);

  EXPECT_EQ(buffer.size_bytes(), 0u);
  EXPECT_TRUE(buffer.to_host().empty());
}

TEST(DeviceBuffer, LargerThanTheDeviceSaysWhatWasWantedAndFree) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));

  try {
    DeviceBuffer<char> buffer(2 * total);
    FAIL() << "allocated twice the device's memory";
  } catch (const OutOfMemory& e) {
    EXPECT_NE(std::string(e.what()).find(std::to_string(2 * total)), std::string::npos) << e.what();
    EXPECT_FALSE(e.sticky());
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_NO_THROW(DeviceBuffer<char>(1));
}

TEST(Check, NamesTheErrorAndThePlace) {
  try {
    check(cudaSetDevice(100000));
    FAIL();
  } catch (const CudaError& e) {
    EXPECT_EQ(e.code(), cudaErrorInvalidDevice);
    EXPECT_NE(std::string(e.what()).find("cuda_gpu_test.cpp:"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace cupel::cuda
