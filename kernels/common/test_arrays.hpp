// Arrays for the gpu tests of kernels: any element type and any alignment, with guards on both sides.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/compare.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/test_refusal.hpp"

namespace cupel::kernels::test {

using Values = std::vector<double>;

/// As the type holds it.
inline double rounded(DType type, double x) {
  return with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return static_cast<double>(to_float(from_float<T>(static_cast<float>(x))));
  });
}

inline Values rounded(DType type, Values values) {
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (double& x : values) x = static_cast<double>(to_float(from_float<T>(static_cast<float>(x))));
  });
  return values;
}

/// Uniform in [low, high), as the type holds it.
inline Values random_values(DType type, std::int64_t count, std::uint64_t seed, double low = -2, double high = 2) {
  Values values(static_cast<std::size_t>(count));
  verify::fill_uniform<double>(values, seed, low, high);
  return rounded(type, std::move(values));
}

/// Whole numbers of [low, high].
inline Values random_integers(std::int64_t count, std::uint64_t seed, int low, int high) {
  Values values(static_cast<std::size_t>(count));
  verify::fill_small_integers<double>(values, seed, low, high);
  return values;
}

/// `count` elements in device memory whose first one lies `offset` elements behind a multiple of 256 bytes. What lies
/// around them is filled with a guard, which a kernel must leave alone.
class Array {
 public:
  Array(DType type, std::int64_t count, std::int64_t offset = 0)
      : type_(type), count_(count), offset_(offset), bytes_(static_cast<std::size_t>(size())) {
    cuda::check(cudaMemset(bytes_.data(), kGuard, bytes_.size()));
    cuda::check(cudaDeviceSynchronize());
  }
  Array(DType type, const Values& values, std::int64_t offset = 0)
      : Array(type, static_cast<std::int64_t>(values.size()), offset) {
    set(values);
  }

  void* data() { return bytes_.data() + begin(); }
  const void* data() const { return bytes_.data() + begin(); }
  float* floats() { return static_cast<float*>(data()); }
  std::int64_t count() const { return count_; }
  DType type() const { return type_; }

  void set(const Values& values) {
    std::vector<std::uint8_t> raw(static_cast<std::size_t>(size()), kGuard);
    with_type(type_, [&](auto tag) {
      using T = typename decltype(tag)::type;
      std::uint8_t* to = raw.data() + begin();
      for (const double value : values) {
        const T stored = from_float<T>(static_cast<float>(value));
        std::memcpy(std::exchange(to, to + sizeof(T)), &stored, sizeof(T));
      }
    });
    bytes_.from_host(std::span<const std::uint8_t>(raw));
  }

  /// The array's values once the device has finished; fails the test if a guard was written.
  Values get() const {
    const std::vector<std::uint8_t> raw = bytes_.to_host();
    expect_guards(raw);
    Values values(static_cast<std::size_t>(count_));
    with_type(type_, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const std::uint8_t* from = raw.data() + begin();
      for (double& value : values) {
        T stored;
        std::memcpy(&stored, std::exchange(from, from + sizeof(T)), sizeof(T));
        value = static_cast<double>(to_float(stored));
      }
    });
    return values;
  }

 private:
  static constexpr std::uint8_t kGuard = 0xA5;
  static constexpr std::int64_t kGuardBytes = 256;

  std::int64_t begin() const { return kGuardBytes + offset_ * size_of(type_); }
  std::int64_t end() const { return begin() + count_ * size_of(type_); }
  std::int64_t size() const { return end() + kGuardBytes; }

  void expect_guards(const std::vector<std::uint8_t>& raw) const {
    for (std::int64_t i = 0; i < begin(); ++i) {
      ASSERT_EQ(raw[static_cast<std::size_t>(i)], kGuard) << begin() - i << " bytes before the array were written";
    }
    for (std::int64_t i = end(); i < size(); ++i) {
      ASSERT_EQ(raw[static_cast<std::size_t>(i)], kGuard) << i - end() << " bytes behind the array were written";
    }
  }

  DType type_;
  std::int64_t count_;
  std::int64_t offset_;
  cuda::DeviceBuffer<std::uint8_t> bytes_;
};

inline void expect_close(const Values& expected, const Values& actual, const verify::Tolerance& tolerance = {}) {
  const auto comparison = verify::compare(expected, actual, tolerance);
  EXPECT_TRUE(comparison.passed()) << comparison.message();
}

/// One rounding to the type, and what fp32 arithmetic of a few steps adds: `steps` roundings to fp32 of values not much
/// larger than the result, or than `magnitude` where the result is a difference of larger numbers.
inline verify::Tolerance stored_as(DType type, double steps, double magnitude) {
  // The smallest normal fp16 number is 2^-14: below it the distance between numbers is 2^-24.
  const double subnormal = type == DType::fp16 ? 0x1p-25 : 0;
  return {.absolute = steps * unit_roundoff(DType::fp32) * magnitude + subnormal,
          .relative = 1.001 * unit_roundoff(type)};
}

/// Device memory for a test of arrays beyond 2^31 elements; nullopt, and a word about it, where it does not fit.
inline std::optional<cuda::DeviceBuffer<std::uint8_t>> large_array(std::int64_t bytes) {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  if (static_cast<std::int64_t>(free) < bytes + (std::int64_t{1} << 30)) {
    std::printf("not run: wants %lld bytes of device memory, %zu are free\n", static_cast<long long>(bytes), free);
    return std::nullopt;
  }
  return cuda::DeviceBuffer<std::uint8_t>(static_cast<std::size_t>(bytes));
}

}  // namespace cupel::kernels::test
