// The libraries this was built with, as they are found at run time; without a device.
#include <gtest/gtest.h>

#include <string>

#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"

namespace cupel::vendor {
namespace {

TEST(Cublas, ThatThisWasBuiltWithIsFound) { EXPECT_NO_THROW(require_cublas()); }

TEST(Cudnn, ThatThisWasBuiltWithIsFound) { EXPECT_NO_THROW(require_cudnn()); }

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

}  // namespace
}  // namespace cupel::vendor
