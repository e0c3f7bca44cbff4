// Device memory that the benchmarks of the process share, seeded inputs in it, and whether results are right.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cupel/device/peaks.hpp"
#include "cupel/harness/registry.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::bench::fusion {

/// Inputs are left alone by the benchmarks, results and temporaries are not.
enum class Slot { input, other, columns, more_columns, out };

/// At least `bytes` of device memory, its content left by whoever had it before. Valid until more is asked for of the
/// same slot. Throws OutOfMemory.
void* device_memory(Slot slot, std::int64_t bytes);

/// `count` elements of `type`, uniform in [-2, 2), seeded by the run and the slot. Blocks.
const void* input(Slot slot, kernels::DType type, std::int64_t count);

/// Element i of input(), as the type holds it.
double input_at(Slot slot, kernels::DType type, std::int64_t i);

/// Elements [first, first + count) of input().
std::vector<double> inputs(Slot slot, kernels::DType type, std::int64_t first, std::int64_t count);

/// Memory for a result, filled with NaN, so that what is not written is not right. Blocks.
void* result(kernels::DType type, std::int64_t count);

/// Elements [first, first + count) of an array in device memory. Blocks.
std::vector<double> elements(kernels::DType type, const void* array, std::int64_t first, std::int64_t count);

/// The arithmetic of a matrix product of this type.
device::Arithmetic arithmetic_of(kernels::DType type);

/// How far a value may lie from the expected one.
struct Tolerance {
  double absolute, relative;
};

/// Throws CheckFailed unless all values are within the tolerance; `first` is where they lie in their array.
void require_close(const std::vector<double>& expected, const std::vector<double>& seen, const Tolerance& tolerance,
                   std::int64_t first, const std::string& what);

/// For Definition::memory(): `arrays` arrays of as many bytes as is swept last.
std::function<harness::Memory(const std::vector<std::int64_t>&)> arrays_of_last(std::int64_t arrays);

}  // namespace cupel::bench::fusion
