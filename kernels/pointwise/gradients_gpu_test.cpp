#include "kernels/pointwise/gradients.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/pointwise/reference.hpp"

namespace cupel::kernels::pointwise {
namespace {

using test::Array;
using test::expect_close;
using test::random_integers;
using test::random_values;
using test::refusal;
using test::stored_as;
using test::Values;

constexpr Activation kActivations[] = {Activation::relu,     Activation::tanh,      Activation::sigmoid,
                                       Activation::gelu_erf, Activation::gelu_tanh, Activation::silu};
constexpr DType kTypes[] = {DType::fp32, DType::fp16, DType::bf16};

// As pointwise_gpu_test.cpp: up to 24 roundings of values below 4, functions of 2 ulp among them.
TEST(ActivationGradient, IsTheReferencesAtEveryAlignment) {
  const cuda::Stream stream;
  for (const DType type : kTypes) {
    for (const Activation activation : kActivations) {
      for (const std::int64_t count : {0, 1, 7, 8, 33, 2049, 8191}) {
        for (const std::int64_t offset : {0, 3}) {
          const Values in = random_values(type, count, 1, -4, 4), d_out = random_values(type, count, 2);
          const Array device_in(type, in, offset), device_d_out(type, d_out, offset);
          Array d_in(type, count, offset);
          Values expected(in.size());
          reference::activation_gradient(activation, in, d_out, expected);

          activation_gradient(type, activation, device_in.data(), device_d_out.data(), d_in.data(), count, stream);
          stream.synchronize();

          SCOPED_TRACE(std::string(to_string(activation)) + " " + to_string(type) + " " + std::to_string(count));
          expect_close(expected, d_in.get(), stored_as(type, 24, 4));
        }
      }
    }
  }
}

TEST(ActivationGradient, MayBeWrittenOverWhatComesIn) {
  const Values in = random_values(DType::fp16, 1000, 1), d_out = random_values(DType::fp16, 1000, 2);
  const Array device_in(DType::fp16, in);
  Array gradient(DType::fp16, d_out);
  Values expected(in.size());
  reference::activation_gradient(Activation::relu, in, d_out, expected);
  const cuda::Stream stream;

  activation_gradient(DType::fp16, Activation::relu, device_in.data(), gradient.data(), gradient.data(), 1000, stream);
  stream.synchronize();

  expect_close(expected, gradient.get());
}

// Whole numbers of at most 8, whose sums fp32 holds exactly and fp16 and bf16 round once.
TEST(BiasGradient, IsTheSumOfEachColumnAtEveryShape) {
  const cuda::Stream stream;
  for (const DType type : kTypes) {
    for (const std::int64_t columns : {1, 7, 8, 31, 256, 264, 1000, 2049}) {
      for (const std::int64_t rows : {0, 1, 63, 64, 65, 521, 1500}) {
        for (const std::int64_t offset : {0, 1}) {
          const Values d_out = random_integers(rows * columns, 3, -8, 8);
          const Array in(type, d_out, offset);
          Array d_bias(type, columns), partial(DType::fp32, kBiasStrips * columns);
          Values expected(static_cast<std::size_t>(columns));
          reference::bias_gradient(d_out, expected);

          bias_gradient(type, in.data(), d_bias.data(), partial.floats(), rows, columns, stream);
          stream.synchronize();

          SCOPED_TRACE(std::string(to_string(type)) + " " + std::to_string(rows) + " x " + std::to_string(columns));
          expect_close(expected, d_bias.get(), stored_as(type, 0, 0));
        }
      }
    }
  }
}

TEST(Gradients, NameABadArgument) {
  float memory = 0;
  void* array = &memory;

  EXPECT_NE(refusal([&] {
              activation_gradient(DType::fp32, Activation::relu, nullptr, array, array, 1, nullptr);
            }).find("activation_gradient: in"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] { bias_gradient(DType::fp32, array, array, &memory, 1, 0, nullptr); }).find("bias_gradient: columns"),
      std::string::npos);
  EXPECT_NE(
      refusal([&] { bias_gradient(DType::fp32, array, array, nullptr, 1, 1, nullptr); }).find("bias_gradient: partial"),
      std::string::npos);
}

}  // namespace
}  // namespace cupel::kernels::pointwise
