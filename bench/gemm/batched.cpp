// Many small products of one shape: called one by one, or in one call in three forms.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/gemm/operations.hpp"
#include "bench/gemm/product.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::gemm {
namespace {

using benchmark::State;
using harness::add;
using harness::Definition;
using harness::Profile;
using harness::Sweep;
using record::Role;

// As many launches as fit behind the hold that keeps their latency out of the device's time.
constexpr std::int64_t kBatch = 256;

Problem batch_of(Precision precision, const State& state) { return {precision, square(state.range(0)), kBatch}; }

// Device time is what the GPU does; host time, to completion, is what a program waits, launches included.
void sample(State& state, const Problem& problem, int launches, const std::function<void(cudaStream_t)>& work) {
  problem.set_roof_limit();
  timing::sample_device(state, problem.work(), work, {.host_too = true, .launches = launches});
  problem.require_right();
}

void loop(State& state, Precision precision) {
  const Problem problem = batch_of(precision, state);
  sample(state, problem, static_cast<int>(kBatch), [&](cudaStream_t stream) {
    for (std::int64_t i = 0; i < kBatch; ++i) {
      multiply_by_cublas(precision, problem.shape(), problem.operands(i), stream);
    }
  });
}

void strided(State& state, Precision precision) {
  const Problem problem = batch_of(precision, state);
  const Traits& t = traits(precision);
  const Shape shape = problem.shape();
  const Operands first = problem.operands();
  sample(state, problem, 1, [&](cudaStream_t stream) {
    vendor::check(vendor::cublas::gemm_strided_batched_ex(
        vendor::cublas_on(stream), operation(shape.transpose_a), operation(shape.transpose_b), shape.m, shape.n,
        shape.k, one(t.scale_type), first.a, t.type_a, leading_a(shape), shape.m * shape.k, first.b, t.type_b,
        leading_b(shape), shape.k * shape.n, zero(t.scale_type), first.c, t.type_c, shape.m, shape.m * shape.n, kBatch,
        t.compute, CUBLAS_GEMM_DEFAULT));
  });
}

// The addresses of all operands, in device memory.
struct Addresses {
  explicit Addresses(const Problem& problem) {
    std::vector<const void*> of_a, of_b;
    std::vector<void*> of_c;
    for (std::int64_t i = 0; i < kBatch; ++i) {
      const Operands operands = problem.operands(i);
      of_a.push_back(operands.a);
      of_b.push_back(operands.b);
      of_c.push_back(operands.c);
    }
    a = cuda::DeviceBuffer<const void*>(std::span<const void* const>(of_a));
    b = cuda::DeviceBuffer<const void*>(std::span<const void* const>(of_b));
    c = cuda::DeviceBuffer<void*>(std::span<void* const>(of_c));
  }
  cuda::DeviceBuffer<const void*> a, b;
  cuda::DeviceBuffer<void*> c;
};

void pointer_array(State& state, Precision precision) {
  const Problem problem = batch_of(precision, state);
  const Traits& t = traits(precision);
  const Shape shape = problem.shape();
  const Addresses at(problem);
  sample(state, problem, 1, [&](cudaStream_t stream) {
    vendor::check(vendor::cublas::gemm_batched_ex(
        vendor::cublas_on(stream), operation(shape.transpose_a), operation(shape.transpose_b), shape.m, shape.n,
        shape.k, one(t.scale_type), at.a.data(), t.type_a, leading_a(shape), at.b.data(), t.type_b, leading_b(shape),
        zero(t.scale_type), at.c.data(), t.type_c, shape.m, kBatch, t.compute, CUBLAS_GEMM_DEFAULT));
  });
}

// Groups may differ in shape; here there is one. The call brings the groups' sizes to the device by itself, so that it
// cannot be timed behind a hold: host time only.
void grouped(State& state, Precision precision) {
  const Problem problem = batch_of(precision, state);
  problem.set_roof_limit();
  const Traits& t = traits(precision);
  const Shape shape = problem.shape();
  const Addresses at(problem);
  const cublasOperation_t transpose_a = operation(shape.transpose_a), transpose_b = operation(shape.transpose_b);
  const std::int64_t lead_a = leading_a(shape), lead_b = leading_b(shape), size = kBatch;
  const cudaStream_t stream = timing::Rig::get().stream();

  harness::sample_host(state, problem.work(), [&] {
    vendor::check(vendor::cublas::gemm_grouped_batched_ex(
        vendor::cublas_on(stream), &transpose_a, &transpose_b, &shape.m, &shape.n, &shape.k, one(t.scale_type),
        at.a.data(), t.type_a, &lead_a, at.b.data(), t.type_b, &lead_b, zero(t.scale_type), at.c.data(), t.type_c,
        &shape.m, std::int64_t{1}, &size, t.compute));
    cuda::check(cudaStreamSynchronize(stream));
  });

  problem.require_right();
}

using Call = void (*)(State&, Precision);

// A product of 512 takes so long that how it is called does not show: of the variants that is for the full profile.
const Sweep kSizes = {.quick = {128}, .standard = {32, 512}, .full = {64, 256}};
const Sweep kSizesOfVariants = {.quick = {128}, .standard = {32}, .full = {64, 256, 512}};

Definition& define(const std::string& name, Call call, Precision precision, const Sweep& sizes = kSizes) {
  return add(name, [call, precision](State& state) { call(state, precision); })
      .sweep("n", sizes)
      .memory([precision](const auto& n) {
        return harness::Memory{.device_bytes = memory_bytes(precision, square(n[0]), kBatch)};
      });
}

}  // namespace

void register_batched() {
  define("gemm/batched/call:loop/precision:fp16/batch:256", loop, Precision::fp16)
      .advice("batched-gemm", Role::before, "precision:fp16/batch:256");
  define("gemm/batched/call:strided/precision:fp16/batch:256", strided, Precision::fp16)
      .advice("batched-gemm", Role::after, "precision:fp16/batch:256");
  define("gemm/batched/call:pointer_array/precision:fp16/batch:256", pointer_array, Precision::fp16, kSizesOfVariants)
      .from(Profile::standard)
      .advice("batched-gemm", Role::variant, "precision:fp16/batch:256", "pointer_array");
  define("gemm/batched/call:grouped/precision:fp16/batch:256", grouped, Precision::fp16, kSizesOfVariants)
      .from(Profile::standard)
      .advice("batched-gemm", Role::variant, "precision:fp16/batch:256", "grouped");

  define("gemm/batched/call:loop/precision:fp32/batch:256", loop, Precision::fp32)
      .from(Profile::full)
      .advice("batched-gemm", Role::before, "precision:fp32/batch:256");
  define("gemm/batched/call:strided/precision:fp32/batch:256", strided, Precision::fp32)
      .from(Profile::full)
      .advice("batched-gemm", Role::after, "precision:fp32/batch:256");
}

}  // namespace cupel::bench::gemm
