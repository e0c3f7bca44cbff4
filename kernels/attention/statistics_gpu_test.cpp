#include "kernels/attention/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/attention/reference.hpp"
#include "kernels/common/test_arrays.hpp"

namespace cupel::kernels::attention {
namespace {

using test::Array;
using test::expect_close;
using test::random_values;
using test::Values;

struct Case {
  DType type;
  std::int64_t sequence, size;
  bool causal;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.type)) + "_" + std::to_string(info.param.sequence) + "x" +
         std::to_string(info.param.size) + (info.param.causal ? "_causal" : "_full");
}

// Either side of a block's queries and of a block's keys.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    for (const bool causal : {false, true}) {
      for (const std::int64_t sequence : {0, 1, 4, 5, 127, 129, 261}) all.push_back({type, sequence, 64, causal});
      all.push_back({type, 33, 1, causal});
      all.push_back({type, 33, 256, causal});
    }
  }
  return all;
}

class Statistics : public testing::TestWithParam<Case> {};

TEST_P(Statistics, AreThoseOfTheReference) {
  const auto [type, sequence, size, causal] = GetParam();
  const std::int64_t count = sequence * size;
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  const Values q = random_values(type, count, 1), k = random_values(type, count, 2), v = random_values(type, count, 3),
               d_out = random_values(type, count, 4);
  const Array device_q(type, q), device_k(type, k), device_v(type, v), device_d_out(type, d_out);
  const auto expected = reference::statistics({q, k, v, sequence, size, causal, scale}, d_out);
  const std::vector<RowStatistics> nothing(static_cast<std::size_t>(sequence) + 1);  // an empty buffer has no address
  cuda::DeviceBuffer<RowStatistics> found{std::span<const RowStatistics>(nothing)};
  const cuda::Stream stream;

  row_statistics(type, device_q.data(), device_k.data(), device_v.data(), device_d_out.data(),
                 {sequence, size, causal, scale}, found.data(), stream);
  stream.synchronize();

  const std::vector<RowStatistics> seen = found.to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    expect_close({expected[i].log_sum, expected[i].mean_slope, expected[i].rms_slope, expected[i].norm_slope},
                 {seen[i].log_sum, seen[i].mean_slope, seen[i].rms_slope, seen[i].norm_slope}, {.absolute = 1e-10});
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Statistics, testing::ValuesIn(cases()), name_of);

TEST(StatisticsArguments, AreRefusedByName) {
  Array x(DType::fp32, 4);
  cuda::DeviceBuffer<RowStatistics> found(1);
  const cuda::Stream stream;
  const auto refused = [&](const void* q, const HeadShape& shape) {
    return test::refusal(
        [&] { row_statistics(DType::fp32, q, x.data(), x.data(), x.data(), shape, found.data(), stream); });
  };

  EXPECT_EQ(refused(nullptr, {1, 4, false, 1}), "row_statistics: q must be an array, not null");
  EXPECT_EQ(refused(x.data(), {-1, 4, false, 1}), "row_statistics: shape.sequence must be 0 or more");
  EXPECT_EQ(refused(x.data(), {1, 257, false, 1}), "row_statistics: shape.size must be 1 to 256");
}

}  // namespace
}  // namespace cupel::kernels::attention
