#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/vendor/fake_nccl.hpp"
#include "cupel/vendor/nccl.hpp"

namespace cupel::vendor {
namespace {

using testing::HasSubstr;

class NcclThatFails : public testing::Test {
 protected:
  void SetUp() override { fake::nccl() = {}; }

  static Communicator joined() { return join({}, 2, 0); }
};

TEST_F(NcclThatFails, NotAtAllIsDestroyed) {
  {
    const Communicator comm = joined();
    EXPECT_EQ(comm.async_error(), std::nullopt);
  }
  EXPECT_EQ(fake::nccl().destroyed, 1);
  EXPECT_EQ(fake::nccl().aborted, 0);
}

TEST_F(NcclThatFails, BehindOurBackSaysSoInItsOwnWordsAndIsAborted) {
  {
    const Communicator comm = joined();
    fake::nccl().async = ncclRemoteError;
    fake::nccl().last_error = "connection closed by peer";

    EXPECT_EQ(comm.async_error(), "remote process: connection closed by peer");
  }
  EXPECT_EQ(fake::nccl().destroyed, 0) << "which would wait for a peer that is gone";
  EXPECT_EQ(fake::nccl().aborted, 1);
}

TEST_F(NcclThatFails, IsNotTakenToHaveFailedWhileItGoesOn) {
  const Communicator comm = joined();
  fake::nccl().async = ncclInProgress;

  EXPECT_EQ(comm.async_error(), std::nullopt);
}

TEST_F(NcclThatFails, ToMakeACommunicatorSaysWhatWasMissing) {
  fake::nccl().init = ncclSystemError;
  for (const char* words : {"failed to extend /dev/shm/nccl-x to 9637892 bytes: No space left on device",
                            "Call to bind failed: Address already in use"}) {
    fake::nccl().last_error = words;
    try {
      joined();
      ADD_FAILURE() << "joined";
    } catch (const NcclError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("NCCL: unhandled system error: ") + words));
    }
  }
  EXPECT_EQ(fake::nccl().destroyed + fake::nccl().aborted, 0);
}

TEST_F(NcclThatFails, AndWasAbortedIsNotAskedAgain) {
  Communicator comm = joined();
  comm.abort();
  comm.abort();

  EXPECT_EQ(fake::nccl().aborted, 1);
}

}  // namespace
}  // namespace cupel::vendor
