// The emulated CUDA runtime: the device and its properties, errors, versions.
//
// A small device of Hopper's kind. It must be told from a real one at sight: its name says what it is, and its rates
// are those of nothing.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/emulator/launch.hpp"
#include "tests/emulator/memory.hpp"
#include "tests/emulator/runtime.hpp"

namespace cupel::emulator {
namespace {

constexpr int kMultiprocessors = 4;
constexpr int kL2Bytes = 1 << 20;
constexpr int kClock_khz = 1'500'000;
constexpr int kMemoryClock_khz = 1'000'000;
constexpr int kMemoryBus_bits = 64;
constexpr int kShared_bytes = 228 * 1024, kSharedOfBlock_bytes = 48 * 1024, kSharedReserved_bytes = 1024;
constexpr int kPciDomain = 0xE, kPciBus = 0xE0, kPciDevice = 0;  // no machine has it
constexpr int kDriver = CUDART_VERSION;

thread_local cudaError_t g_last = cudaSuccess;
std::atomic<unsigned> g_flags = cudaDeviceScheduleAuto;

// Of a multiprocessor. Smaller devices keep less of a row there.
int shared_bytes() {
  const char* kib = std::getenv("CUPEL_EMULATOR_SHARED_KIB");
  return kib != nullptr ? 1024 * std::atoi(kib) : kShared_bytes;
}

// What cudaFuncSetAttribute allowed.
std::map<const void*, std::size_t>& shared_of_kernels() {
  static auto& bytes = *new std::map<const void*, std::size_t>;
  return bytes;
}
std::mutex g_shared_mutex;

int attribute(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrMultiProcessorCount:
      return kMultiprocessors;
    case cudaDevAttrL2CacheSize:
      return kL2Bytes;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return kL2Bytes / 2;
    case cudaDevAttrClockRate:
      return kClock_khz;
    case cudaDevAttrMemoryClockRate:
      return kMemoryClock_khz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return kMemoryBus_bits;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return shared_bytes();
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return kSharedReserved_bytes;
    case cudaDevAttrAsyncEngineCount:
      return 2;
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrCooperativeLaunch:
      return 0;
    case cudaDevAttrHostNumaId:
      return -1;
    case cudaDevAttrComputeMode:
      return cudaComputeModeDefault;
    case cudaDevAttrComputeCapabilityMajor:
      return 9;
    case cudaDevAttrComputeCapabilityMinor:
      return 0;
    case cudaDevAttrMaxThreadsPerBlock:
      return 1024;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrHostRegisterSupported:
      return 1;
    default:
      std::fprintf(stderr, "emulated device: attribute %d is asked for, which it does not know; 0 is the answer\n",
                   static_cast<int>(which));
      return 0;
  }
}

cudaDeviceProp properties() {
  cudaDeviceProp properties{};
  std::strcpy(properties.name, "emulated device");
  std::memset(properties.uuid.bytes, 0xE0, sizeof(properties.uuid.bytes));
  properties.totalGlobalMem = kDeviceBytes;
  properties.major = 9;
  properties.minor = 0;
  properties.multiProcessorCount = kMultiprocessors;
  properties.l2CacheSize = kL2Bytes;
  properties.persistingL2CacheMaxSize = kL2Bytes / 2;
  properties.warpSize = 32;
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsPerMultiProcessor = 2048;
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(shared_bytes());
  properties.sharedMemPerBlock = kSharedOfBlock_bytes;
  properties.memoryBusWidth = kMemoryBus_bits;
  properties.asyncEngineCount = 2;
  properties.pciDomainID = kPciDomain;
  properties.pciBusID = kPciBus;
  properties.pciDeviceID = kPciDevice;
  properties.canMapHostMemory = 1;
  properties.unifiedAddressing = 1;
  properties.managedMemory = 1;
  properties.concurrentManagedAccess = 1;
  properties.memoryPoolsSupported = 1;
  return properties;
}

}  // namespace

std::size_t shared_bytes_allowed(const void* handle) {
  const std::lock_guard lock(g_shared_mutex);
  const auto found = shared_of_kernels().find(handle);
  return std::max<std::size_t>(kSharedOfBlock_bytes, found != shared_of_kernels().end() ? found->second : 0);
}

cudaError_t answer(cudaError_t code) {
  if (device_lost()) code = cudaErrorIllegalAddress;
  if (code != cudaSuccess) g_last = code;
  return code;
}

}  // namespace cupel::emulator

using namespace cupel::emulator;

cudaError_t cudaGetLastError() {
  const cudaError_t code = answer(cudaSuccess) == cudaSuccess ? g_last : cudaErrorIllegalAddress;
  g_last = cudaSuccess;
  return code;
}

cudaError_t cudaPeekAtLastError() { return answer(cudaSuccess) == cudaSuccess ? g_last : cudaErrorIllegalAddress; }

const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated:
      return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorHostMemoryAlreadyRegistered:
      return "cudaErrorHostMemoryAlreadyRegistered";
    case cudaErrorHostMemoryNotRegistered:
      return "cudaErrorHostMemoryNotRegistered";
    default:
      return "an error that the emulated device does not give";
  }
}

const char* cudaGetErrorString(cudaError_t code) { return code == cudaSuccess ? "no error" : "by the emulated device"; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return answer(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) { return answer(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  g_flags = flags;
  return answer(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = g_flags | cudaDeviceMapHost;
  return answer(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = kDriver;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  if (device != 0) return answer(cudaErrorInvalidDevice);
  *value = attribute(which);
  return answer(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* wanted, int device) {
  if (device != 0) return answer(cudaErrorInvalidDevice);
  *wanted = properties();
  return answer(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (device != 0) return answer(cudaErrorInvalidDevice);
  std::snprintf(text, static_cast<std::size_t>(length), "%04x:%02x:%02x.0", kPciDomain, kPciBus, kPciDevice);
  return answer(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  wait_for_all();
  trim_pools();
  return answer(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() { return answer(cudaSuccess); }

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return answer(cudaErrorNotSupported);
  if (value < 0 || value > shared_bytes() - kSharedReserved_bytes) return answer(cudaErrorInvalidValue);
  const std::lock_guard lock(g_shared_mutex);
  shared_of_kernels()[kernel] = static_cast<std::size_t>(value);
  return answer(cudaSuccess);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->binaryVersion = 90;
  attributes->ptxVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  return answer(cudaSuccess);
}
