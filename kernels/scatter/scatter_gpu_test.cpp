#include "kernels/scatter/scatter.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "kernels/common/test_arrays.hpp"
#include "kernels/scatter/reference.hpp"

namespace cupel::kernels::scatter {
namespace {

using test::Array;
using test::expect_close;
using test::random_integers;
using test::random_values;
using test::refusal;
using test::Values;

std::vector<std::int64_t> random_indices(std::int64_t count, std::int64_t rows, std::uint64_t seed) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  verify::fill_small_integers<std::int64_t>(all, seed, 0, static_cast<int>(rows - 1));
  return all;
}

const float* floats(const Array& array) { return static_cast<const float*>(array.data()); }

// None, one, all to one row, more and fewer rows than terms, rows that nothing is added to.
std::vector<Rows> shapes() {
  return {{0, 3, 4}, {1, 1, 1}, {1000, 1, 1}, {1000, 1, 300}, {257, 5, 64}, {64, 256, 1000}, {5000, 33, 7}};
}

std::string text(const Rows& s) {
  return std::to_string(s.count) + " x " + std::to_string(s.columns) + " into " + std::to_string(s.rows);
}

// Whole numbers, of which every order gives the same sum.
TEST(AddRows, AreTheReferenceToTheBit) {
  const cuda::Stream stream;
  for (const Rows& s : shapes()) {
    const Values source = random_integers(s.count * s.columns, 1, -4, 4);
    const Values before = random_integers(s.rows * s.columns, 2, -4, 4);
    const std::vector<std::int64_t> index = random_indices(s.count, s.rows, 3);
    Values expected = before;
    reference::add_rows(source, index, s.columns, expected);
    const Array device_source(DType::fp32, source);
    const cuda::DeviceBuffer<std::int64_t> device_index{std::span<const std::int64_t>(index)};
    Array by_atomics(DType::fp32, before), by_sorting(DType::fp32, before);
    SortWorkspace workspace(s.count);

    add_rows_by_atomics(s, floats(device_source), device_index.data(), by_atomics.floats(), stream);
    add_rows_by_sorting(s, floats(device_source), device_index.data(), workspace, by_sorting.floats(), stream);
    stream.synchronize();

    SCOPED_TRACE(text(s));
    expect_close(expected, by_atomics.get());
    expect_close(expected, by_sorting.get());
  }
}

// Adds fractions, whose sum depends on the order: in fp32, one after the other, as they come.
TEST(AddRows, BySortingAddInTheOrderOfTheSource) {
  const cuda::Stream stream;
  const Rows s{5000, 3, 7};
  const Values source = random_values(DType::fp32, s.count * s.columns, 1);
  const std::vector<std::int64_t> index = random_indices(s.count, s.rows, 2);
  std::vector<float> sums(static_cast<std::size_t>(s.rows * s.columns));
  for (std::size_t i = 0; i < source.size(); ++i) {
    const auto row = static_cast<std::size_t>(index[i / 3]);
    sums[3 * row + i % 3] += static_cast<float>(source[i]);
  }
  const Array device_source(DType::fp32, source);
  const cuda::DeviceBuffer<std::int64_t> device_index{std::span<const std::int64_t>(index)};
  Array out(DType::fp32, Values(sums.size()));
  SortWorkspace workspace(s.count);

  add_rows_by_sorting(s, floats(device_source), device_index.data(), workspace, out.floats(), stream);
  stream.synchronize();

  expect_close(Values(sums.begin(), sums.end()), out.get());
}

TEST(UpsampleBackward, IsTheReferenceToTheBit) {
  const cuda::Stream stream;
  for (const Upsampling& s : {Upsampling{1, 1, 1}, {2, 1, 5}, {3, 4, 1}, {2, 7, 9}, {5, 16, 16}}) {
    const Values d_out = random_integers(s.out_count(), 1, -8, 8);
    Values expected(static_cast<std::size_t>(s.in_count()));
    reference::upsample_backward(d_out, expected, s);
    const Array device_d_out(DType::fp32, d_out);
    Array by_atomics(DType::fp32, Values(expected.size())), by_gathering(DType::fp32, s.in_count());

    upsample_backward_by_atomics(s, floats(device_d_out), by_atomics.floats(), stream);
    upsample_backward_by_gathering(s, floats(device_d_out), by_gathering.floats(), stream);
    stream.synchronize();

    SCOPED_TRACE(std::to_string(s.height) + " x " + std::to_string(s.width));
    expect_close(expected, by_atomics.get());
    expect_close(expected, by_gathering.get());
  }
}

TEST(Scatter, RefusesWhatItCannotDo) {
  SortWorkspace small(2);
  float some = 0;
  std::int64_t index = 0;

  EXPECT_EQ(refusal([&] {
              add_rows_by_atomics({1, 0, 1}, &some, &index, &some, nullptr);
            }),
            "add_rows_by_atomics: columns must be at least 1");
  EXPECT_EQ(refusal([&] {
              add_rows_by_sorting({3, 1, 1}, &some, &index, small, &some, nullptr);
            }),
            "add_rows_by_sorting: workspace must be for as many indices");
  EXPECT_EQ(refusal([&] {
              upsample_backward_by_atomics({1, 0, 1}, &some, &some, nullptr);
            }),
            "upsample_backward_by_atomics: height and width must be at least 1");
  EXPECT_NO_THROW(upsample_backward_by_gathering({0, 1, 1}, nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace cupel::kernels::scatter
