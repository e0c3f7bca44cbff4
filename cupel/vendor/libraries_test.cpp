// The libraries this was built with, as they are found at run time; without a device.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/nvjpeg.hpp"

namespace cupel::vendor {
namespace {

TEST(Cublas, ThatThisWasBuiltWithIsFound) { EXPECT_NO_THROW(require_cublas()); }

TEST(Cudnn, ThatThisWasBuiltWithIsFound) { EXPECT_NO_THROW(require_cudnn()); }

TEST(Nvjpeg, ThatThisWasBuiltWithIsFound) { EXPECT_NO_THROW(require_nvjpeg()); }

TEST(NvjpegError, SaysWhatHappenedAndWhere) {
  try {
    check(NVJPEG_STATUS_BAD_JPEG);
    FAIL() << "did not throw";
  } catch (const NvjpegError& error) {
    EXPECT_EQ(error.status(), NVJPEG_STATUS_BAD_JPEG);
    EXPECT_NE(std::string(error.what()).find("not a JPEG image"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("libraries_test.cpp:"), std::string::npos) << error.what();
  }
}

TEST(CublasError, SaysWhatHappenedAndWhere) {
  try {
    check(CUBLAS_STATUS_NOT_SUPPORTED);
    FAIL() << "did not throw";
  } catch (const CublasError& error) {
    EXPECT_EQ(error.status(), CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT_NE(std::string(error.what()).find("CUBLAS_STATUS_NOT_SUPPORTED"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("libraries_test.cpp:"), std::string::npos) << error.what();
  }
}

TEST(CudnnError, SaysWhatHappenedAndWhere) {
  try {
    check(CUDNN_STATUS_NOT_SUPPORTED);
    FAIL() << "did not throw";
  } catch (const CudnnError& error) {
    EXPECT_NE(std::string(error.what()).find("CUDNN_STATUS_NOT_SUPPORTED"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("libraries_test.cpp:"), std::string::npos) << error.what();
  }
}

TEST(CudnnTensor, IsPackedInItsFormat) {
  static const Entry<decltype(cudnnGetTensor4dDescriptor)> get(cudnn_library, "cudnnGetTensor4dDescriptor");
  const auto steps_of = [](const CudnnTensor& tensor) {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::array<int, 4> sizes{}, steps{};
    check(get(tensor.get(), &type, &sizes[0], &sizes[1], &sizes[2], &sizes[3], &steps[0], &steps[1], &steps[2],
              &steps[3]));
    EXPECT_EQ(type, CUDNN_DATA_HALF);
    EXPECT_EQ(sizes, (std::array{2, 3, 4, 5}));
    return steps;
  };

  EXPECT_EQ(steps_of(CudnnTensor(CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 2, 3, 4, 5)), (std::array{60, 20, 5, 1}));
  EXPECT_EQ(steps_of(CudnnTensor(CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2, 3, 4, 5)), (std::array{60, 1, 15, 3}));
}

TEST(CudnnTensor, OfNoRowsIsRefused) {
  EXPECT_THROW(CudnnTensor(CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 0, 3, 4, 5), CudnnError);
}

}  // namespace
}  // namespace cupel::vendor
