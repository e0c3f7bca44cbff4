// NCCL, loaded when first used, with its errors as exceptions and its communicators owned.
#pragma once

#include <nccl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

/// Lets NCCL use NVLink multicast (NVLS). Without it NCCL is told not to, by NCCL_NVLS_ENABLE=0, whatever the
/// environment says: on shared hosts a fault of it takes GPUs out of service. To be called before anything of NCCL is.
void allow_multicast();
bool multicast_allowed();

SharedLibrary& nccl_library();

/// Throws Unavailable unless NCCL is there, as new as the header this was built with.
void require_nccl();

template <>
std::string describe(ncclResult_t result);
template <>
const char* why_not_here(ncclResult_t result);
using NcclError = CallError<ncclResult_t>;

/// A call that does not block may only have begun.
template <>
inline bool succeeded(ncclResult_t result) {
  return result == ncclSuccess || result == ncclInProgress;
}

namespace nccl {
inline const Entry<decltype(ncclGetVersion)> version(nccl_library, "ncclGetVersion");
inline const Entry<decltype(ncclGetUniqueId)> unique_id(nccl_library, "ncclGetUniqueId");
inline const Entry<decltype(ncclCommInitRankConfig)> init_rank(nccl_library, "ncclCommInitRankConfig");
inline const Entry<decltype(ncclCommDestroy)> destroy(nccl_library, "ncclCommDestroy");
inline const Entry<decltype(ncclCommAbort)> abort(nccl_library, "ncclCommAbort");
inline const Entry<decltype(ncclCommGetAsyncError)> async_error(nccl_library, "ncclCommGetAsyncError");
inline const Entry<decltype(ncclGroupStart)> group_start(nccl_library, "ncclGroupStart");
inline const Entry<decltype(ncclGroupEnd)> group_end(nccl_library, "ncclGroupEnd");
inline const Entry<decltype(ncclAllReduce)> all_reduce(nccl_library, "ncclAllReduce");
inline const Entry<decltype(ncclReduceScatter)> reduce_scatter(nccl_library, "ncclReduceScatter");
inline const Entry<decltype(ncclAllGather)> all_gather(nccl_library, "ncclAllGather");
inline const Entry<decltype(ncclBroadcast)> broadcast(nccl_library, "ncclBroadcast");
inline const Entry<decltype(ncclReduce)> reduce(nccl_library, "ncclReduce");
inline const Entry<decltype(ncclSend)> send(nccl_library, "ncclSend");
inline const Entry<decltype(ncclRecv)> receive(nccl_library, "ncclRecv");
inline const Entry<decltype(ncclMemAlloc)> allocate(nccl_library, "ncclMemAlloc");
inline const Entry<decltype(ncclMemFree)> free(nccl_library, "ncclMemFree");
inline const Entry<decltype(ncclCommRegister)> enrol(nccl_library, "ncclCommRegister");
inline const Entry<decltype(ncclCommDeregister)> withdraw(nccl_library, "ncclCommDeregister");
}  // namespace nccl

/// Between construction and close(), calls of NCCL by one thread for several ranks are one operation. What throws in
/// between leaves the group closed, too.
class NcclGroup {
 public:
  NcclGroup() { check(nccl::group_start()); }
  ~NcclGroup() {
    if (open_) nccl::group_end();
  }
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  /// Throws NcclError.
  void close() {
    open_ = false;
    check(nccl::group_end());
  }

 private:
  bool open_ = true;
};

/// One rank's end of a communicator. Destroyed where nothing went wrong, else aborted, which ends what still runs.
class Communicator {
 public:
  Communicator() = default;
  explicit Communicator(ncclComm_t comm) : comm_(comm) {}
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;
  ~Communicator();

  ncclComm_t get() const { return comm_; }

  /// Nothing, or what went wrong since.
  std::optional<std::string> async_error() const;
  /// Ends what runs; the communicator is gone then.
  void abort() noexcept;

 private:
  ncclComm_t comm_ = nullptr;
};

/// How many blocks of threads NCCL takes for itself: 0 for as many as it likes.
struct NcclChoice {
  int ctas = 0;
  auto operator<=>(const NcclChoice&) const = default;
};

/// This rank's end. The device is the current one. Waits until all ranks have come. Throws NcclError, Unavailable.
Communicator join(const ncclUniqueId& id, int ranks, int rank, const NcclChoice& choice = {});

/// One communicator of this process alone: rank r is devices[r]. The current device is as before. Throws NcclError,
/// Unavailable.
std::vector<Communicator> communicators(std::span<const int> devices, const NcclChoice& choice = {});

}  // namespace cupel::vendor
