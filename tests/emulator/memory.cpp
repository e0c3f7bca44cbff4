#include "tests/emulator/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace cupel::emulator {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;                // of cudaMalloc
constexpr std::size_t kFilled = std::size_t{1} << 20;  // fresh memory beyond is left as the system gives it: zero
constexpr int kFresh = 0xFF;
constexpr unsigned char kBehind = 0xB5;

struct Block {
  std::size_t bytes = 0;
  Kind kind = Kind::pageable;
  void* mapping = nullptr;  // nullptr: not ours
  std::size_t mapped_bytes = 0;
};

// Blocks that were freed and whose addresses nothing else may have yet.
constexpr std::size_t kMostFreed = 256;

struct Known {
  std::mutex mutex;
  std::map<std::uintptr_t, Block> blocks;  // by start
  std::deque<Block> freed;
  std::size_t taken = 0, peak = 0;
};

void say_peak() {
  std::fprintf(stderr, "emulated device: at most %zu bytes of device memory were taken\n", device_bytes_peak());
}

// Never destroyed: programs free memory while they end.
Known& known() {
  static Known& known = []() -> Known& {
    if (std::getenv("CUPEL_EMULATOR_PEAK") != nullptr) std::atexit(say_peak);
    return *new Known;
  }();
  return known;
}

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

std::size_t rounded_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

bool is_on_device(Kind kind) { return kind == Kind::device || kind == Kind::managed; }

bool take(Known& k, std::size_t bytes) {
  if (bytes > kDeviceBytes - kContextBytes - k.taken) return false;
  k.taken += bytes;
  k.peak = std::max(k.peak, k.taken);
  return true;
}

// The block that p is in, or the end.
std::map<std::uintptr_t, Block>::iterator containing(Known& k, std::uintptr_t p) {
  auto after = k.blocks.upper_bound(p);
  if (after == k.blocks.begin()) return k.blocks.end();
  const auto block = std::prev(after);
  return p < block->first + std::max<std::size_t>(block->second.bytes, 1) ? block : k.blocks.end();
}

char* behind(std::uintptr_t start, const Block& block) { return reinterpret_cast<char*>(start + block.bytes); }

std::size_t bytes_behind(const Block& block) { return rounded_up(block.bytes, kAlignment) - block.bytes; }

void require_untouched_behind(std::uintptr_t start, const Block& block) {
#if !defined(__SANITIZE_ADDRESS__)
  const char* from = behind(start, block);
  for (std::size_t i = 0; i < bytes_behind(block); ++i) {
    if (static_cast<unsigned char>(from[i]) == kBehind) continue;
    std::fprintf(stderr, "emulated device: byte %zu behind a block of %zu bytes was written to\n", i, block.bytes);
    std::abort();
  }
#else
  static_cast<void>(start);
  static_cast<void>(block);
#endif
}

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::device:
      return "device memory";
    case Kind::managed:
      return "managed memory";
    case Kind::pinned:
      return "page-locked memory";
    case Kind::registered:
      return "registered memory";
    case Kind::pageable:
      break;
  }
  return "pageable memory";
}

}  // namespace

void poison(void* p, std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(p, bytes);
#else
  static_cast<void>(p);
  static_cast<void>(bytes);
#endif
}

void unpoison(void* p, std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(p, bytes);
#else
  static_cast<void>(p);
  static_cast<void>(bytes);
#endif
}

void* allocate(Kind kind, std::size_t bytes) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  if (is_on_device(kind) && !take(k, rounded_up(bytes, kAlignment))) return nullptr;
  const std::size_t data = rounded_up(rounded_up(bytes, kAlignment), kPage);
  const std::size_t mapped = data + 2 * kPage;
  void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* end = static_cast<char*>(mapping) + kPage + data;
  mprotect(mapping, kPage, PROT_NONE);
  mprotect(end, kPage, PROT_NONE);
  char* start = end - rounded_up(bytes, kAlignment);
  std::memset(start, kFresh, std::min(bytes, kFilled));
  const Block block{bytes, kind, mapping, mapped};
  std::memset(behind(number(start), block), kBehind, bytes_behind(block));
  poison(behind(number(start), block), bytes_behind(block));
  poison(static_cast<char*>(mapping) + kPage, static_cast<std::size_t>(start - (static_cast<char*>(mapping) + kPage)));
  k.blocks.emplace(number(start), block);
  return start;
}

bool release(void* p, Kind kind) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  const auto found = k.blocks.find(number(p));
  if (found == k.blocks.end() || found->second.kind != kind || found->second.mapping == nullptr) return false;
  const Block block = found->second;
  require_untouched_behind(found->first, block);
  k.blocks.erase(found);
  if (is_on_device(kind)) k.taken -= rounded_up(block.bytes, kAlignment);
  unpoison(block.mapping, block.mapped_bytes);
  madvise(block.mapping, block.mapped_bytes, MADV_DONTNEED);
  mprotect(block.mapping, block.mapped_bytes, PROT_NONE);
  k.freed.push_back(block);
  if (k.freed.size() > kMostFreed) {
    munmap(k.freed.front().mapping, k.freed.front().mapped_bytes);
    k.freed.pop_front();
  }
  return true;
}

bool remember_registered(void* p, std::size_t bytes) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  const auto next = k.blocks.lower_bound(number(p));
  if (next != k.blocks.end() && next->first < number(p) + bytes) return false;
  if (containing(k, number(p)) != k.blocks.end()) return false;
  k.blocks.emplace(number(p), Block{bytes, Kind::registered, nullptr, 0});
  return true;
}

bool forget_registered(void* p) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  const auto found = k.blocks.find(number(p));
  if (found == k.blocks.end() || found->second.kind != Kind::registered) return false;
  k.blocks.erase(found);
  return true;
}

void remember(const void* p, std::size_t bytes, Kind kind) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  k.blocks.insert_or_assign(number(p), Block{bytes, kind, nullptr, 0});
}

void forget(const void* p) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  k.blocks.erase(number(p));
}

Range range_at(const void* p, std::size_t bytes) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  const auto block = containing(k, number(p));
  if (block != k.blocks.end()) {
    return {block->second.kind, number(p) + bytes <= block->first + block->second.bytes,
            reinterpret_cast<const void*>(block->first)};
  }
  // In no block, but perhaps reaching into one.
  const auto next = k.blocks.lower_bound(number(p));
  return {Kind::pageable, next == k.blocks.end() || number(p) + bytes <= next->first, nullptr};
}

std::size_t device_bytes_free() {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  return kDeviceBytes - kContextBytes - k.taken;
}

std::size_t device_bytes_peak() {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  return k.peak;
}

bool take_device_bytes(std::size_t bytes) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  return take(k, bytes);
}

void give_device_bytes(std::size_t bytes) {
  Known& k = known();
  const std::lock_guard lock(k.mutex);
  k.taken -= bytes;
}

std::string describe_address(const void* p) {
  Known& k = known();
  const std::unique_lock lock(k.mutex, std::try_to_lock);
  if (!lock) return "unknown memory";
  const auto inside = containing(k, number(p));
  if (inside != k.blocks.end()) {
    return std::to_string(number(p) - inside->first) + " bytes into a block of " +
           std::to_string(inside->second.bytes) + " bytes of " + to_string(inside->second.kind);
  }
  const auto after = k.blocks.upper_bound(number(p));
  if (after == k.blocks.begin()) return "in no block";
  const auto before = std::prev(after);
  return std::to_string(number(p) - before->first - before->second.bytes) + " bytes behind a block of " +
         std::to_string(before->second.bytes) + " bytes of " + to_string(before->second.kind);
}

}  // namespace cupel::emulator
