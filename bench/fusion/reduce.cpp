// The sum of squares of an array on the host: a pass that writes the squares and one that sums them, against one pass;
// by Thrust, by CUB and by our kernel. Thrust waits and allocates, which for small arrays is most of the time: with and
// without both.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "bench/fusion/arrays.hpp"
#include "bench/fusion/exact_sum.hpp"
#include "bench/fusion/sum_of_squares.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/reduce/reduce.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::add;
using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::DType;
using record::Role;

constexpr std::int64_t kFloat = 4;

// In double on the host: of many elements it takes longer than all that is timed.
double expected_sum(std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = input_at(Slot::input, DType::fp32, i);
    sum += x * x;
  }
  return sum;
}

// No way adds more than a few thousand terms in a row to one fp32 sum; all terms are positive.
void require_sum(double sum, std::int64_t count, const std::string& what) {
  const double expected = harness::memoized<expected_sum>(count);
  harness::require(std::fabs(sum - expected) <= 4096 * 0x1p-24 * expected,
                   what + ": the sum of squares is " + std::to_string(sum) + ", not " + std::to_string(expected));
}

// The way again, on numbers that every order adds up alike: the bound above has room for elements that are left out.
void require_whole_sum(std::int64_t count, const std::function<double(cudaStream_t)>& sum, const std::string& what) {
  auto* const in = static_cast<float*>(device_memory(Slot::input, count * kFloat));
  const std::int64_t ones = fill_with_ones(in, count, harness::look_seed());
  const cuda::Stream stream;
  const double found = sum(stream);
  harness::require(found == static_cast<double>(ones),
                   what + ": the sum of " + std::to_string(ones) + " ones is " + std::to_string(found));
}

// Each element read once, one number written, whatever the way.
record::Workload workload(std::int64_t count) {
  return {.bytes_read = count * kFloat, .bytes_written = kFloat, .flops = 2 * count, .items = count};
}

using Sum = std::function<double(cudaStream_t)>;

// Until the sum is on the host.
void measure_on_host(State& state, std::int64_t count, const Sum& sum, const std::string& what) {
  const cuda::Stream stream;
  double last = 0;
  timing::set_memory_limit(workload(count));
  harness::sample_host(state, workload(count), [&] { last = sum(stream); });
  require_sum(last, count, what);
  require_whole_sum(count, sum, what);
}

harness::Body by_thrust(bool in_one, Waiting waiting, Temporary temporary) {
  return [=](State& state) {
    const std::int64_t count = state.range(0) / kFloat;
    const auto* in = static_cast<const float*>(input(Slot::input, DType::fp32, count));
    auto* squares = in_one ? nullptr : static_cast<float*>(device_memory(Slot::out, count * kFloat));
    ThrustSum thrust(waiting, temporary);
    const auto sum = [&](cudaStream_t stream) -> double {
      return in_one ? thrust.transform_reduce(in, count, stream)
                    : thrust.transform_then_reduce(in, squares, count, stream);
    };
    measure_on_host(state, count, sum, "Thrust");
  };
}

// CUB and our kernel need input, memory for the result on both sides, workspaces. Nothing is allocated later.
struct Prepared {
  explicit Prepared(std::int64_t elements)
      : count(elements),
        in(static_cast<const float*>(input(Slot::input, DType::fp32, count))),
        out(std::span<const float>(std::vector<float>{std::numeric_limits<float>::quiet_NaN()})),
        landing(1),
        temporary_bytes(cub_temporary_bytes(count)),
        temporary(temporary_bytes) {}

  void by_cub(cudaStream_t stream) {
    cub_transform_reduce(temporary.data(), temporary_bytes, in, count, out.data(), stream);
  }
  void by_transform_and_cub(cudaStream_t stream) {
    auto* squares = static_cast<float*>(device_memory(Slot::out, count * kFloat));
    transform_then_cub_reduce(temporary.data(), temporary_bytes, in, squares, count, out.data(), stream);
  }
  void by_kernel(kernels::reduce::Passes passes, cudaStream_t stream) {
    kernels::reduce::reduce(kernels::reduce::Reduction::sum_of_squares, passes, DType::fp32, in, count, workspace,
                            out.data(), stream);
  }
  double to_host(cudaStream_t stream) {
    cuda::check(cudaMemcpyAsync(landing.data(), out.data(), sizeof(float), cudaMemcpyDeviceToHost, stream));
    cuda::check(cudaStreamSynchronize(stream));
    return static_cast<double>(landing[0]);
  }

  std::int64_t count;
  const float* in;
  cuda::DeviceBuffer<float> out;
  cuda::PinnedBuffer<float> landing;
  std::size_t temporary_bytes;
  cuda::DeviceBuffer<unsigned char> temporary;
  kernels::reduce::Workspace workspace;
};

enum class Way { transform_then_cub, cub, two_pass, single_pass };

