#include "bench/fusion/norm_operation.hpp"

#include <cuda_runtime.h>

#include <cmath>
#include <utility>

#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::fusion {

using kernels::norm::Shape;

using harness::operator""_MiB;

harness::Sweep norm_sizes() { return {.quick = {64_MiB}, .full = {1_MiB, 512_MiB}}; }

Shape norm_shape(const benchmark::State& state) {
  const std::int64_t columns = state.range(0), bytes = state.range(1);
  return {bytes / kernels::size_of(kNormType) / columns, columns};
}

namespace {

void require_none(const Wrong& wrong, const Shape& shape, const std::string& what) {
  harness::require(wrong.elements == 0, what + ": " + std::to_string(wrong.elements) + " of " +
                                            std::to_string(shape.rows * shape.columns) +
                                            " elements are wrong, the first is " + std::to_string(wrong.first));
}

}  // namespace

std::int64_t norm_bytes(const Shape& shape) { return shape.rows * shape.columns * kernels::size_of(kNormType); }

cuda::DeviceBuffer<float> floats(std::int64_t count) {
  constexpr int kNaN = 0xFF;  // each byte of it
  cuda::DeviceBuffer<float> numbers(static_cast<std::size_t>(count));
  if (count > 0) cuda::check(cudaMemset(numbers.data(), kNaN, numbers.size_bytes()));
  cuda::check(cudaDeviceSynchronize());
  return numbers;
}

const float* column_floats(Slot slot, const Shape& shape) {
  return static_cast<const float*>(input(slot, kernels::DType::fp32, shape.columns));
}

kernels::norm::TextbookWorkspace norm_workspace(NormImpl impl, const Shape& shape) {
  return {kNormType, impl == NormImpl::textbook ? shape : Shape{}};
}

void measure_norm(benchmark::State& state, const Shape& shape, const NormOperation& operation) {
  const record::Workload work{.bytes_read = operation.bytes_read,
                              .bytes_written = operation.bytes_written,
                              .items = shape.rows * shape.columns};
  timing::set_memory_limit(work);
  timing::sample_device(state, work, operation.run, {.launches = operation.launches});
  operation.check();
}

std::vector<std::int64_t> looked_at(std::int64_t count) { return {0, count / 2, count - 1}; }

void require_row(const Shape& shape, const void* out, std::int64_t r, const std::vector<double>& expected,
                 const Tolerance& tolerance, const std::string& what) {
  const std::int64_t first = r * shape.columns;
  require_close(expected, elements(kNormType, out, first, shape.columns), tolerance, first, what);
}

void require_all_rows(Rowwise right, const Shape& shape, const void* out, const Tolerance& tolerance,
                      const std::string& what) {
  right.epsilon = static_cast<double>(kNormEpsilon);
  require_none(find_wrong(right, kNormType, shape, out, tolerance.absolute, tolerance.relative), shape, what);
}

RightColumns require_all_columns(Columnwise right, const Shape& shape, const void* out, const Tolerance& tolerance,
                                 const std::string& what) {
  right.epsilon = static_cast<double>(kNormEpsilon);
  WrongColumns found = find_wrong(right, kNormType, shape, out, tolerance.absolute, tolerance.relative);
  require_none(found.wrong, shape, what);
  return std::move(found.right);
}

// How far an average over the rows of numbers of size 1 may be off. Ours adds no more in a row than the rows of a
// strip, then the strips; cuDNN has thousands of threads at work, which add fewer. Partial sums grow as their number of
// terms, so each rounding is at most 2^-24 of the average; roundings are independent of each other, and eight times the
// root of their squares' sum holds them all.
double average_error(const Shape& shape) {
  const double strips = kernels::norm::row_strips(shape);
  return 8 * std::sqrt(static_cast<double>(shape.rows) / strips + strips) * 0x1p-24;
}

// d_beta and d_gamma are sums, of products with normalised numbers, which are off by 2.6 errors: 3.5 and twice 2.6.
Tolerance of_sum(const Shape& shape) { return {10 * average_error(shape) * static_cast<double>(shape.rows), 1e-6}; }

void require_floats(const std::vector<double>& expected, const cuda::DeviceBuffer<float>& seen,
                    const Tolerance& tolerance, const std::string& what) {
  require_close(expected, elements(kernels::DType::fp32, seen.data(), 0, static_cast<std::int64_t>(seen.size())),
                tolerance, 0, what);
}

std::vector<double> row_of(Slot slot, const Shape& shape, std::int64_t r) {
  return inputs(slot, kNormType, r * shape.columns, shape.columns);
}

std::vector<double> column_of(Slot slot, const Shape& shape, std::int64_t c) {
  std::vector<double> values;
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    values.push_back(input_at(slot, kNormType, r * shape.columns + c));
  }
  return values;
}

void require_column(const Shape& shape, const void* out, std::int64_t c, const std::vector<double>& expected,
                    const Tolerance& tolerance, const std::string& what) {
  constexpr std::uint64_t kLooks = 32;
  const verify::Generator random(static_cast<std::uint64_t>(c));
  for (std::uint64_t i = 0; i < kLooks; ++i) {
    const auto r = static_cast<std::int64_t>(random.bits(i) % static_cast<std::uint64_t>(shape.rows));
    const std::int64_t place = r * shape.columns + c;
    require_close({expected[static_cast<std::size_t>(r)]}, elements(kNormType, out, place, 1), tolerance, place, what);
  }
}

Tolerance of_normalised(NormImpl impl) {
  const double unit = kernels::unit_roundoff(kNormType);
  return impl == NormImpl::single_pass ? Tolerance{1e-5, 1.01 * unit} : Tolerance{6 * 16 * unit, 0};
}

void register_norm_operation(const std::string& operation, void (*body)(benchmark::State&, NormImpl),
                             const std::string& textbook, const std::string& single_pass, const NormPlace& place) {
  const auto define = [&](const std::string& name, NormImpl impl) -> harness::Definition& {
    const std::int64_t arrays = place.arrays;
    return harness::add(name, [body, impl](benchmark::State& state) { body(state, impl); })
        .sweep("columns", place.columns)
        .sweep("bytes", norm_sizes())
        .memory([arrays](const std::vector<std::int64_t>& args) {
          return harness::Memory{.device_bytes = arrays * args[1]};
        })
        .from(place.smallest);
  };
  harness::Definition& before = define(textbook, NormImpl::textbook);
  harness::Definition& after = define(single_pass, NormImpl::single_pass);
  if (!place.judged) return;
  before.advice("fuse-norm", record::Role::before, operation);
  after.advice("fuse-norm", record::Role::after, operation, "single_pass");
}

}  // namespace cupel::bench::fusion
