#include "cupel/vendor/nccl.hpp"

#include <cstdlib>
#include <utility>

#include "cupel/cuda/cuda.hpp"

namespace cupel::vendor {
namespace {

const Entry<decltype(ncclGetErrorString)> error_string(nccl_library, "ncclGetErrorString");
const Entry<decltype(ncclGetLastError)> last_error(nccl_library, "ncclGetLastError");

constexpr Version kNcclBuiltWith{NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH};
bool g_multicast = false;

Version loaded_nccl() {
  int code = 0;
  check(nccl::version(&code));
  return {code / 10000, code / 100 % 100, code % 100};
}

std::string nccl_text(ncclResult_t result) {
  const char* last = last_error(nullptr);
  return error_string(result) + (last != nullptr && *last != '\0' ? ": " + std::string(last) : std::string());
}

ncclConfig_t configured(const NcclChoice& choice) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  if (choice.ctas > 0) config.minCTAs = config.maxCTAs = choice.ctas;
  return config;
}

}  // namespace

void allow_multicast() { g_multicast = true; }
bool multicast_allowed() { return g_multicast; }

// NCCL reads its environment when it makes the first communicator. With NCCL_COMM_ID it would listen on a port of
// somebody's choice, which may be taken.
SharedLibrary& nccl_library() {
  static SharedLibrary library = [] {
    if (!g_multicast) setenv("NCCL_NVLS_ENABLE", "0", 1);
    unsetenv("NCCL_COMM_ID");
    return SharedLibrary("NCCL", {"libnccl.so." + std::to_string(kNcclBuiltWith.major)});
  }();
  return library;
}

template <>
std::string describe(ncclResult_t result) {
  return "NCCL: " + nccl_text(result);
}

// NCCL has no status for it: memory that ran out comes as an error of CUDA or of the system, as much else does.
template <>
const char* why_not_here(ncclResult_t) {
  return nullptr;
}

void require_nccl() { require_version("NCCL", kNcclBuiltWith, loaded_nccl(), nccl_library().file()); }

Communicator::Communicator(Communicator&& other) noexcept : comm_(std::exchange(other.comm_, nullptr)) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(comm_, other.comm_);
  return *this;
}

Communicator::~Communicator() {
  if (comm_ == nullptr) return;
  if (async_error()) {
    abort();
  } else {
    nccl::destroy(comm_);
  }
}

std::optional<std::string> Communicator::async_error() const {
  ncclResult_t error = ncclSuccess;
  const ncclResult_t asked = nccl::async_error(comm_, &error);
  const ncclResult_t worse = asked != ncclSuccess ? asked : error;
  if (worse == ncclSuccess || worse == ncclInProgress) return std::nullopt;
  return nccl_text(worse);
}

void Communicator::abort() noexcept {
  if (comm_ != nullptr) nccl::abort(std::exchange(comm_, nullptr));
}

Communicator join(const ncclUniqueId& id, int ranks, int rank, const NcclChoice& choice) {
  require_nccl();
  ncclConfig_t config = configured(choice);
  ncclComm_t comm = nullptr;
  check(nccl::init_rank(&comm, ranks, id, rank, &config));
  return Communicator(comm);
}

std::vector<Communicator> communicators(std::span<const int> devices, const NcclChoice& choice) {
  require_nccl();
  ncclUniqueId id{};
  check(nccl::unique_id(&id));
  const int before = cuda::current_device();
  std::vector<ncclComm_t> made(devices.size(), nullptr);
  std::vector<ncclConfig_t> configs(devices.size(), configured(choice));
  NcclGroup group;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    cuda::check(cudaSetDevice(devices[rank]));
    check(nccl::init_rank(&made[rank], static_cast<int>(devices.size()), id, static_cast<int>(rank), &configs[rank]));
  }
  group.close();
  cuda::check(cudaSetDevice(before));
  return {made.begin(), made.end()};
}

}  // namespace cupel::vendor
