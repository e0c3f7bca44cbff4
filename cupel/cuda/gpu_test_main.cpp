// main() of every test with the label gpu. Without a usable device the test is reported as not run (77), with the
// reason; with CUPEL_REQUIRE_GPU=1 that is a failure.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code == cudaSuccess && devices > 0) return RUN_ALL_TESTS();

  int driver = 0;
  cudaDriverGetVersion(&driver);
  const char* reason = driver == 0 ? "no NVIDIA driver" : devices == 0 ? "no device" : cudaGetErrorString(code);
  const char* require = std::getenv("CUPEL_REQUIRE_GPU");
  const bool required = require != nullptr && std::strcmp(require, "1") == 0;
  std::printf("%s: %s\n", required ? "FAILED, CUPEL_REQUIRE_GPU=1" : "not run", reason);
  return required ? 1 : 77;
}
