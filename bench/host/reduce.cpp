// The sum of squares of an array on the host: a pass that writes the squares and a pass that sums them, against one
// pass that does both. Thrust's two host systems: CPP is one thread, OpenMP all of them.
#include <thrust/reduce.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/host/topics.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::host {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

struct Square {
  double operator()(float x) const { return static_cast<double>(x) * static_cast<double>(x); }
};

// Whole numbers from 0 to 15, whose squares add up exactly in double, in any order, to 2^53 / 225 of them.
struct Input {
  std::vector<float> values;
  double sum = 0;  // of their squares
};

Input make_input(std::int64_t bytes, std::uint64_t seed) {
  Input input{std::vector<float>(static_cast<std::size_t>(bytes) / sizeof(float))};
  verify::fill_small_integers<float>(input.values, seed, 0, 15);
  for (const float value : input.values) input.sum += Square{}(value);
  return input;
}

const Input& input_of(const benchmark::State& state) {
  return harness::memoized<make_input>(state.range(0), harness::options().seed);
}

template <class Sum>
void measure(benchmark::State& state, const Input& input, const Sum& sum) {
  double result = 0;

  // Each element is read once; one number is written. What the squares take on their way is not the algorithm's.
  const record::Workload work = {.bytes_read = state.range(0),
                                 .bytes_written = sizeof(double),
                                 .flops = 2 * static_cast<std::int64_t>(input.values.size())};
  harness::sample_host(state, work, [&] { result = sum(); });

  harness::require(result == input.sum,
                   "the sum of squares is " + std::to_string(result) + ", not " + std::to_string(input.sum));
}

template <class Policy>
harness::Body transform_then_reduce(Policy policy) {
  return [policy](benchmark::State& state) {
    const Input& input = input_of(state);
    const std::vector<float>& values = input.values;
    std::vector<double> squares(values.size());
    measure(state, input, [&] {
      thrust::transform(policy, values.begin(), values.end(), squares.begin(), Square{});
      return thrust::reduce(policy, squares.begin(), squares.end(), 0.0, std::plus<double>{});
    });
  };
}

template <class Policy>
harness::Body transform_reduce(Policy policy) {
  return [policy](benchmark::State& state) {
    const Input& input = input_of(state);
    const std::vector<float>& values = input.values;
    measure(state, input, [&] {
      return thrust::transform_reduce(policy, values.begin(), values.end(), Square{}, 0.0, std::plus<double>{});
    });
  };
}

harness::Definition& with_sizes(harness::Definition& definition) {
  return definition.host_only()
      .sweep("bytes", {.quick = {1_MiB, 16_MiB}, .standard = {64_KiB, 64_MiB}})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.host_bytes = 3 * args[0]}; });
}

}  // namespace

void register_reduce() {
  using harness::add;
  using record::Role;
  with_sizes(add("host/reduce/impl:transform_then_reduce/system:cpp", transform_then_reduce(thrust::cpp::par)))
      .advice("fuse-reduce", Role::before, "host/system:cpp");
  with_sizes(add("host/reduce/impl:transform_reduce/system:cpp", transform_reduce(thrust::cpp::par)))
      .advice("fuse-reduce", Role::after, "host/system:cpp");
  with_sizes(add("host/reduce/impl:transform_then_reduce/system:omp", transform_then_reduce(thrust::omp::par)))
      .advice("fuse-reduce", Role::before, "host/system:omp");
  with_sizes(add("host/reduce/impl:transform_reduce/system:omp", transform_reduce(thrust::omp::par)))
      .advice("fuse-reduce", Role::after, "host/system:omp");
}

}  // namespace cupel::bench::host
