// A sum on the device that calls add to, and what it must have become.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::memory {

class Checksum {
 public:
  Checksum();

  /// One word of device memory, 0 at first.
  std::uint32_t* data() { return sum_.data(); }
  void count_call() { ++calls_; }
  std::int64_t calls() const { return calls_; }
  /// Blocks.
  std::uint32_t value() const { return sum_.to_host()[0]; }

  /// Throws CheckFailed unless each call that was counted has added the sum of these words in device memory `times`
  /// times, modulo 2^32. Blocks; brings the words to the host.
  void require(const float* data, std::int64_t count, std::int64_t times, const std::string& what) const;

  /// The same against a sum that the caller knows, of all calls.
  void require(std::uint32_t expected, const std::string& what) const;

 private:
  cuda::DeviceBuffer<std::uint32_t> sum_;
  std::int64_t calls_ = 0;
};

/// `count` words of device memory. Blocks.
std::vector<std::uint32_t> words_on_host(const float* data, std::int64_t count);

}  // namespace cupel::bench::memory
