#include "kernels/dot/elements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::kernels::dot {
namespace {

constexpr std::uint64_t kSeed = 11;
constexpr std::uint8_t kGuard = 0xa5;

struct Format {
  Element element;
  double step;
  double relative;  // rounding of a number in range
  double absolute;  // rounding of a small one
};

class Elements : public testing::TestWithParam<Format> {
 protected:
  // `count` elements that `fill` writes, read back, with a byte behind them that must stay.
  template <class Fill>
  std::vector<std::uint8_t> filled(std::int64_t count, const Fill& fill) const {
    const auto bytes = static_cast<std::size_t>(size_bytes(GetParam().element, count));
    const std::vector<std::uint8_t> guards(bytes + 1, kGuard);
    cuda::DeviceBuffer<std::uint8_t> data{std::span<const std::uint8_t>(guards)};
    fill(data.data());
    auto host = data.to_host();
    EXPECT_EQ(host.back(), kGuard) << "wrote past the end";
    host.pop_back();
    return host;
  }
  std::vector<std::uint8_t> normal(std::int64_t count) const {
    return filled(count,
                  [&](void* data) { fill_normal(data, GetParam().element, count, kSeed, GetParam().step, stream_); });
  }

  cuda::Stream stream_;
};

TEST_P(Elements, AreTheGeneratorsNormalNumbersRounded) {
  const verify::Generator random(kSeed);
  for (const std::int64_t count : {1, 2, 33, 257, 10007}) {
    const auto data = normal(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const double exact = random.normal(static_cast<std::uint64_t>(i)) / GetParam().step;
      const double clamped = std::fmin(std::fmax(exact, -largest(GetParam().element)), largest(GetParam().element));
      ASSERT_NEAR(load(GetParam().element, data.data(), i), clamped,
                  GetParam().relative * std::fabs(clamped) + GetParam().absolute)
          << to_string(GetParam().element) << " at " << i << " of " << count;
    }
  }
}

TEST_P(Elements, OfCountZeroWriteNothing) { EXPECT_TRUE(normal(0).empty()); }

TEST_P(Elements, AreSparseNumbersRounded) {
  const Element element = GetParam().element;
  for (const std::int64_t count : {1, 2, 33, 10007}) {
    for (const Sparse& sparse : {Sparse{.density = 0}, Sparse{.density = 0.1}, Sparse{},
                                 Sparse{.density = 0.3, .magnitude = Magnitude::whole, .most = 2}}) {
      const auto data =
          filled(count, [&](void* numbers) { fill_sparse(numbers, element, count, kSeed, sparse, stream_); });
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(load(element, data.data(), i), sparse_number(sparse, kSeed, static_cast<std::uint64_t>(i)))
            << to_string(element) << " at " << i << " of " << count << ", density " << sparse.density;
      }
    }
  }
}

// The last bits of normal() differ between host and device, hence the second half of an ulp.
INSTANTIATE_TEST_SUITE_P(
    Formats, Elements,
    testing::Values(Format{Element::fp64, 1, 0x1p-50, 0x1p-50}, Format{Element::fp32, 1, 0x1.01p-24, 0x1p-40},
                    Format{Element::fp16, 1, 0x1.01p-11, 0x1p-24}, Format{Element::bf16, 1, 0x1.01p-8, 0x1p-40},
                    Format{Element::fp8_e4m3, 0.015, 0x1.01p-4, 0x1p-10},
                    Format{Element::fp8_e5m2, 0.0001, 0x1.01p-3, 0x1p-16}, Format{Element::int8, 0.05, 0, 0.5001},
                    Format{Element::fp4_e2m1, 0.5, 0.2501, 0.2501}));

TEST(FillNormal, RefusesAStepOfZero) {
  EXPECT_THROW(fill_normal(nullptr, Element::fp32, 0, 1, 0, nullptr), std::invalid_argument);
}

TEST(FillSparse, RefusesADensityOfMoreThanAllAndAMagnitudeOfNothing) {
  for (const Sparse& wrong : {Sparse{.density = 1.5}, Sparse{.density = -0.5}, Sparse{.most = 0}}) {
    EXPECT_THROW(fill_sparse(nullptr, Element::fp32, 0, 1, wrong, nullptr), std::invalid_argument);
  }
}

TEST(SparseNumber, IsAsLargeAsItIsToldAndOfEitherSign) {
  double sum = 0, squares = 0;
  int zeros = 0, ends = 0;
  constexpr int kCount = 20000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double whole = sparse_number({.density = 0.5, .magnitude = Magnitude::whole, .most = 5}, 3, i);
    ASSERT_EQ(whole, std::nearbyint(whole));
    ASSERT_LE(std::fabs(whole), 5);
    zeros += whole == 0 ? 1 : 0;
    ends += std::fabs(whole) == 5 ? 1 : 0;
    const double normal = sparse_number({.density = 0.25, .magnitude = Magnitude::normal}, 3, i);
    sum += normal;
    squares += normal * normal;
  }
  // Five standard deviations each: sqrt(n p (1 - p)), sqrt(n / 4), and of normal squares sqrt(2 n / 4) and more.
  EXPECT_NEAR(zeros, kCount / 2, 5 * 71);
  EXPECT_NEAR(ends, kCount / 10, 5 * 43);
  EXPECT_NEAR(sum, 0, 5 * 71);
  EXPECT_NEAR(squares, kCount / 4, 5 * 120);
}

}  // namespace
}  // namespace cupel::kernels::dot
