// A family whose benchmarks do what benchmarks may do: work, skip, give wrong results, throw, measure nothing.
#include <chrono>
#include <thread>

#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"

using namespace cupel::harness;
using cupel::record::Role;

namespace {

void sleep_a_little() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

void works(benchmark::State& state) {
  sample_host(state, {.bytes_read = state.range(0), .items = 1}, sleep_a_little);
  set_counter("launches", {3, "count", cupel::record::Better::lower, true});
  set_limit({"a limit", "bytes", 1e9, "this test"});
}

// Inputs that take longer to make than all of its samples.
void sets_up_slowly(benchmark::State& state) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  sample_host(state, {.items = 1}, sleep_a_little);
}

void wrong_result(benchmark::State& state) {
  sample_host(state, {}, sleep_a_little);
  require(false, "1 + 1 gave 3");
}

}  // namespace

void register_benchmarks() {
  add("odd/works", works).sweep("bytes", {.quick = {8, 16}, .full = {32}}).advice("some-advice", Role::before, "odd");
  add("odd/sets_up_slowly", sets_up_slowly).sweep("bytes", {.quick = {8, 16, 32, 64}}).from(Profile::full);
  add("odd/skips", [](benchmark::State&) { skip("not on this machine"); });
  add("odd/wrong_result", wrong_result);
  add("odd/throws", [](benchmark::State&) { throw std::runtime_error("something\nbroke"); });
  add("odd/measures_nothing", [](benchmark::State&) {});
}
