// The driver's functions that the runtime hands out: memory mapped page by page.
#include <cuda.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

#include "tests/emulator/memory.hpp"
#include "tests/emulator/runtime.hpp"

namespace cupel::emulator {
namespace {

constexpr std::size_t kGranularity = std::size_t{2} << 20;

struct Page {
  int file;
  std::size_t bytes;
};

struct World {
  std::mutex mutex;
  std::map<CUmemGenericAllocationHandle, Page> pages;
  std::map<CUdeviceptr, std::size_t> reserved;
  std::map<CUdeviceptr, std::size_t> mapped;
  CUmemGenericAllocationHandle next = 1;

  static World& get() {
    static World& world = *new World;
    return world;
  }
};

CUresult granularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  *bytes = kGranularity;
  return CUDA_SUCCESS;
}

CUresult reserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
  if (bytes == 0 || bytes % kGranularity != 0) return CUDA_ERROR_INVALID_VALUE;
  void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  *address = reinterpret_cast<CUdeviceptr>(p);
  world.reserved[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult unreserve(CUdeviceptr address, std::size_t bytes) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  const auto found = world.reserved.find(address);
  if (found == world.reserved.end() || found->second != bytes) return CUDA_ERROR_INVALID_VALUE;
  const auto inside = world.mapped.lower_bound(address);
  if (inside != world.mapped.end() && inside->first < address + bytes) return CUDA_ERROR_INVALID_VALUE;
  world.reserved.erase(found);
  munmap(reinterpret_cast<void*>(address), bytes);
  return CUDA_SUCCESS;
}

CUresult create(CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp*,
                unsigned long long) {
  if (bytes == 0 || bytes % kGranularity != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!take_device_bytes(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  const int file = memfd_create("cupel-emulator", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  *handle = world.next++;
  world.pages[*handle] = {file, bytes};
  return CUDA_SUCCESS;
}

CUresult release_page(CUmemGenericAllocationHandle handle) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  const auto found = world.pages.find(handle);
  if (found == world.pages.end()) return CUDA_ERROR_INVALID_VALUE;
  close(found->second.file);
  give_device_bytes(found->second.bytes);
  world.pages.erase(found);
  return CUDA_SUCCESS;
}

CUresult map(CUdeviceptr address, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle,
             unsigned long long) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  const auto page = world.pages.find(handle);
  const auto after = world.reserved.upper_bound(address);
  if (page == world.pages.end() || offset != 0 || bytes != page->second.bytes || after == world.reserved.begin()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto reserved = std::prev(after);
  if (address + bytes > reserved->first + reserved->second || world.mapped.contains(address)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  void* p = reinterpret_cast<void*>(address);
  if (mmap(p, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, page->second.file, 0) == MAP_FAILED) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  world.mapped[address] = bytes;
  return CUDA_SUCCESS;
}

// Of whole mappings, one or several in a row.
template <class Change>
CUresult change_mappings(CUdeviceptr address, std::size_t bytes, const Change& change) {
  World& world = World::get();
  const std::lock_guard lock(world.mutex);
  for (CUdeviceptr at = address; at < address + bytes;) {
    const auto found = world.mapped.find(at);
    if (found == world.mapped.end() || at + found->second > address + bytes) return CUDA_ERROR_INVALID_VALUE;
    at += found->second;
  }
  for (CUdeviceptr at = address; at < address + bytes;) {
    const std::size_t step = world.mapped.at(at);
    change(world, at, step);
    at += step;
  }
  return CUDA_SUCCESS;
}

CUresult unmap(CUdeviceptr address, std::size_t bytes) {
  return change_mappings(address, bytes, [](World& world, CUdeviceptr at, std::size_t step) {
    void* p = reinterpret_cast<void*>(at);
    mmap(p, step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    forget(p);
    world.mapped.erase(at);
  });
}

CUresult set_access(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc*, std::size_t) {
  return change_mappings(address, bytes, [](World&, CUdeviceptr at, std::size_t step) {
    mprotect(reinterpret_cast<void*>(at), step, PROT_READ | PROT_WRITE);
    remember(reinterpret_cast<void*>(at), step, Kind::device);
  });
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace
}  // namespace cupel::emulator

using namespace cupel::emulator;

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  static const std::map<std::string, void*> functions = {
      {"cuMemGetAllocationGranularity", address_of(granularity)},
      {"cuMemAddressReserve", address_of(reserve)},
      {"cuMemAddressFree", address_of(unreserve)},
      {"cuMemCreate", address_of(create)},
      {"cuMemRelease", address_of(release_page)},
      {"cuMemMap", address_of(map)},
      {"cuMemUnmap", address_of(unmap)},
      {"cuMemSetAccess", address_of(set_access)},
  };
  const auto found = functions.find(name);
  *function = found != functions.end() ? found->second : nullptr;
  if (result != nullptr) {
    *result = found != functions.end() ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  return answer(cudaSuccess);
}
