#include "cupel/cuda/cuda.hpp"

#include <cstdio>
#include <cstring>

namespace cupel::cuda {

std::string place(const std::source_location& where) {
  const char* slash = std::strrchr(where.file_name(), '/');
  return std::string(slash ? slash + 1 : where.file_name()) + ":" + std::to_string(where.line());
}

namespace {

std::string describe(cudaError_t code, const std::source_location& where) {
  return std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code) + " (" + place(where) + ")";
}

bool is_refusal(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorCallRequiresNewerDriver:
      return true;
    default:
      return false;
  }
}

[[noreturn]] void throw_out_of_memory(std::size_t wanted, const std::source_location& where) {
  cudaGetLastError();  // the failed allocation is not sticky: forget it
  std::size_t free = 0;
  std::size_t total = 0;
  cudaMemGetInfo(&free, &total);
  throw OutOfMemory(wanted, free, where);
}

}  // namespace

CudaError::CudaError(cudaError_t code, const std::source_location& where)
    : std::runtime_error(describe(code, where)), code_(code) {}

bool CudaError::sticky() const {
  switch (code_) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorExternalDevice:
    case cudaErrorTensorMemoryLeak:
      return true;
    default:
      return false;
  }
}

OutOfMemory::OutOfMemory(std::size_t wanted, std::size_t free, const std::source_location& where)
    : CudaRefusal(cudaErrorMemoryAllocation, where),
      text_("out of memory: wanted " + std::to_string(wanted) + " bytes, device has " + std::to_string(free) +
            " free (" + place(where) + ")") {}

void check(cudaError_t code, const std::source_location& where) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report this one's error again
  if (is_refusal(code)) throw CudaRefusal(code, where);
  throw CudaError(code, where);
}

void check(cudaError_t code, const std::string& if_refused, const std::source_location& where) {
  if (!is_refusal(code)) return check(code, where);
  cudaGetLastError();
  throw NotSupported(if_refused + " (" + cudaGetErrorName(code) + ")");
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device));
  return device;
}

int attribute(cudaDeviceAttr which, int device, const std::source_location& where) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), where);
  return value;
}

Stream::Stream(unsigned flags, int priority) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, flags, priority));
  stream_.reset(stream);
}

void Stream::synchronize() const { check(cudaStreamSynchronize(get())); }

Event::Event(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags));
  event_.reset(event);
}

double elapsed_s(const Event& from, const Event& to) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, from, to));
  return static_cast<double>(ms) * 1e-3;
}

namespace detail {

void* allocate_device(std::size_t bytes, const std::source_location& where) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) throw_out_of_memory(bytes, where);
  check(code, where);
  return memory;
}

void* allocate_pinned(std::size_t bytes, unsigned flags, const std::source_location& where) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t code = cudaHostAlloc(&memory, bytes, flags);
  if (code == cudaErrorMemoryAllocation) throw_out_of_memory(bytes, where);
  check(code, where);
  return memory;
}

}  // namespace detail
}  // namespace cupel::cuda
