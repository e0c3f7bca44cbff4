// main() of every test with the label gpu. Without a usable device the test is reported as not run (77), with the
// reason; with CUPEL_REQUIRE_GPU=1 that is a failure. One whose cases were all skipped, as those of several GPUs where
// there is one, is reported as not run too.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kNotRun = 77;  // ctest's SKIP_RETURN_CODE

int run() {
  const int status = RUN_ALL_TESTS();
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  const bool none = all.skipped_test_count() > 0 && all.skipped_test_count() == all.test_to_run_count();
  return status == 0 && none ? kNotRun : status;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code == cudaSuccess && devices > 0) return run();

  int driver = 0;
  cudaDriverGetVersion(&driver);
  const char* reason = driver == 0 ? "no NVIDIA driver" : devices == 0 ? "no device" : cudaGetErrorString(code);
  const char* require = std::getenv("CUPEL_REQUIRE_GPU");
  const bool required = require != nullptr && std::strcmp(require, "1") == 0;
  std::printf("%s: %s\n", required ? "FAILED, CUPEL_REQUIRE_GPU=1" : "not run", reason);
  return required ? 1 : kNotRun;
}
