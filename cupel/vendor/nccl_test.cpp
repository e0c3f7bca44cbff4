#include "cupel/vendor/nccl.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace cupel::vendor {
namespace {

TEST(Nccl, IsToldNotToUseMulticastNorAPortThatMayBeTakenWhateverTheEnvironmentSays) {
  setenv("NCCL_NVLS_ENABLE", "1", 1);
  setenv("NCCL_COMM_ID", "127.0.0.1:22", 1);

  nccl_library();

  EXPECT_EQ(std::getenv("NCCL_COMM_ID"), nullptr);
  EXPECT_STREQ(std::getenv("NCCL_NVLS_ENABLE"), "0");
  EXPECT_FALSE(multicast_allowed());
}

// Where it is not installed, the reason says what was wanted; where it is, it is no older than the header.
TEST(Nccl, IsThereOrSaysThatItIsNot) {
  try {
    require_nccl();
    EXPECT_FALSE(nccl_library().file().empty());
  } catch (const Unavailable& missing) {
    EXPECT_NE(std::string(missing.what()).find("NCCL"), std::string::npos) << missing.what();
  }
}

TEST(AStatusOfNccl, NeverSaysThatACallCannotBeRunHere) {
  for (const ncclResult_t result : {ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument,
                                    ncclInvalidUsage, ncclRemoteError})
    EXPECT_EQ(why_not_here(result), nullptr) << result;
}

TEST(NcclError, SaysWhatNcclSaysOfIt) {
  try {
    nccl_library().handle();
  } catch (const Unavailable& missing) {
    GTEST_SKIP() << missing.what();
  }

  const NcclError error(ncclInvalidArgument, std::source_location::current());

  EXPECT_NE(std::string(error.what()).find("NCCL: invalid argument"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("nccl_test.cpp"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace cupel::vendor
