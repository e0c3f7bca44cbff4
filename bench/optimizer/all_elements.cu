#include "bench/optimizer/all_elements.hpp"

#include "bench/optimizer/right_step.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/common/uniform.hpp"

namespace cupel::bench::optimizer {
namespace {

constexpr int kBlock = 256;

RightStep right_step_of(const CheckedStep& step) {
  return step.adam == nullptr ? right_step(*step.sgd) : right_step(*step.adam, step.adam_step);
}

__device__ double value_at(const Start& start, std::int64_t i) {
  return kernels::uniform(verify::Generator(start.seed), i, start.low, start.high - start.low);
}

__global__ void __launch_bounds__(kBlock)
    find_wrong_kernel(CheckedStep step, RightStep right, Stepped arrays, unsigned long long* found) {
  const std::int64_t place = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (place >= arrays.count) return;
  const std::int64_t i = arrays.first + place;
  const Values was{value_at(step.parameter, i), value_at(step.m, i), value_at(step.v, i)};
  const Values expected = after(right, was, value_at(step.gradient, i) * step.inverse_scale);
  const Values seen{arrays.parameter[i], arrays.m[i], arrays.v == nullptr ? was.v : arrays.v[i]};
  if (is_right(seen, expected, step.allowed)) return;
  atomicAdd(found, 1ull);
  atomicMin(found + 1, static_cast<unsigned long long>(i));
}

}  // namespace

void find_wrong(const CheckedStep& step, const Stepped& arrays, unsigned long long* found, cudaStream_t stream) {
  if (arrays.count == 0) return;
  const auto blocks = static_cast<unsigned>((arrays.count + kBlock - 1) / kBlock);
  find_wrong_kernel<<<blocks, kBlock, 0, stream>>>(step, right_step_of(step), arrays, found);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::bench::optimizer
