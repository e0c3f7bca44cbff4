// An NCCL that fails as it is told to, in the place of NCCL's library: for tests without GPUs.
#pragma once

#include <nccl.h>

#include <string>

namespace cupel::vendor::fake {

struct Nccl {
  ncclResult_t init = ncclSuccess;   ///< what making a communicator gives
  ncclResult_t async = ncclSuccess;  ///< what went wrong since
  std::string last_error;            ///< its own words
  int destroyed = 0, aborted = 0;    ///< communicators
};

/// The fake library of this process: what it has been told, and has seen.
Nccl& nccl();

}  // namespace cupel::vendor::fake
