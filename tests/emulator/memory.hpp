// What the emulated device and its runtime know of memory: which ranges are whose, how large they are, and how much of
// the device is taken.
//
// A block is a mapping of its own that ends at a page that may not be touched, so that an access beyond it faults at
// once; with AddressSanitizer the bytes between the block's size and that page are poisoned too, without it they are
// looked at when the block is freed. Fresh device memory is full of ones: not-a-number in every floating type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupel::emulator {

enum class Kind { pageable, device, managed, pinned, registered };

/// Bytes of device memory there are, and of them for the context.
inline constexpr std::size_t kDeviceBytes = std::size_t{4} << 30;
inline constexpr std::size_t kContextBytes = std::size_t{64} << 20;

/// nullptr when the device has no such memory left (Kind::device, Kind::managed) or the host has not.
void* allocate(Kind kind, std::size_t bytes);

/// False unless p is the start of a block of that kind. Ends the process, with a message, if what lies behind the block
/// was written to.
bool release(void* p, Kind kind);

/// Page-locked memory that was the program's before. False where a part of it is known already, or, for forget(), where
/// p is not the start of such a range.
bool remember_registered(void* p, std::size_t bytes);
bool forget_registered(void* p);

/// Whether all of [p, p + bytes) may be touched as what `kind` says: within one block, or in none.
struct Range {
  Kind kind = Kind::pageable;
  bool whole = true;            ///< all of it is in the block that its start is in
  const void* start = nullptr;  ///< of that block
};
Range range_at(const void* p, std::size_t bytes);

std::size_t device_bytes_free();
/// The most that was taken at once, the context not counted.
std::size_t device_bytes_peak();

/// Device memory that another owner (a pool, mapped pages) takes or gives back. False where there is not so much.
bool take_device_bytes(std::size_t bytes);
void give_device_bytes(std::size_t bytes);

/// Memory that is mapped but belongs to nobody: touching it is an error that AddressSanitizer sees.
void poison(void* p, std::size_t bytes);
void unpoison(void* p, std::size_t bytes);

/// Where an address lies, for messages: "12 bytes behind a block of 4096 bytes of device memory".
std::string describe_address(const void* p);

/// A range for range_at() that somebody else maps and frees.
void remember(const void* p, std::size_t bytes, Kind kind);
void forget(const void* p);

}  // namespace cupel::emulator
