#include "bench/memory/virtual_memory.hpp"

#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {
namespace {

// Addresses cost nothing: enough for every block of a pattern to have its own.
constexpr std::int64_t kAddressesPerByte = 64;

// The driver's functions through the runtime, so that nothing is linked against a library that a machine without a
// driver does not have.
template <class Function>
Function driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  cuda::check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result));
  if (result != cudaDriverEntryPointSuccess) harness::skip(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(found);
}

struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity =
      driver_function<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");
  decltype(&cuMemAddressReserve) reserve = driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
  decltype(&cuMemAddressFree) unreserve = driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree");
  decltype(&cuMemCreate) create = driver_function<decltype(&cuMemCreate)>("cuMemCreate");
  decltype(&cuMemRelease) release = driver_function<decltype(&cuMemRelease)>("cuMemRelease");
  decltype(&cuMemMap) map = driver_function<decltype(&cuMemMap)>("cuMemMap");
  decltype(&cuMemUnmap) unmap = driver_function<decltype(&cuMemUnmap)>("cuMemUnmap");
  decltype(&cuMemSetAccess) set_access = driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess");
};

const Driver& driver() {
  static const Driver driver;
  return driver;
}

// The driver's statuses have the numbers of the runtime's.
void check(CUresult code, const char* if_refused, const std::source_location& where = std::source_location::current()) {
  cuda::check(static_cast<cudaError_t>(code), if_refused, where);
}

CUmemAllocationProp page_of(int device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

}  // namespace

VirtualMemory::VirtualMemory(std::int64_t budget) {
  device_ = cuda::current_device();
  cuda::check(cudaFree(nullptr));  // the runtime's context is there
  const CUmemAllocationProp properties = page_of(device_);
  std::size_t granularity = 0;
  check(driver().granularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "this device cannot map memory page by page");
  page_bytes_ = static_cast<std::int64_t>(granularity);
  pages_to_make_ = budget / page_bytes_;
  reserved_bytes_ = pages_to_make_ * page_bytes_ * kAddressesPerByte;
  check(driver().reserve(&begin_, static_cast<std::size_t>(reserved_bytes_), 0, 0, 0), "cuMemAddressReserve");
  next_ = begin_;
}

VirtualMemory::~VirtualMemory() {
  cudaDeviceSynchronize();
  for (auto& [address, block] : blocks_) {
    for (std::size_t i = 0; i < block.pages.size(); ++i) {
      driver().unmap(address + i * static_cast<std::size_t>(page_bytes_), static_cast<std::size_t>(page_bytes_));
      driver().release(block.pages[i]);
    }
  }
  for (const auto page : free_pages_) driver().release(page);
  if (begin_ != 0) driver().unreserve(begin_, static_cast<std::size_t>(reserved_bytes_));
}

void VirtualMemory::map(CUdeviceptr address, const std::vector<CUmemGenericAllocationHandle>& pages) {
  const auto page_size = static_cast<std::size_t>(page_bytes_);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    check(driver().map(address + i * page_size, page_size, 0, pages[i], 0), "cuMemMap");
  }
  CUmemAccessDesc access{};
  access.location = page_of(device_).location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check(driver().set_access(address, pages.size() * page_size, &access, 1), "cuMemSetAccess");
}

std::int64_t VirtualMemory::free_bytes() const {
  return (static_cast<std::int64_t>(free_pages_.size()) + pages_to_make_) * page_bytes_;
}

void* VirtualMemory::allocate(std::int64_t bytes) {
  const std::int64_t wanted = (bytes + page_bytes_ - 1) / page_bytes_;
  if (wanted * page_bytes_ > free_bytes() || wanted == 0) return nullptr;
  if (static_cast<std::int64_t>(next_ - begin_) + wanted * page_bytes_ > reserved_bytes_) {
    throw std::runtime_error("VirtualMemory: out of addresses");
  }

  Block block;
  while (static_cast<std::int64_t>(block.pages.size()) < wanted && !free_pages_.empty()) {
    block.pages.push_back(free_pages_.back());
    free_pages_.pop_back();
  }
  const CUmemAllocationProp properties = page_of(device_);
  while (static_cast<std::int64_t>(block.pages.size()) < wanted) {
    CUmemGenericAllocationHandle page{};
    check(driver().create(&page, static_cast<std::size_t>(page_bytes_), &properties, 0), "cuMemCreate");
    --pages_to_make_;
    block.pages.push_back(page);
  }

  const CUdeviceptr address = next_;
  map(address, block.pages);
  next_ += static_cast<CUdeviceptr>(wanted * page_bytes_);
  blocks_.emplace(address, std::move(block));
  return reinterpret_cast<void*>(address);
}

void VirtualMemory::release(void* p) {
  const auto found = blocks_.find(reinterpret_cast<CUdeviceptr>(p));
  if (found == blocks_.end()) throw std::invalid_argument("VirtualMemory::release: block is not of this allocator");
  cuda::check(cudaDeviceSynchronize());
  auto& pages = found->second.pages;
  const auto page_size = static_cast<std::size_t>(page_bytes_);
  // As they were mapped: "the range must be the entire contiguous address range that was mapped to" (CUDA driver API).
  for (std::size_t i = 0; i < pages.size(); ++i) {
    check(driver().unmap(found->first + i * page_size, page_size), "cuMemUnmap");
  }
  free_pages_.insert(free_pages_.end(), pages.begin(), pages.end());
  blocks_.erase(found);
  if (blocks_.empty()) next_ = begin_;  // patterns that come and go must not use the addresses up
}

}  // namespace cupel::bench::memory
