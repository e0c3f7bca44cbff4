// The emulated CUDA runtime: memory, copies, and the driver's functions that map memory page by page.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/emulator/memory.hpp"
#include "tests/emulator/runtime.hpp"

namespace cupel::emulator {
namespace {

// Beyond, a copy from pageable memory does not return before it is done (CUDA runtime API, "API synchronization
// behavior").
constexpr std::size_t kStagedBytes = 64 << 10;

bool on_device(const Range& range) { return range.kind == Kind::device || range.kind == Kind::managed; }
bool pageable(const Range& range) { return range.kind == Kind::pageable; }

bool fits(cudaMemcpyKind kind, const Range& to, const Range& from) {
  if (!to.whole || !from.whole) return false;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return !pageable(to) && from.kind != Kind::device;
    case cudaMemcpyDeviceToHost:
      return to.kind != Kind::device && !pageable(from);
    case cudaMemcpyDeviceToDevice:
      return !pageable(to) && !pageable(from);
    case cudaMemcpyHostToHost:
      return to.kind != Kind::device && from.kind != Kind::device;
    default:
      return true;
  }
}

// What the device does when it comes to it: by then the memory may be gone.
void copy_now(void* to, const void* from, std::size_t bytes) {
  for (const void* p : {static_cast<const void*>(to), from}) {
    if (range_at(p, bytes).whole) continue;
    std::fprintf(stderr, "emulated device: a copy of %zu bytes touches %p: %s\n", bytes, p,
                 describe_address(p).c_str());
    lose_device();
    return;
  }
  std::memmove(to, from, bytes);
}

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};

cudaError_t refuse(const Copy& copy) {
  std::fprintf(stderr, "emulated device: refuses a copy of %zu bytes: from %s, to %s\n", copy.bytes,
               describe_address(copy.from).c_str(), describe_address(copy.to).c_str());
  return cudaErrorInvalidValue;
}

cudaError_t copy_async(const Copy& copy, cudaMemcpyKind kind, cudaStream_t stream, Ticket* ticket) {
  if (copy.bytes == 0) return cudaSuccess;
  const Range to = range_at(copy.to, copy.bytes), from = range_at(copy.from, copy.bytes);
  if (!fits(kind, to, from)) return refuse(copy);
  if (pageable(from) && copy.bytes <= kStagedBytes) {
    const auto* bytes = static_cast<const char*>(copy.from);
    auto staged = std::make_shared<std::vector<char>>(bytes, bytes + copy.bytes);
    return submit(
        stream, [staged, copy] { copy_now(copy.to, staged->data(), copy.bytes); }, ticket);
  }
  Ticket mine;
  const cudaError_t code = submit(
      stream, [copy] { copy_now(copy.to, copy.from, copy.bytes); }, &mine);
  if ((pageable(from) || pageable(to)) && mine.stream) mine.wait();
  if (ticket != nullptr) *ticket = mine;
  return code;
}

cudaError_t set_async(void* to, int value, std::size_t bytes, cudaStream_t stream, Ticket* ticket = nullptr) {
  if (bytes == 0) return cudaSuccess;
  const Range range = range_at(to, bytes);
  if (!range.whole || pageable(range)) {
    std::fprintf(stderr, "emulated device: refuses to set %zu bytes at %s\n", bytes, describe_address(to).c_str());
    return cudaErrorInvalidValue;
  }
  return submit(
      stream,
      [=] {
        if (range_at(to, bytes).whole) std::memset(to, value, bytes);
      },
      ticket);
}

cudaError_t allocate_for(void** p, std::size_t bytes, Kind kind) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  if (device_lost()) return answer(cudaSuccess);
  *p = nullptr;
  if (bytes == 0) return answer(cudaSuccess);
  *p = allocate(kind, bytes);
  return answer(*p == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

}  // namespace
}  // namespace cupel::emulator

using namespace cupel::emulator;

cudaError_t cudaMalloc(void** p, std::size_t bytes) { return allocate_for(p, bytes, Kind::device); }

cudaError_t cudaMallocManaged(void** p, std::size_t bytes, unsigned) { return allocate_for(p, bytes, Kind::managed); }

cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) { return allocate_for(p, bytes, Kind::pinned); }

cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return allocate_for(p, bytes, Kind::pinned); }

