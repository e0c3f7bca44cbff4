#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::kernels::norm {
namespace {

using test::Array;
using test::expect_close;
using test::random_values;
using test::stored_as;
using test::Values;

// As softmax() is tested: a hundred roundings bound what fp32 adds to the one of the store.
constexpr double kSteps = 100;

struct Case {
  DType type;
  std::int64_t squares, columns, offset;

  Shape shape() const { return {squares * columns, columns}; }
  std::int64_t count() const { return squares * columns * columns; }
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.type)) + "_" + std::to_string(info.param.squares) + "_of_" +
         std::to_string(info.param.columns) + "_from_" + std::to_string(info.param.offset);
}

// A lane, parts of a warp, a warp with four packs a lane, blocks; odd numbers and offsets go by single elements.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    all.push_back({type, 0, 64, 0});
    for (const std::int64_t columns : {1, 8, 33, 64, 136, 264, 1032, 1033, 2056}) all.push_back({type, 2, columns, 0});
    all.push_back({type, 3, 128, 1});
    all.push_back({type, 1, 2048, 3});
  }
  return all;
}

// Replaces what no row sees by values that would spoil any result in which they had a part.
Values with_nothing_unseen(Values values, std::int64_t columns) {
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(values.size()); ++i) {
    const std::int64_t r = i / columns % columns, c = i % columns;
    if (c > r) values[static_cast<std::size_t>(i)] = std::numeric_limits<double>::quiet_NaN();
  }
  return values;
}

class CausalSoftmax : public testing::TestWithParam<Case> {};

TEST_P(CausalSoftmax, ForwardAndBackwardAgreeWithTheReferenceAndHeedNothingUnseen) {
  const auto [type, squares, columns, offset] = GetParam();
  const Shape shape = GetParam().shape();
  const std::int64_t count = GetParam().count();
  const Values x = random_values(type, count, 1, -8, 8), d_out = random_values(type, count, 2);
  const Array device_x(type, with_nothing_unseen(x, columns), offset),
      device_d_out(type, with_nothing_unseen(d_out, columns), offset);
  Array y(type, count, offset), d_in(type, count, offset);
  Values expected(x.size()), expected_d_in(x.size());
  const cuda::Stream stream;

  causal_softmax(type, device_x.data(), y.data(), shape, stream);
  causal_softmax_backward(type, y.data(), device_d_out.data(), d_in.data(), shape, stream);

  reference::causal_softmax(x, expected, columns);
  const Values stored = y.get();
  reference::causal_softmax_backward(stored, d_out, expected_d_in, columns);
  expect_close(expected, stored,
               {.absolute = kSteps * 0x1p-24 + (type == DType::fp16 ? 0x1p-25 : 0),
                .relative = 1.001 * unit_roundoff(type) + 0x1p-19});
  expect_close(expected_d_in, d_in.get(), stored_as(type, kSteps, 4));
}

INSTANTIATE_TEST_SUITE_P(Cases, CausalSoftmax, testing::ValuesIn(cases()), name_of);

TEST(CausalSoftmaxInPlace, IsTheSame) {
  const cuda::Stream stream;
  for (const std::int64_t columns : {64, 1032, 2047}) {
    const Values x = random_values(DType::fp16, columns * columns, 1);
    Array in_place(DType::fp16, x), in(DType::fp16, x), out(DType::fp16, columns * columns);

    causal_softmax(DType::fp16, in_place.data(), in_place.data(), {columns, columns}, stream);
    causal_softmax(DType::fp16, in.data(), out.data(), {columns, columns}, stream);

    EXPECT_EQ(in_place.get(), out.get()) << columns;
  }
}

// The last packs of a row of 65536 lie in shared memory, and some of two such rows in fp32 are read again.
TEST(CausalSoftmaxOfALongRow, SeesWhatItIsToSee) {
  constexpr std::int64_t kColumns = 65536;
  auto memory = test::large_array(4 * kColumns * kColumns);
  if (!memory) return;
  const cuda::Stream stream;
  auto* data = reinterpret_cast<float*>(memory->data());
  cuda::check(cudaMemsetAsync(data, 0, memory->size_bytes(), stream));

  causal_softmax(DType::fp32, data, data, {kColumns, kColumns}, stream);

  for (const std::int64_t r : {std::int64_t{0}, std::int64_t{40'000}, kColumns - 1}) {
    Values row(static_cast<std::size_t>(kColumns));
    std::vector<float> stored(row.size());
    cuda::check(cudaMemcpyAsync(stored.data(), data + r * kColumns, 4 * stored.size(), cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    for (std::int64_t c = 0; c <= r; ++c) row[static_cast<std::size_t>(c)] = 1 / static_cast<double>(r + 1);
    expect_close(row, Values(stored.begin(), stored.end()), {.relative = kSteps * 0x1p-24});
  }
}

TEST(CausalSoftmaxArguments, AreRefusedByName) {
  Array x(DType::fp32, 8);
  const cuda::Stream stream;

  EXPECT_EQ(test::refusal([&] {
              causal_softmax(DType::fp32, x.data(), x.data(), {3, 2}, stream);
            }),
            "causal_softmax: shape.rows must be a multiple of shape.columns");
  EXPECT_EQ(test::refusal([&] {
              causal_softmax(DType::fp32, nullptr, x.data(), {2, 2}, stream);
            }),
            "causal_softmax: in must be an array, not null");
}

}  // namespace
}  // namespace cupel::kernels::norm
