#include "bench/fusion/arrays.hpp"

#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/fill.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;
using kernels::DType;
using kernels::size_of;

constexpr float kLow = -2, kHigh = 2;
constexpr int kNaNByte = 0xFF;  // of all ones: NaN in every floating-point type

// Never destroyed: the driver may be gone before statics are.
cuda::DeviceBuffer<unsigned char>& arena(Slot slot) {
  static auto& arenas = *new std::array<cuda::DeviceBuffer<unsigned char>, 5>;
  return arenas[static_cast<std::size_t>(slot)];
}

std::uint64_t seed_of(Slot slot) { return harness::options().seed * 8 + static_cast<std::uint64_t>(slot); }

}  // namespace

void* device_memory(Slot slot, std::int64_t bytes) {
  auto& buffer = arena(slot);
  if (static_cast<std::int64_t>(buffer.size()) < bytes) {
    buffer = {};  // before the larger piece is made: both at once may not fit
    buffer = cuda::DeviceBuffer<unsigned char>(static_cast<std::size_t>(bytes));
  }
  return buffer.data();
}

device::Arithmetic arithmetic_of(DType type) {
  switch (type) {
    case DType::fp16:
      return device::Arithmetic::fp16;
    case DType::bf16:
      return device::Arithmetic::bf16;
    case DType::fp32:
      break;
  }
  return device::Arithmetic::fp32;
}

const void* input(Slot slot, DType type, std::int64_t count) {
  void* data = device_memory(slot, count * size_of(type));
  const cuda::Stream stream;
  kernels::fill_uniform(type, data, count, seed_of(slot), kLow, kHigh, stream);
  stream.synchronize();
  return data;
}

double input_at(Slot slot, DType type, std::int64_t i) {
  return kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const float value = kernels::uniform_at(i, seed_of(slot), kLow, kHigh);
    return static_cast<double>(kernels::to_float(kernels::from_float<T>(value)));
  });
}

std::vector<double> inputs(Slot slot, DType type, std::int64_t first, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = first; i < first + count; ++i) values.push_back(input_at(slot, type, i));
  return values;
}

void* result(DType type, std::int64_t count) {
  void* data = device_memory(Slot::out, count * size_of(type));
  check(cudaMemset(data, kNaNByte, static_cast<std::size_t>(count * size_of(type))));
  check(cudaDeviceSynchronize());
  return data;
}

std::vector<double> elements(DType type, const void* array, std::int64_t first, std::int64_t count) {
  check(cudaDeviceSynchronize());
  return kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::vector<T> raw(static_cast<std::size_t>(count));
    check(cudaMemcpy(raw.data(), static_cast<const T*>(array) + first, raw.size() * sizeof(T), cudaMemcpyDeviceToHost));
    std::vector<double> values;
    for (const T& x : raw) values.push_back(static_cast<double>(kernels::to_float(x)));
    return values;
  });
}

void require_close(const std::vector<double>& expected, const std::vector<double>& seen, const Tolerance& tolerance,
                   std::int64_t first, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double allowed = tolerance.absolute + tolerance.relative * std::fabs(expected[i]);
    if (std::fabs(seen[i] - expected[i]) <= allowed) continue;  // false for NaN
    harness::require(false, what + ": element " + std::to_string(first + static_cast<std::int64_t>(i)) + " is " +
                                std::to_string(seen[i]) + ", not " + std::to_string(expected[i]) + " within " +
                                std::to_string(allowed));
  }
}

std::function<harness::Memory(const std::vector<std::int64_t>&)> arrays_of_last(std::int64_t arrays) {
  return
      [arrays](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = arrays * args.back()}; };
}

}  // namespace cupel::bench::fusion
