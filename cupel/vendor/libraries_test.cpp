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

// cuDNN loads these from inside, where neither this program's search path nor the wheel's counts: those that are loaded
// already are taken.
TEST(Cudnn, HasWhatItsEnginesLoadFromWhereThisProgramLooks) {
  require_cudnn();

  for (const char* base : {"libcublasLt.so.", "libnvrtc.so."}) {
    const std::string soname = base + std::to_string(CUDART_VERSION / 1000);
    EXPECT_NO_THROW(SharedLibrary(soname, {soname}, SharedLibrary::Loading::resident).handle());
  }
}

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

// Whether the exception that check() throws of a status says that the call cannot be carried out here.
template <class Status>
bool is_refused(Status status) {
  try {
    check(status);
  } catch (const CallError<Status>& error) {
    EXPECT_EQ(error.status(), status);
    return host::cannot_run(error);
  }
  ADD_FAILURE() << "did not throw";
  return false;
}

TEST(AStatusOfCublas, CannotBeRunHereWhereItIsNotSupportedOrMemoryRanOut) {
  for (const cublasStatus_t status :
       {CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_ALLOC_FAILED})
    EXPECT_TRUE(is_refused(status)) << status;
  for (const cublasStatus_t status :
       {CUBLAS_STATUS_INVALID_VALUE, CUBLAS_STATUS_EXECUTION_FAILED, CUBLAS_STATUS_INTERNAL_ERROR})
    EXPECT_FALSE(is_refused(status)) << status;
}

TEST(AStatusOfCudnn, CannotBeRunHereWhereItIsNotSupportedOrMemoryRanOut) {
  for (const cudnnStatus_t status :
       {CUDNN_STATUS_NOT_SUPPORTED, CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH, CUDNN_STATUS_NOT_SUPPORTED_SHAPE,
        CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED})
    EXPECT_TRUE(is_refused(status)) << status;
  for (const cudnnStatus_t status :
       {CUDNN_STATUS_BAD_PARAM, CUDNN_STATUS_EXECUTION_FAILED, CUDNN_STATUS_INTERNAL_ERROR})
    EXPECT_FALSE(is_refused(status)) << status;
}

TEST(AStatusOfNvjpeg, CannotBeRunHereWhereTheGpuLacksItOrMemoryRanOut) {
  for (const nvjpegStatus_t status :
       {NVJPEG_STATUS_ARCH_MISMATCH, NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED, NVJPEG_STATUS_ALLOCATOR_FAILURE})
    EXPECT_TRUE(is_refused(status)) << status;
  for (const nvjpegStatus_t status :
       {NVJPEG_STATUS_BAD_JPEG, NVJPEG_STATUS_EXECUTION_FAILED, NVJPEG_STATUS_INTERNAL_ERROR})
    EXPECT_FALSE(is_refused(status)) << status;
}

TEST(AnErrorOfCuda, CannotBeRunHereWhereTheDeviceLacksItOrMemoryRanOut) {
  const auto refused = [](cudaError_t code) {
    try {
      cuda::check(code);
    } catch (const cuda::CudaError& error) {
      EXPECT_EQ(error.code(), code);
      return host::cannot_run(error);
    }
    ADD_FAILURE() << "did not throw";
    return false;
  };
  for (const cudaError_t code : {cudaErrorMemoryAllocation, cudaErrorNotSupported, cudaErrorNoKernelImageForDevice,
                                 cudaErrorUnsupportedPtxVersion, cudaErrorCallRequiresNewerDriver})
    EXPECT_TRUE(refused(code)) << cudaGetErrorName(code);
  for (const cudaError_t code : {cudaErrorInvalidValue, cudaErrorIllegalAddress, cudaErrorLaunchOutOfResources})
    EXPECT_FALSE(refused(code)) << cudaGetErrorName(code);
}

TEST(AnErrorOfCuda, IsToldInTheCallersWordsWhereItCannotBeRunHereAlone) {
  EXPECT_NO_THROW(cuda::check(cudaSuccess, "no batched copy"));
  EXPECT_THROW(cuda::check(cudaErrorInvalidValue, "no batched copy"), cuda::CudaError);
  try {
    cuda::check(cudaErrorNotSupported, "no batched copy");
    FAIL() << "did not throw";
  } catch (const cuda::NotSupported& error) {
    EXPECT_STREQ(error.what(), "no batched copy (cudaErrorNotSupported)");
  }
}

TEST(ACallThatIsRefused, SaysWhyItCannotBeRunHere) {
  try {
    check(CUBLAS_STATUS_ALLOC_FAILED);
    FAIL() << "did not throw";
  } catch (const CublasError& error) {
    EXPECT_EQ(std::string(error.what()).find("out of memory inside the library: CUBLAS_STATUS_ALLOC_FAILED"), 0u)
        << error.what();
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
