#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/training/training.hpp"

namespace cupel::kernels::training {
namespace {

constexpr int kBlock = 256;

unsigned blocks_for(std::int64_t count) { return static_cast<unsigned>((count + kBlock - 1) / kBlock); }

template <class T>
__global__ void __launch_bounds__(kBlock) scale_by_kernel(T* data, const float* factor, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (i < count) data[i] = from_float<T>(to_float(data[i]) * *factor);
}

__global__ void update_loss_scale_kernel(LossScale* state, float* found_inf, LossScaleRule rule) {
  state->update(*found_inf != 0, rule);
  *found_inf = 0;
}

__global__ void __launch_bounds__(kBlock)
    update_running_kernel(RunningStatistics s, float epsilon, float momentum, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (i >= count) return;
  const float inverse = s.inverse_deviation[i];
  const float variance = (1 / (inverse * inverse) - epsilon) * s.unbias[i];
  s.running_mean[i] += momentum * (s.mean[i] - s.running_mean[i]);
  s.running_variance[i] += momentum * (variance - s.running_variance[i]);
}

}  // namespace

void scale_by(DType type, void* data, const float* factor, std::int64_t count, cudaStream_t stream) {
  require_array(data, count, size_of(type), "scale_by", "data");
  require_array(factor, 1, sizeof(float), "scale_by", "factor");
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    scale_by_kernel<<<blocks_for(count), kBlock, 0, stream>>>(static_cast<T*>(data), factor, count);
  });
  cuda::check(cudaGetLastError());
}

void update_loss_scale(LossScale* state, float* found_inf, const LossScaleRule& rule, cudaStream_t stream) {
  require_array(state, 1, sizeof(float), "update_loss_scale", "state");
  require_array(found_inf, 1, sizeof(float), "update_loss_scale", "found_inf");
  update_loss_scale_kernel<<<1, 1, 0, stream>>>(state, found_inf, rule);
  cuda::check(cudaGetLastError());
}

void update_running(const RunningStatistics& statistics, float epsilon, float momentum, std::int64_t count,
                    cudaStream_t stream) {
  require_arrays({{statistics.mean, "mean"},
                  {statistics.inverse_deviation, "inverse_deviation"},
                  {statistics.unbias, "unbias"},
                  {statistics.running_mean, "running_mean"},
                  {statistics.running_variance, "running_variance"}},
                 count, sizeof(float), "update_running");
  if (count == 0) return;
  update_running_kernel<<<blocks_for(count), kBlock, 0, stream>>>(statistics, epsilon, momentum, count);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::training