const char* library_of(Way way) { return way == Way::cub || way == Way::transform_then_cub ? "CUB" : "our kernel"; }

void enqueue(Prepared& prepared, Way way, cudaStream_t stream) {
  if (way == Way::transform_then_cub) return prepared.by_transform_and_cub(stream);
  if (way == Way::cub) return prepared.by_cub(stream);
  prepared.by_kernel(way == Way::two_pass ? kernels::reduce::Passes::two : kernels::reduce::Passes::one, stream);
}

harness::Body to_host_by(Way way) {
  return [=](State& state) {
    Prepared prepared(state.range(0) / kFloat);
    const auto sum = [&](cudaStream_t stream) {
      enqueue(prepared, way, stream);
      return prepared.to_host(stream);
    };
    measure_on_host(state, prepared.count, sum, library_of(way));
  };
}

// The result stays on the device: device time, the libraries' kernels alone.
harness::Body on_device_by(Way way) {
  return [=](State& state) {
    Prepared prepared(state.range(0) / kFloat);
    timing::set_memory_limit(workload(prepared.count));
    timing::sample_device(state, workload(prepared.count), [&](cudaStream_t stream) { enqueue(prepared, way, stream); },
                          {.launches = 2});
    const cuda::Stream stream;
    require_sum(prepared.to_host(stream), prepared.count, library_of(way));
    const auto again = [&](cudaStream_t on) {
      enqueue(prepared, way, on);
      return prepared.to_host(on);
    };
    require_whole_sum(prepared.count, again, library_of(way));
  };
}

// To sum 256 MiB in double on the host takes longer than all that is timed.
harness::Definition& sized(harness::Definition& definition) {
  return definition.sweep("bytes", {.quick = {1_MiB, 64_MiB}, .full = {64_KiB, 16_MiB, 256_MiB}})
      .memory(arrays_of_last(2));
}

}  // namespace

// Before and after differ in whether the transform is a pass of its own, and in nothing else.
void register_reduce() {
  constexpr auto kEvery = Waiting::every_algorithm, kNoMore = Waiting::no_more_than_needed;
  constexpr auto kAllocated = Temporary::allocated, kCached = Temporary::cached;
  const auto standard = harness::Profile::standard;
  const std::string host = "result:host", device = "result:device";

  sized(add("fusion/reduce/result:host/impl:transform_then_reduce/policy:par", by_thrust(false, kEvery, kAllocated)))
      .advice("fuse-reduce", Role::before, host);
  sized(add("fusion/reduce/result:host/impl:transform_reduce/policy:par", by_thrust(true, kEvery, kAllocated)))
      .advice("fuse-reduce", Role::after, host);
  sized(add("fusion/reduce/result:host/impl:transform_then_reduce/policy:par_nosync",
            by_thrust(false, kNoMore, kAllocated)))
      .from(harness::Profile::full)
      .advice("fuse-reduce", Role::variant, host, "transform_then_reduce_nosync");
  sized(add("fusion/reduce/result:host/impl:transform_reduce/policy:par_nosync", by_thrust(true, kNoMore, kAllocated)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, host, "transform_reduce_nosync");
  sized(add("fusion/reduce/result:host/impl:transform_then_reduce/policy:par/memory:cached",
            by_thrust(false, kEvery, kCached)))
      .from(harness::Profile::full)
      .advice("fuse-reduce", Role::variant, host, "transform_then_reduce_cached");
  sized(
      add("fusion/reduce/result:host/impl:transform_reduce/policy:par/memory:cached", by_thrust(true, kEvery, kCached)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, host, "transform_reduce_cached");
  sized(add("fusion/reduce/result:host/impl:transform_reduce/policy:par_nosync/memory:cached",
            by_thrust(true, kNoMore, kCached)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, host, "transform_reduce_nosync_cached");
  sized(add("fusion/reduce/result:host/impl:cub", to_host_by(Way::cub)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, host, "cub");
  sized(add("fusion/reduce/result:host/impl:single_pass", to_host_by(Way::single_pass)))
      .advice("fuse-reduce", Role::variant, host, "single_pass");

  sized(add("fusion/reduce/result:device/impl:transform_then_cub", on_device_by(Way::transform_then_cub)))
      .from(standard)
      .advice("fuse-reduce", Role::before, device);
  sized(add("fusion/reduce/result:device/impl:cub", on_device_by(Way::cub)))
      .from(standard)
      .advice("fuse-reduce", Role::after, device);
  sized(add("fusion/reduce/result:device/impl:two_pass", on_device_by(Way::two_pass)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, device, "two_pass");
  sized(add("fusion/reduce/result:device/impl:single_pass", on_device_by(Way::single_pass)))
      .from(standard)
      .advice("fuse-reduce", Role::variant, device, "single_pass");
}

}  // namespace cupel::bench::fusion
