#include "cupel/cuda/cuda.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cupel/cuda/graph.hpp"
#include "cupel/cuda/memory_pool.hpp"

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

TEST(Captured, HappensAtEachCallAndNotBefore) {
  const std::vector<int> zeros(100, 0), ones(100, 0x01010101);
  DeviceBuffer<int> buffer{std::span<const int>(zeros)};
  const Stream stream;

  const auto fill =
      captured([&](cudaStream_t on) { check(cudaMemsetAsync(buffer.data(), 1, buffer.size_bytes(), on)); });
  EXPECT_EQ(buffer.to_host(), zeros);
  for (int call = 0; call < 2; ++call) {
    buffer.from_host(zeros);
    fill(stream);
    stream.synchronize();
    EXPECT_EQ(buffer.to_host(), ones);
  }
}

TEST(MemoryPool, HoldsWhatIsFreedUntilItIsTrimmed) {
  const MemoryPool pool(Keep::everything);
  const Stream stream;

  void* block = pool.allocate(1 << 20, stream);
  check(cudaFreeAsync(block, stream));
  stream.synchronize();
  EXPECT_GE(pool.reserved_bytes(), 1 << 20);
  EXPECT_EQ(pool.used_bytes(), 0);
  pool.trim();

  EXPECT_EQ(pool.reserved_bytes(), 0);
}

}  // namespace
}  // namespace cupel::cuda
