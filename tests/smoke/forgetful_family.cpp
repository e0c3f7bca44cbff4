// A family with the mistake that `smoke.py sizes` is for: what is made for the rows of one size is kept by columns
// alone, and taken for those of another. Each benchmark by itself is right.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

using namespace cupel::harness;

namespace {

// Elements that a "plan" works on.
std::size_t plan_of(std::int64_t columns, std::int64_t bytes) {
  static std::map<std::int64_t, std::size_t> known;
  return known.try_emplace(columns, static_cast<std::size_t>(bytes) / sizeof(float)).first->second;
}

void fill(benchmark::State& state) {
  const std::int64_t columns = state.range(0), bytes = state.range(1);
  const std::size_t planned = plan_of(columns, bytes);
  std::vector<float> out(static_cast<std::size_t>(bytes) / sizeof(float), NAN);
  sample_host(state, {.bytes_written = bytes}, [&] { std::fill_n(out.begin(), std::min(planned, out.size()), 1.0f); });
  require(out.back() == 1, "the last element was not written");
}

}  // namespace

void register_benchmarks() {
  add("forgetful/fill", fill)
      .sweep("columns", {.quick = {4, 8}})
      .sweep("bytes", {.quick = {4096}, .full = {1024}})
      .memory([](const std::vector<std::int64_t>& args) { return Memory{.host_bytes = args[1]}; });
}
