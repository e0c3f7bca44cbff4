// Sizes beside a multiple of 8, against the next multiple: what padding gives, the work on the padding included.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/gemm/operations.hpp"
#include "bench/gemm/product.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::gemm {
namespace {

using harness::add;
using harness::Definition;
using harness::Profile;
using record::Role;

constexpr std::int64_t kHidden = 4096;
constexpr std::int64_t kTokens = 2048;

Definition& define(const std::string& name, Precision precision, const Shape& shape) {
  return add(name, multiply(precision, [shape](const benchmark::State&) { return shape; }))
      .memory(
          [precision, shape](const auto&) { return harness::Memory{.device_bytes = memory_bytes(precision, shape)}; });
}

Shape head(std::int64_t vocabulary) { return linear(vocabulary, kHidden, kTokens); }

// Each size below is one that people have; after it comes the multiple of 8 that it would be padded to.
void register_sizes_of_fp16() {
  define("gemm/align/precision:fp16/n:4095", Precision::fp16, square(4095))
      .advice("multiples-of-8", Role::before, "precision:fp16/n:4095");
  define("gemm/align/precision:fp16/n:4096", Precision::fp16, square(4096))
      .advice("multiples-of-8", Role::after, "precision:fp16/n:4095");
  define("gemm/align/precision:fp16/n:4097", Precision::fp16, square(4097))
      .advice("multiples-of-8", Role::before, "precision:fp16/n:4097");
  define("gemm/align/precision:fp16/n:4098", Precision::fp16, square(4098))
      .advice("multiples-of-8", Role::before, "precision:fp16/n:4098");
  define("gemm/align/precision:fp16/n:4100", Precision::fp16, square(4100))
      .advice("multiples-of-8", Role::before, "precision:fp16/n:4100");
  define("gemm/align/precision:fp16/n:4104", Precision::fp16, square(4104))
      .advice("multiples-of-8", Role::after, "precision:fp16/n:4097")
      .advice("multiples-of-8", Role::after, "precision:fp16/n:4098")
      .advice("multiples-of-8", Role::after, "precision:fp16/n:4100");
}

void register_sizes_of_tf32() {
  define("gemm/align/precision:tf32/n:4095", Precision::tf32, square(4095))
      .from(Profile::full)
      .advice("multiples-of-8", Role::before, "precision:tf32/n:4095");
  define("gemm/align/precision:tf32/n:4096", Precision::tf32, square(4096))
      .from(Profile::full)
      .advice("multiples-of-8", Role::after, "precision:tf32/n:4095");
  define("gemm/align/precision:tf32/n:4097", Precision::tf32, square(4097))
      .from(Profile::full)
      .advice("multiples-of-8", Role::before, "precision:tf32/n:4097");
  define("gemm/align/precision:tf32/n:4100", Precision::tf32, square(4100))
      .from(Profile::full)
      .advice("multiples-of-8", Role::before, "precision:tf32/n:4100");
  define("gemm/align/precision:tf32/n:4104", Precision::tf32, square(4104))
      .from(Profile::full)
      .advice("multiples-of-8", Role::after, "precision:tf32/n:4097")
      .advice("multiples-of-8", Role::after, "precision:tf32/n:4100");
}

}  // namespace

void register_align() {
  register_sizes_of_fp16();
  register_sizes_of_tf32();
  define("gemm/align/precision:bf16/vocabulary:50257", Precision::bf16, head(kVocabulary))
      .from(Profile::standard)
      .advice("multiples-of-8", Role::before, "precision:bf16/vocabulary:50257");
  define("gemm/align/precision:bf16/vocabulary:50304", Precision::bf16, head(kPaddedVocabulary))
      .from(Profile::standard)
      .advice("multiples-of-8", Role::after, "precision:bf16/vocabulary:50257");
}

}  // namespace cupel::bench::gemm
