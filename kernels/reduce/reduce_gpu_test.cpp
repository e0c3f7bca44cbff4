#include "kernels/reduce/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/reduce/reference.hpp"

namespace cupel::kernels::reduce {
namespace {

using test::Array;
using test::Values;

constexpr Reduction kReductions[] = {Reduction::sum, Reduction::sum_of_squares, Reduction::norm, Reduction::abs_max,
                                     Reduction::found_inf};
constexpr Passes kPasses[] = {Passes::two, Passes::one};

// Either side of a pack, a warp, a block and a grid; 0, 1 and primes.
class Reduce : public testing::TestWithParam<std::tuple<DType, std::int64_t, std::int64_t>> {
 protected:
  DType type() const { return std::get<0>(GetParam()); }
  std::int64_t count() const { return std::get<1>(GetParam()); }
  Array array(const Values& values) const { return Array(type(), values, std::get<2>(GetParam())); }

  double run(Reduction reduction, Passes passes, const Array& in) {
    Array out(DType::fp32, 1, 1);
    reduce(reduction, passes, type(), in.data(), count(), workspace_, out.floats(), stream_);
    return out.get()[0];
  }

  Workspace workspace_;
  cuda::Stream stream_;
};

TEST_P(Reduce, AgreesWithTheReferenceWithinItsBound) {
  const Values values = test::random_values(type(), count(), 1);
  const Array in = array(values);
  for (const Reduction reduction : kReductions) {
    for (const Passes passes : kPasses) {
      EXPECT_NEAR(run(reduction, passes, in), reference::reduce(reduction, values), error_bound(reduction, values))
          << to_string(reduction) << ", passes " << static_cast<int>(passes);
    }
  }
}

// Sums of at most 3 x 2^20 < 2^24: exact in fp32 in any order.
TEST_P(Reduce, OfWholeNumbersIsExact) {
  const Values values = test::random_integers(count(), 2, -1, 3);
  const Array in = array(values);
  for (const Passes passes : kPasses) {
    EXPECT_EQ(run(Reduction::sum, passes, in), reference::reduce(Reduction::sum, values));
    EXPECT_EQ(run(Reduction::sum_of_squares, passes, in), reference::reduce(Reduction::sum_of_squares, values));
  }
}

TEST_P(Reduce, IsTheSameToTheBitInBothWaysAndEveryTime) {
  const Array in = array(test::random_values(type(), count(), 3));

  const double first = run(Reduction::sum, Passes::one, in);

  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(Reduction::sum, Passes::one, in), first);
  EXPECT_EQ(run(Reduction::sum, Passes::two, in), first);
}

TEST_P(Reduce, FindsAnInfinityAtEitherEndAndInTheMiddle) {
  if (count() == 0) return;
  const auto last = static_cast<std::size_t>(count() - 1);
  for (const std::size_t place : {std::size_t{0}, last / 2, last}) {
    Values values(last + 1, 1.0);
    values[place] = -std::numeric_limits<double>::infinity();
    const Array in = array(values);
    for (const Passes passes : kPasses) {
      EXPECT_EQ(run(Reduction::found_inf, passes, in), 1) << place;
      EXPECT_EQ(run(Reduction::abs_max, passes, in), std::numeric_limits<double>::infinity()) << place;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TypesCountsAndOffsets, Reduce,
                         testing::Combine(testing::Values(DType::fp32, DType::fp16, DType::bf16),
                                          testing::Values(0, 1, 7, 8, 9, 31, 33, 511, 513, 4095, 4097, 104'729,
                                                          1 << 20),
                                          testing::Values(0, 1, 3)));

TEST(ReduceArguments, AreRefusedByName) {
  Array in(DType::fp32, 4), out(DType::fp32, 1);
  Workspace workspace;
  const cuda::Stream stream;
  const auto call = [&](const void* array, std::int64_t count, float* result) {
    return test::refusal(
        [&] { reduce(Reduction::sum, Passes::one, DType::fp32, array, count, workspace, result, stream); });
  };

  EXPECT_EQ(call(nullptr, 4, out.floats()), "reduce: in must be an array, not null");
  EXPECT_EQ(call(in.data(), -4, out.floats()), "reduce: count must be 0 or more");
  EXPECT_EQ(call(in.data(), 4, nullptr), "reduce: out must be an array, not null");
}

// 2^31 + 3 zeros of two bytes and one infinity at the end.
TEST(ReduceFoundInf, ReachesTheLastOfMoreThanTwoToThe31Elements) {
  constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 3;
  auto memory = test::large_array(2 * kCount);
  if (!memory) return;
  const cuda::Stream stream;
  const auto infinity = from_float<__half>(std::numeric_limits<float>::infinity());
  Workspace workspace;
  Array out(DType::fp32, 1);
  cuda::check(cudaMemsetAsync(memory->data(), 0, memory->size_bytes(), stream));
  cuda::check(cudaMemcpyAsync(memory->data() + 2 * (kCount - 1), &infinity, 2, cudaMemcpyHostToDevice, stream));

  for (const Passes passes : kPasses) {
    reduce(Reduction::found_inf, passes, DType::fp16, memory->data(), kCount, workspace, out.floats(), stream);
    EXPECT_EQ(out.get()[0], 1);
    reduce(Reduction::found_inf, passes, DType::fp16, memory->data(), kCount - 1, workspace, out.floats(), stream);
    EXPECT_EQ(out.get()[0], 0);
  }
}

}  // namespace
}  // namespace cupel::kernels::reduce
