// Products at small and awkward sizes, by both libraries and in every precision the device has, against the definition.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "bench/gemm/matmul.hpp"
#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/record/machine.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/dot/check.hpp"

namespace cupel::bench::gemm {
namespace {

using kernels::dot::Array;
using kernels::dot::Element;

// Operands with random numbers and a result without any.
struct Data {
  Data(Precision of, const Shape& with)
      : precision(of),
        shape(with),
        a(bytes(traits(precision).a, shape.m * shape.k)),
        b(bytes(traits(precision).b, shape.k * shape.n)),
        c(bytes(traits(precision).c, shape.m * shape.n)) {
    const Traits& t = traits(precision);
    kernels::dot::fill_normal(a.data(), t.a, shape.m * shape.k, 1, step_of(t.a), nullptr);
    kernels::dot::fill_normal(b.data(), t.b, shape.k * shape.n, 2, step_of(t.b), nullptr);
    cuda::check(cudaMemset(c.data(), 0xff, c.size_bytes()));
    cuda::check(cudaDeviceSynchronize());
  }
  static std::size_t bytes(Element element, std::int64_t count) {
    return static_cast<std::size_t>(kernels::dot::size_bytes(element, count));
  }

  Operands operands() { return {a.data(), b.data(), c.data()}; }

  kernels::dot::DotErrors errors() const {
    const Traits& t = traits(precision);
    const bool fp8 = t.a == Element::fp8_e4m3 || t.a == Element::fp8_e5m2;
    const Array of_a{a.data(), t.a, step_of(t.a)}, of_b{b.data(), t.b, step_of(t.b)};
    const Array of_c{c.data(), t.c, fp8 ? 1 : step_of(t.a) * step_of(t.b)};
    return kernels::dot::DotChecker().gemm(
        {of_a, shape.transpose_a ? shape.k : 1, shape.transpose_a ? 1 : shape.m},
        {of_b, shape.transpose_b ? shape.n : 1, shape.transpose_b ? 1 : shape.k}, {of_c, 1, shape.m}, shape.m, shape.n,
        shape.k, {verify::dot_bound(shape.k, rounding(precision)), shape.m * shape.n, 0}, nullptr);
  }

  Precision precision;
  Shape shape;
  cuda::DeviceBuffer<char> a, b, c;
};

bool device_has(Precision precision) {
  const Traits& t = traits(precision);
  return device::lacking(t.name, t.arithmetic, device::read_device_info(0, nullptr)).empty();
}

std::vector<Shape> awkward_shapes() {
  return {{.m = 1, .n = 1, .k = 1},
          {.m = 129, .n = 67, .k = 31},
          {.m = 64, .n = 3, .k = 257},
          {.m = 100, .n = 50, .k = 75, .transpose_a = false},
          {.m = 33, .n = 65, .k = 129, .transpose_a = false, .transpose_b = true},
          {.m = 256, .n = 256, .k = 4096}};
}

class OfCublas : public testing::TestWithParam<Precision> {};

TEST_P(OfCublas, IsRightAtEveryShape) {
  if (!device_has(GetParam())) return;  // that it says so is tested in gemm_test.cpp
  const cuda::Stream stream;
  for (const Shape& shape : awkward_shapes()) {
    Data data(GetParam(), shape);
    multiply_by_cublas(GetParam(), shape, data.operands(), stream);
    stream.synchronize();
    EXPECT_TRUE(data.errors().passed()) << traits(GetParam()).name << ' ' << shape.m << " x " << shape.n << " x "
                                        << shape.k << ": " << data.errors().message();
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, OfCublas,
                         testing::Values(Precision::fp64, Precision::fp32, Precision::tf32, Precision::fp16,
                                         Precision::bf16, Precision::fp16_in_fp16));

class OfCublasLt : public testing::TestWithParam<Precision> {};

TEST_P(OfCublasLt, IsRightByEveryAlgorithmThatItOffers) {
  if (!device_has(GetParam())) return;
  const cuda::Stream stream;
  for (const Shape& shape : {Shape{.m = 64, .n = 48, .k = 96}, Shape{.m = 256, .n = 128, .k = 4096}}) {
    Data data(GetParam(), shape);
    const LtProduct product(GetParam(), shape);
    for (const cublasLtMatmulAlgo_t& algorithm : product.choices(8)) {
      cuda::check(cudaMemset(data.c.data(), 0xff, data.c.size_bytes()));
      cuda::check(cudaDeviceSynchronize());
      product.multiply(data.operands(), algorithm, stream);
      stream.synchronize();
      EXPECT_TRUE(data.errors().passed()) << traits(GetParam()).name << ": " << data.errors().message();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, OfCublasLt,
                         testing::Values(Precision::fp64, Precision::fp32, Precision::tf32, Precision::fp16,
                                         Precision::bf16, Precision::fp8_e4m3, Precision::fp8_e4m3_fast,
                                         Precision::fp8_e5m2, Precision::fp4_e2m1));

TEST(Int8, IsExact) {
  const Shape shape{.m = 64, .n = 96, .k = 512};
  Data data(Precision::int8, shape);
  const cuda::Stream stream;

  multiply_by_cublas(Precision::int8, shape, data.operands(), stream);
  stream.synchronize();

  EXPECT_TRUE(data.errors().passed()) << data.errors().message();  // its bound is 0: the check must not round either
  EXPECT_EQ(data.errors().relative_frobenius, 0);
}

TEST(Errors, GrowFromPrecisionToPrecision) {
  const auto error_of = [](Precision precision) {
    const Shape shape{.m = 256, .n = 256, .k = 1024};
    Data data(precision, shape);
    const cuda::Stream stream;
    multiply_by_cublas(precision, shape, data.operands(), stream);
    stream.synchronize();
    return data.errors().relative_frobenius;
  };

  EXPECT_LT(error_of(Precision::fp64), 1e-14);
  EXPECT_LT(error_of(Precision::fp32), 1e-6);  // with TF32 it would be above 1e-4
  if (device_has(Precision::tf32)) {
    EXPECT_GT(error_of(Precision::tf32), 1e-4);
  }
}

}  // namespace
}  // namespace cupel::bench::gemm
