// Division by a number that is known before the kernel starts, without the division: 64-bit ones take a kernel longer
// than the element they find the column of.
#pragma once

#include <bit>
#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels {

/// Exact for dividends of 0 to 2^63 - 1 and divisors of 1 to 2^62.
/// Source: Granlund and Montgomery (1994), "Division by invariant integers using multiplication", figure 4.1.
class Divider {
 public:
  Divider() = default;
  explicit constexpr Divider(std::int64_t divisor)
      : divisor_(static_cast<std::uint64_t>(divisor)),
        shift_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(divisor) - 1))),
        // floor(2^64 (2^shift - divisor) / divisor) + 1
        magic_(static_cast<std::uint64_t>(
                   ((static_cast<unsigned __int128>((std::uint64_t{1} << shift_) - divisor_) << 64) / divisor_)) +
               1) {}

  CUPEL_HOST_DEVICE std::int64_t quotient(std::int64_t dividend) const {
    const auto n = static_cast<std::uint64_t>(dividend);
#ifdef __CUDA_ARCH__
    const std::uint64_t high = __umul64hi(magic_, n);
#else
    const auto high = static_cast<std::uint64_t>((static_cast<unsigned __int128>(magic_) * n) >> 64);
#endif
    return static_cast<std::int64_t>((high + n) >> shift_);  // below 2^64: each is below 2^63 or n
  }

  CUPEL_HOST_DEVICE std::int64_t remainder(std::int64_t dividend) const {
    return dividend - quotient(dividend) * static_cast<std::int64_t>(divisor_);
  }

 private:
  std::uint64_t divisor_ = 1;
  int shift_ = 0;
  std::uint64_t magic_ = 1;
};

}  // namespace cupel::kernels
