// Square products in every precision; and one in which the numbers are zero, for what that does to power and clock.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/gemm/operations.hpp"
#include "bench/gemm/product.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::gemm {
namespace {

using harness::add;
using harness::Definition;
using harness::Profile;
using harness::Sweep;
using record::Role;

Shape square_of(const benchmark::State& state) { return square(state.range(0)); }

Definition& with_sizes(Definition& definition, Precision precision, Sweep sizes) {
  return definition.sweep("n", std::move(sizes)).memory([precision](const auto& n) {
    return harness::Memory{.device_bytes = memory_bytes(precision, square(n[0]))};
  });
}

Definition& define(const std::string& name, Precision precision, Sweep sizes) {
  return with_sizes(add(name, multiply(precision, square_of)), precision, std::move(sizes));
}

// The sizes that the advice is about. 1024 is bound by memory and launches, 8192 by arithmetic. A product of 16384 in
// fp32 takes a fifth of a second: the full profile's.
Sweep sizes() { return {.quick = {1024, 4096, 8192}, .standard = {256, 2048}, .full = {512, 16384}}; }
Sweep sizes_of_others() { return {.quick = {}, .standard = {4096, 8192}, .full = {256, 512, 1024, 2048, 16384}}; }

}  // namespace

void register_square() {
  define("gemm/square/precision:fp32", Precision::fp32, sizes())
      .advice("mixed-precision", Role::before, "square")
      .advice("mixed-energy", Role::before, "square");
  define("gemm/square/precision:tf32", Precision::tf32, sizes())
      .advice("mixed-precision", Role::after, "square", "tf32")
      .advice("mixed-energy", Role::after, "square", "tf32");
  define("gemm/square/precision:fp16", Precision::fp16, sizes())
      .advice("mixed-precision", Role::after, "square", "fp16")
      .advice("mixed-energy", Role::after, "square", "fp16");
  define("gemm/square/precision:bf16", Precision::bf16, sizes())
      .advice("mixed-precision", Role::after, "square", "bf16")
      .advice("mixed-energy", Role::after, "square", "bf16");
  define("gemm/square/precision:fp8_e4m3", Precision::fp8_e4m3, sizes())
      .advice("mixed-precision", Role::after, "square", "fp8_e4m3");

  define("gemm/square/precision:fp64", Precision::fp64, sizes_of_others()).from(Profile::standard);
  define("gemm/square/precision:fp16_in_fp16", Precision::fp16_in_fp16, sizes_of_others())
      .from(Profile::standard)
      .advice("mixed-precision", Role::variant, "square", "fp16_in_fp16");
  define("gemm/square/precision:fp8_e4m3_fast", Precision::fp8_e4m3_fast, sizes_of_others())
      .from(Profile::standard)
      .advice("mixed-precision", Role::variant, "square", "fp8_e4m3_fast");
  define("gemm/square/precision:fp8_e5m2", Precision::fp8_e5m2, sizes_of_others())
      .from(Profile::standard)
      .advice("mixed-precision", Role::variant, "square", "fp8_e5m2");
  define("gemm/square/precision:int8", Precision::int8, sizes_of_others()).from(Profile::standard);
  define("gemm/square/precision:fp4_e2m1", Precision::fp4_e2m1, sizes_of_others())
      .from(Profile::standard)
      .advice("mixed-precision", Role::variant, "square", "fp4_e2m1");
}

void register_inputs() {
  const Sweep sizes = {.quick = {8192}};
  const auto filled_with = [](Content content) { return multiply(Precision::bf16, square_of, content); };
  with_sizes(add("gemm/inputs/content:normal/precision:bf16", filled_with(Content::normal)), Precision::bf16, sizes)
      .from(Profile::standard);
  with_sizes(add("gemm/inputs/content:zeros/precision:bf16", filled_with(Content::zeros)), Precision::bf16, sizes)
      .from(Profile::standard);
}

}  // namespace cupel::bench::gemm
