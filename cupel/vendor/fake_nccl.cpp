#include "cupel/vendor/fake_nccl.hpp"

namespace cupel::vendor::fake {

Nccl& nccl() {
  static Nccl told;
  return told;
}

}  // namespace cupel::vendor::fake

using cupel::vendor::fake::nccl;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclSystemError   ? "unhandled system error"
         : result == ncclRemoteError ? "remote process"
                                     : "no error";
}

const char* ncclGetLastError(ncclComm_t) { return nccl().last_error.c_str(); }

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int, ncclUniqueId, int, ncclConfig_t*) {
  *comm = nccl().init == ncclSuccess ? reinterpret_cast<ncclComm_t>(&nccl()) : nullptr;
  return nccl().init;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error) {
  *error = nccl().async;
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t) {
  ++nccl().destroyed;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t) {
  ++nccl().aborted;
  return ncclSuccess;
}
}
