// In place of bench/fusion/sum_of_squares.cu, whose kernels are Thrust's and CUB's: loops on the host, in the order of
// the stream.
#include "bench/fusion/sum_of_squares.hpp"

#include <algorithm>
#include <cstring>

#include "cupel/cuda/cuda.hpp"
#include "kernels/reduce/functors.hpp"
#include "tests/emulator/launch.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::reduce::SumOfSquares;

constexpr std::size_t kTemporaryBytes = 1024;

// Calls body() in one thread of the device.
template <class Body>
void run(const char* name, cudaStream_t stream, const Body& body) {
  emulator::launch_body(name, nullptr, dim3(1), dim3(1), 0, stream, body);
  cuda::check(cudaGetLastError());
}

float squared(float x) { return SumOfSquares::of(x); }

void square(const float* in, float* squares, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) squares[i] = SumOfSquares::of(in[i]);
}

// In pairs of halves, as a tree of threads adds: the sum of many floats one after another is another one.
template <class Of>
float sum(const float* in, std::int64_t count, const Of& of) {
  if (count <= 32) {
    float total = 0;
    for (std::int64_t i = 0; i < count; ++i) total = SumOfSquares::both(total, of(in[i]));
    return total;
  }
  return SumOfSquares::both(sum(in, count / 2, of), sum(in + count / 2, count - count / 2, of));
}

float fetched(const float* result, cudaStream_t stream) {
  float host = 0;
  cuda::check(cudaMemcpyAsync(&host, result, sizeof(host), cudaMemcpyDeviceToHost, stream));
  cuda::check(cudaStreamSynchronize(stream));
  return host;
}

}  // namespace

class ThrustSum::Cache {
 public:
  cuda::DeviceBuffer<float> result{1};
};

ThrustSum::ThrustSum(Waiting waiting, Temporary temporary)
    : waiting_(waiting), temporary_(temporary), cache_(std::make_unique<Cache>()) {}

ThrustSum::~ThrustSum() = default;

float ThrustSum::transform_then_reduce(const float* in, float* squares, std::int64_t count, cudaStream_t stream) {
  float* result = cache_->result.data();
  run("thrust::transform", stream, [=] { square(in, squares, count); });
  if (waiting_ == Waiting::every_algorithm) cuda::check(cudaStreamSynchronize(stream));
  run("thrust::reduce", stream, [=] { *result = sum(squares, count, [](float x) { return x; }); });
  return fetched(result, stream);
}

float ThrustSum::transform_reduce(const float* in, std::int64_t count, cudaStream_t stream) {
  float* result = cache_->result.data();
  run("thrust::transform_reduce", stream, [=] { *result = sum(in, count, squared); });
  return fetched(result, stream);
}

std::size_t cub_temporary_bytes(std::int64_t) { return kTemporaryBytes; }

void cub_transform_reduce(void* temporary, std::size_t temporary_bytes, const float* in, std::int64_t count, float* out,
                          cudaStream_t stream) {
  run("cub::DeviceReduce::TransformReduce", stream, [=] {
    std::memset(temporary, 0, temporary_bytes);
    *out = sum(in, count, squared);
  });
}

}  // namespace cupel::bench::fusion
