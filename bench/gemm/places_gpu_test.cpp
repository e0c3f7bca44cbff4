// That a product reads its weights at every place in turn, and that they are the same everywhere.
#include "bench/gemm/places.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "bench/gemm/product.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::bench::gemm {
namespace {

// Two tokens for a layer whose weights are twice as large as this device's L2.
Shape beyond_l2(Precision precision) {
  constexpr std::int64_t kIn = 256;
  const std::int64_t row_bytes = kernels::dot::size_bytes(traits(precision).a, kIn);
  return linear((2 * timing::this_device().l2_bytes + row_bytes - 1) / row_bytes, kIn, 2);
}

std::vector<char> product(const Problem& problem, const Operands& operands) {
  const cuda::Stream stream;
  std::vector<char> result(static_cast<std::size_t>(problem.work().bytes_written));
  cuda::check(cudaMemset(operands.c, 0xff, result.size()));
  cuda::check(cudaDeviceSynchronize());
  multiply_by_cublas(problem.precision(), problem.shape(), operands, stream);
  stream.synchronize();
  cuda::check(cudaMemcpy(result.data(), operands.c, result.size(), cudaMemcpyDeviceToHost));
  return result;
}

TEST(Weights, BeyondTheCacheAreReadAtSixPlacesInTurnAndAreTheSameEverywhere) {
  const Problem problem(Precision::fp32, beyond_l2(Precision::fp32));
  const std::vector<char> first = product(problem, problem.operands());
  std::set<const void*> seen;

  for (int i = 0; i < kMostPlaces; ++i) {
    const Operands operands = problem.operands_in_turn();
    seen.insert(operands.a);
    EXPECT_TRUE(product(problem, operands) == first) << "at place " << i;
  }

  EXPECT_NE(first, std::vector<char>(first.size(), static_cast<char>(0xff)));
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kMostPlaces));
  EXPECT_TRUE(seen.contains(problem.operands().a));
  EXPECT_TRUE(seen.contains(problem.operands_in_turn().a)) << "a seventh";
}

TEST(Weights, ThatTheCacheKeepsStayAtOnePlace) {
  const Problem problem(Precision::fp32, linear(64, 256, 2));

  for (int i = 0; i < 3; ++i) EXPECT_EQ(problem.operands_in_turn().a, problem.operands().a);
}

}  // namespace
}  // namespace cupel::bench::gemm
