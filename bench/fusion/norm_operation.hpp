// The common part of the benchmarks of fusion/norm: an operation by the textbook, a kernel an operation of the formula,
// and in a single pass, on arrays of fp16.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/fusion/all_columns.hpp"
#include "bench/fusion/all_rows.hpp"
#include "bench/fusion/arrays.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "kernels/norm/norm.hpp"

namespace cupel::bench::fusion {

enum class NormImpl { textbook, single_pass };

inline constexpr kernels::DType kNormType = kernels::DType::fp16;
inline constexpr float kNormEpsilon = 1e-5f;

/// Bytes of an array: 8192 x 4096 elements; launches alone count in the smallest, memory alone in the largest.
harness::Sweep norm_sizes();

/// Rows of as many columns as the first argument says, as many as there are whole ones in an array of so many bytes as
/// the second says.
kernels::norm::Shape norm_shape(const benchmark::State& state);

/// Bytes of an array of fp16 with the shape.
std::int64_t norm_bytes(const kernels::norm::Shape& shape);

/// Bytes of `count` numbers in fp32 or labels.
constexpr std::int64_t words(std::int64_t count) { return 4 * count; }

/// Device memory for `count` numbers, none of which is there: NaN. What an earlier round left there would be right.
/// Blocks.
cuda::DeviceBuffer<float> floats(std::int64_t count);

/// As input(), a number in fp32 for each column.
const float* column_floats(Slot slot, const kernels::norm::Shape& shape);

/// For the textbook; empty for the single pass.
kernels::norm::TextbookWorkspace norm_workspace(NormImpl impl, const kernels::norm::Shape& shape);

struct NormOperation {
  std::string name;
  std::int64_t bytes_read = 0;  ///< each input once, what the forward pass kept included
  std::int64_t bytes_written = 0;
  int launches = 1;
  std::function<void(cudaStream_t)> run;
  std::function<void()> check;
};

/// Samples and checks the operation, and holds it against the peak rate of device memory.
void measure_norm(benchmark::State& state, const kernels::norm::Shape& shape, const NormOperation& operation);

/// The first row or column, the middle one and the last.
std::vector<std::int64_t> looked_at(std::int64_t count);

/// Row r of the result against what it should be.
void require_row(const kernels::norm::Shape& shape, const void* out, std::int64_t r,
                 const std::vector<double>& expected, const Tolerance& tolerance, const std::string& what);

/// All of the result, on the device; `right` has no epsilon yet.
void require_all_rows(Rowwise right, const kernels::norm::Shape& shape, const void* out, const Tolerance& tolerance,
                      const std::string& what);

/// Likewise of a batch norm. What each column has to be.
RightColumns require_all_columns(Columnwise right, const kernels::norm::Shape& shape, const void* out,
                                 const Tolerance& tolerance, const std::string& what);

/// How far an average over the rows of numbers of size 1 may be off, by one kernel that sums in fp32.
double average_error(const kernels::norm::Shape& shape);

/// How far the gradients of gamma and beta of a batch norm may be off, by such a kernel.
Tolerance of_sum(const kernels::norm::Shape& shape);

/// Numbers of all columns.
void require_floats(const std::vector<double>& expected, const cuda::DeviceBuffer<float>& seen,
                    const Tolerance& tolerance, const std::string& what);

/// Row r of an array of input().
std::vector<double> row_of(Slot slot, const kernels::norm::Shape& shape, std::int64_t r);

/// Column c of an array of input(): all of it, since its statistics need all.
std::vector<double> column_of(Slot slot, const kernels::norm::Shape& shape, std::int64_t c);

/// Some elements of column c of the result, other rows in each column.
void require_column(const kernels::norm::Shape& shape, const void* out, std::int64_t c,
                    const std::vector<double>& expected, const Tolerance& tolerance, const std::string& what);

/// Normalised values are of size 1. The textbook's temporaries are rounded to the type some six times, values of at
/// most 16; the single pass rounds once what it computed in fp32.
Tolerance of_normalised(NormImpl impl);

/// Where an operation stands in the profiles and what it sweeps. arrays: with the shape, workspaces included.
struct NormPlace {
  harness::Sweep columns;
  harness::Profile smallest = harness::Profile::full;
  std::int64_t arrays = 4;
  bool judged =
      true;  ///< by fuse-norm; not what nobody computes alone, as the gradient of the input without the others
};

/// Both ways of one operation, tagged as before and after of fuse-norm if it is judged; the names are spelt by the
/// caller.
void register_norm_operation(const std::string& operation, void (*body)(benchmark::State&, NormImpl),
                             const std::string& textbook, const std::string& single_pass, const NormPlace& place);

}  // namespace cupel::bench::fusion
