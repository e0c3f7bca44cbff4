// The number formats that matrix products and convolutions take, with random numbers in them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::dot {

/// fp4_e2m1: two in a byte, the one of the lower index in the lower half.
enum class Element { fp64, fp32, fp16, bf16, fp8_e4m3, fp8_e5m2, int8, int32, fp4_e2m1 };

const char* to_string(Element element);

/// Bytes of `count` elements.
std::int64_t size_bytes(Element element, std::int64_t count);

/// Largest finite number; 127 of int8, so that its numbers are as many on either side.
double largest(Element element);

/// The value at `index`, exactly.
CUPEL_HOST_DEVICE inline double load(Element element, const void* data, std::int64_t index) {
  switch (element) {
    case Element::fp64:
      return static_cast<const double*>(data)[index];
    case Element::fp32:
      return static_cast<const float*>(data)[index];
    case Element::fp16:
      return __half2float(static_cast<const __half*>(data)[index]);
    case Element::bf16:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[index]);
    case Element::fp8_e4m3:
      return static_cast<float>(static_cast<const __nv_fp8_e4m3*>(data)[index]);
    case Element::fp8_e5m2:
      return static_cast<float>(static_cast<const __nv_fp8_e5m2*>(data)[index]);
    case Element::int8:
      return static_cast<const std::int8_t*>(data)[index];
    case Element::int32:
      return static_cast<const std::int32_t*>(data)[index];
    case Element::fp4_e2m1: {
      const auto pair = static_cast<const std::uint8_t*>(data)[index / 2];
      const auto code = static_cast<unsigned>(index % 2 == 0 ? pair : pair >> 4) & 0xfu;
      // Sign, two bits of exponent with bias 1, one of fraction: 0, 0.5, 1, 1.5, 2, 3, 4, 6.
      const unsigned exponent = (code >> 1) & 3u;
      const double fraction = 0.5 * (code & 1u);
      const double magnitude = exponent == 0 ? fraction : (1 + fraction) * (1u << (exponent - 1));
      return (code & 8u) != 0 ? -magnitude : magnitude;
    }
  }
  return 0;
}

/// data[i] = a standard normal number divided by `step`, rounded to nearest; what is beyond the format's range becomes
/// its largest number. The numbers are those of verify::Generator(seed), so data[i] depends on seed, i and step alone.
/// data: device memory of size_bytes(element, count). Enqueues; throws CudaError if the launch is refused, and
/// std::invalid_argument unless step is above 0.
void fill_normal(void* data, Element element, std::int64_t count, std::uint64_t seed, double step, cudaStream_t stream);

/// Numbers of which `density` are not 0 in the mean, as many of either sign, and which are then this large: 1, a whole
/// number of 1 to `most`, or what a normal number is.
enum class Magnitude { one, whole, normal };
struct Sparse {
  double density = 1;
  Magnitude magnitude = Magnitude::one;
  int most = 1;
  bool operator==(const Sparse&) const = default;
};

/// The number at `index`, before it is rounded to a format. Whole numbers are exact in every format that has them, and
/// so are their sums, in any order, as long as the format has these.
CUPEL_HOST_DEVICE inline double sparse_number(const Sparse& sparse, std::uint64_t seed, std::uint64_t index) {
  const int sign = verify::Generator(seed).sign(index, sparse.density);
  const verify::Generator magnitudes(~seed);
  if (sign == 0 || sparse.magnitude == Magnitude::one) return sign;
  if (sparse.magnitude == Magnitude::whole) return sign * magnitudes.small_integer(index, 1, sparse.most);
  return sign * magnitudes.normal(index);
}

/// data[i] = sparse_number(sparse, seed, i), rounded to nearest. data: as above. Enqueues; throws CudaError, and
/// std::invalid_argument unless density is 0 to 1 and `most` 1 or more.
void fill_sparse(void* data, Element element, std::int64_t count, std::uint64_t seed, const Sparse& sparse,
                 cudaStream_t stream);

}  // namespace cupel::kernels::dot
