// Device memory by addresses and pages apart, as PyTorch's expandable segments use it: pages that were freed anywhere
// serve a block that is contiguous in addresses only.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace cupel::bench::memory {

/// An allocator of at most `budget` bytes in pages of the device's granularity. Pages are kept when a block is freed
/// and mapped again for the next one. Not for several threads.
class VirtualMemory {
 public:
  /// Throws Skip where device or driver cannot do it.
  explicit VirtualMemory(std::int64_t budget);
  ~VirtualMemory();
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;

  /// nullptr when fewer pages are left than are wanted.
  void* allocate(std::int64_t bytes);

  /// Waits for the device, as unmapping memory that is in use would fault.
  void release(void* block);

  std::int64_t page_bytes() const { return page_bytes_; }

  /// The rest of the budget: the pages that no block has.
  std::int64_t free_bytes() const;

 private:
  struct Block {
    std::vector<CUmemGenericAllocationHandle> pages;
  };

  void map(CUdeviceptr address, const std::vector<CUmemGenericAllocationHandle>& pages);

  int device_ = 0;
  std::int64_t page_bytes_ = 0;
  std::int64_t reserved_bytes_ = 0;
  CUdeviceptr begin_ = 0, next_ = 0;
  std::int64_t pages_to_make_ = 0;
  std::vector<CUmemGenericAllocationHandle> free_pages_;
  std::map<CUdeviceptr, Block> blocks_;
};

}  // namespace cupel::bench::memory
