// One thread writes the elements of one byte, or one element if it is wider.
#include <cmath>
#include <stdexcept>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::kernels::dot {
namespace {

constexpr int kBlock = 256;  // 8 blocks fill an SM's 2048 threads

struct Normal {
  verify::Generator random;
  double step, most;
  __device__ double operator()(std::int64_t i) const {
    const double x = random.normal(static_cast<std::uint64_t>(i)) / step;
    return x > most ? most : (x < -most ? -most : x);
  }
};

struct SparseNumber {
  Sparse sparse;
  std::uint64_t seed;
  __device__ double operator()(std::int64_t i) const {
    return sparse_number(sparse, seed, static_cast<std::uint64_t>(i));
  }
};

template <class Number>
__global__ void __launch_bounds__(kBlock) fill_kernel(void* data, Element element, std::int64_t count, Number number) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (element == Element::fp4_e2m1) {
    if (2 * i >= count) return;
    const double low = number(2 * i);
    const double high = 2 * i + 1 < count ? number(2 * i + 1) : 0;
    const auto low_code = __nv_cvt_double_to_fp4(low, __NV_E2M1, cudaRoundNearest);
    const auto high_code = __nv_cvt_double_to_fp4(high, __NV_E2M1, cudaRoundNearest);
    static_cast<std::uint8_t*>(data)[i] = static_cast<std::uint8_t>((low_code & 0xfu) | (high_code << 4));
    return;
  }
  if (i >= count) return;
  const double value = number(i);
  switch (element) {
    case Element::fp64:
      static_cast<double*>(data)[i] = value;
      break;
    case Element::fp32:
      static_cast<float*>(data)[i] = static_cast<float>(value);
      break;
    case Element::fp16:
      static_cast<__half*>(data)[i] = __double2half(value);
      break;
    case Element::bf16:
      static_cast<__nv_bfloat16*>(data)[i] = __double2bfloat16(value);
      break;
    case Element::fp8_e4m3:
      static_cast<__nv_fp8_e4m3*>(data)[i] = __nv_fp8_e4m3(value);
      break;
    case Element::fp8_e5m2:
      static_cast<__nv_fp8_e5m2*>(data)[i] = __nv_fp8_e5m2(value);
      break;
    case Element::int8:
      static_cast<std::int8_t*>(data)[i] = static_cast<std::int8_t>(rint(value));
      break;
    case Element::int32:
      static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(rint(value));
      break;
    case Element::fp4_e2m1:
      break;
  }
}

template <class Number>
void fill(void* data, Element element, std::int64_t count, const Number& number, cudaStream_t stream) {
  if (count == 0) return;
  const std::int64_t threads = element == Element::fp4_e2m1 ? (count + 1) / 2 : count;
  const auto blocks = static_cast<unsigned>((threads + kBlock - 1) / kBlock);
  fill_kernel<<<blocks, kBlock, 0, stream>>>(data, element, count, number);
  cuda::check(cudaGetLastError());
}

}  // namespace

const char* to_string(Element element) {
  switch (element) {
    case Element::fp64:
      return "fp64";
    case Element::fp32:
      return "fp32";
    case Element::fp16:
      return "fp16";
    case Element::bf16:
      return "bf16";
    case Element::fp8_e4m3:
      return "fp8_e4m3";
    case Element::fp8_e5m2:
      return "fp8_e5m2";
    case Element::int8:
      return "int8";
    case Element::int32:
      return "int32";
    case Element::fp4_e2m1:
      break;
  }
  return "fp4_e2m1";
}

std::int64_t size_bytes(Element element, std::int64_t count) {
  switch (element) {
    case Element::fp64:
      return 8 * count;
    case Element::fp32:
    case Element::int32:
      return 4 * count;
    case Element::fp16:
    case Element::bf16:
      return 2 * count;
    case Element::fp8_e4m3:
    case Element::fp8_e5m2:
    case Element::int8:
      return count;
    case Element::fp4_e2m1:
      break;
  }
  return (count + 1) / 2;
}

double largest(Element element) {
  switch (element) {
    case Element::fp64:
      return 0x1.fffffffffffffp1023;
    case Element::fp32:
      return 0x1.fffffep127;
    case Element::fp16:
      return 65504;
    case Element::bf16:
      return 0x1.fep127;
    case Element::fp8_e4m3:
      return 448;
    case Element::fp8_e5m2:
      return 57344;
    case Element::int8:
      return 127;
    case Element::int32:
      return 0x7fffffff;
    case Element::fp4_e2m1:
      break;
  }
  return 6;
}

void fill_normal(void* data, Element element, std::int64_t count, std::uint64_t seed, double step,
                 cudaStream_t stream) {
  if (!(step > 0)) throw std::invalid_argument("fill_normal: step must be above 0");
  fill(data, element, count, Normal{verify::Generator(seed), step, largest(element)}, stream);
}

void fill_sparse(void* data, Element element, std::int64_t count, std::uint64_t seed, const Sparse& sparse,
                 cudaStream_t stream) {
  if (!(sparse.density >= 0 && sparse.density <= 1)) {
    throw std::invalid_argument("fill_sparse: density must be 0 to 1");
  }
  if (sparse.most < 1) throw std::invalid_argument("fill_sparse: most must be 1 or more");
  fill(data, element, count, SparseNumber{sparse, seed}, stream);
}

}  // namespace cupel::kernels::dot