// Both wait for the device, whatever it does.
cudaError_t cudaFree(void* p) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  if (p == nullptr) return answer(cudaSuccess);
  wait_for_all();
  const bool known = release(p, Kind::device) || release(p, Kind::managed);
  return answer(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void* p) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  if (p == nullptr) return answer(cudaSuccess);
  wait_for_all();
  return answer(release(p, Kind::pinned) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned) {
  if (p == nullptr || bytes == 0) return answer(cudaErrorInvalidValue);
  return answer(remember_registered(p, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* p) {
  wait_for_all();
  return answer(forget_registered(p) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  const Range range = range_at(host, 1);
  *device = host;
  return answer(range.kind == Kind::pinned || range.kind == Kind::registered ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  *attributes = {};
  const Range range = range_at(p, 1);
  switch (range.kind) {
    case Kind::device:
      attributes->type = cudaMemoryTypeDevice;
      break;
    case Kind::managed:
      attributes->type = cudaMemoryTypeManaged;
      break;
    case Kind::pinned:
    case Kind::registered:
      attributes->type = cudaMemoryTypeHost;
      break;
    case Kind::pageable:
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = -2;
      return answer(cudaSuccess);
  }
  attributes->devicePointer = const_cast<void*>(p);
  if (range.kind != Kind::device) attributes->hostPointer = const_cast<void*>(p);
  return answer(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = device_bytes_free();
  *total = kDeviceBytes;
  return answer(cudaSuccess);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return answer(copy_async({to, from, bytes}, kind, stream, nullptr));
}

// On the legacy stream. Waits, but for what may return early: a small copy from pageable memory, one inside the device.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  Ticket ticket;
  const cudaError_t code = copy_async({to, from, bytes}, kind, nullptr, &ticket);
  const Range source = range_at(from, bytes), target = range_at(to, bytes);
  const bool staged = pageable(source) && bytes <= kStagedBytes, inside = on_device(source) && on_device(target);
  if (ticket.stream && !staged && !inside) ticket.wait();
  return answer(code);
}

// Waits as cudaMemcpy() does, for a small copy from pageable memory, too.
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  if (width > to_pitch || width > from_pitch) return answer(cudaErrorInvalidPitchValue);
  if (width == 0 || height == 0) return answer(cudaSuccess);
  const Range source = range_at(from, (height - 1) * from_pitch + width);
  const Range target = range_at(to, (height - 1) * to_pitch + width);
  if (!fits(kind, target, source)) return answer(refuse({to, from, width * height}));
  Ticket ticket;
  const cudaError_t code = submit(
      nullptr,
      [=] {
        for (std::size_t row = 0; row < height && !device_lost(); ++row) {
          copy_now(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
        }
      },
      &ticket);
  if (ticket.stream && !(on_device(source) && on_device(target))) ticket.wait();
  return answer(code);
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes, std::size_t count,
                                 cudaMemcpyAttributes*, std::size_t*, std::size_t attributes, cudaStream_t stream) {
  if (attributes == 0 || count == 0 || stream == nullptr || stream == cudaStreamLegacy) {
    return answer(cudaErrorInvalidValue);
  }
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < count; ++i) {
    copies.push_back({to[i], from[i], bytes[i]});
    if (bytes[i] == 0 || !fits(cudaMemcpyDefault, range_at(to[i], bytes[i]), range_at(from[i], bytes[i]))) {
      return answer(cudaErrorInvalidValue);
    }
  }
  return answer(submit(stream, [copies] {
    for (const Copy& copy : copies) copy_now(copy.to, copy.from, copy.bytes);
  }));
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return answer(set_async(to, value, bytes, stream));
}

// Waits only where the memory is the host's.
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (const cudaError_t code = refuse_in_capture(); code != cudaSuccess) return answer(code);
  Ticket ticket;
  const cudaError_t code = set_async(to, value, bytes, nullptr, &ticket);
  if (ticket.stream && !on_device(range_at(to, bytes))) ticket.wait();
  return answer(code);
}

cudaError_t cudaMemPrefetchAsync(const void* p, std::size_t bytes, cudaMemLocation, unsigned, cudaStream_t stream) {
  const Range range = range_at(p, bytes);
  if (range.kind != Kind::managed || !range.whole) return answer(cudaErrorInvalidValue);
  return answer(submit(stream, [] {}));
}

// A symbol is a variable of the program, which range_at() takes for pageable memory.
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind) {
  char* to = static_cast<char*>(const_cast<void*>(symbol)) + offset;
  const auto* source = static_cast<const char*>(from);
  auto staged = std::make_shared<std::vector<char>>(source, source + bytes);
  return answer(submit(nullptr, [=] { std::memcpy(to, staged->data(), bytes); }));
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
  Ticket ticket;
  const char* from = static_cast<const char*>(symbol) + offset;
  const cudaError_t code = submit(
      nullptr, [=] { std::memcpy(to, from, bytes); }, &ticket);
  if (ticket.stream) ticket.wait();
  return answer(code);
}
