// A buffer for each step of a loop: allocated and freed, taken from a pool and given back, or there all the time. With
// a wait in every step and without: what a pool does at a wait is where it can backfire.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/memory/pool.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

enum class Wait { none, every_step };

// Steps of one sample that together stay below the driver's queue of about 1000; a step is four operations.
constexpr std::int64_t kMostSteps = 64;

// A step's use of its buffer: it writes one number and adds it to a sum. So little that the time is the allocator's.
class BufferUse {
 public:
  BufferUse() : sum_(std::span<const std::uint32_t>(std::vector<std::uint32_t>{0})) {}

  void run(void* buffer, cudaStream_t stream) {
    auto* word = static_cast<std::uint32_t*>(buffer);
    kernels::memory::write(word, 1, 1, stream);
    kernels::memory::read(word, 1, sum_.data(), stream);
    ++steps_;
  }

  void require_all_ran() const {
    const std::uint32_t sum = sum_.to_host()[0];
    harness::require(sum == steps_,
                     std::to_string(steps_) + " steps used their buffers and added up to " + std::to_string(sum));
  }

 private:
  cuda::DeviceBuffer<std::uint32_t> sum_;
  std::uint32_t steps_ = 0;
};

// acquire(stream) gives a buffer, release(buffer, stream) takes it back.
template <class Acquire, class Release>
void measure(State& state, Wait wait, const Acquire& acquire, const Release& release) {
  const cuda::Stream stream;
  BufferUse use;
  const auto call = [&] {
    void* buffer = acquire(stream.get());
    use.run(buffer, stream);
    release(buffer, stream.get());
    if (wait == Wait::every_step) stream.synchronize();
  };
  harness::sample_host(state, {.items = 1}, call, {.after = [&] { stream.synchronize(); }, .max_calls = kMostSteps});
  use.require_all_ran();
}

harness::Body with_malloc(Wait wait) {
  return [wait](State& state) {
    const auto bytes = static_cast<std::size_t>(state.range(0));
    measure(
        state, wait,
        [bytes](cudaStream_t) {
          void* p = nullptr;
          check(cudaMalloc(&p, bytes));
          return p;
        },
        [](void* p, cudaStream_t) { check(cudaFree(p)); });  // waits for the device by itself
  };
}

harness::Body with_pool(Keep keep, Wait wait) {
  return [=](State& state) {
    const std::int64_t bytes = state.range(0);
    const Pool pool(keep);
    measure(
        state, wait, [&](cudaStream_t stream) { return pool.allocate(bytes, stream); },
        [](void* p, cudaStream_t stream) { check(cudaFreeAsync(p, stream)); });
    harness::set_counter("held_after", {.value = static_cast<double>(pool.reserved_bytes()), .unit = "bytes"});
  };
}

harness::Body preallocated(Wait wait) {
  return [wait](State& state) {
    cuda::DeviceBuffer<char> buffer(static_cast<std::size_t>(state.range(0)));
    measure(
        state, wait, [&](cudaStream_t) -> void* { return buffer.data(); }, [](void*, cudaStream_t) {});
  };
}

harness::Definition& with_sizes(harness::Definition& definition) {
  return definition
      .sweep("bytes", {.quick = {16_MiB}, .standard = {256, 1_MiB, 1_GiB}, .full = harness::powers(256, 1_GiB, 4)})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[0]}; });
}

}  // namespace

void register_alloc() {
  const std::string none = "wait:none", every = "wait:every_step";
  with_sizes(add("memory/alloc/impl:malloc/wait:none", with_malloc(Wait::none)))
      .advice("reuse-buffers", Role::before, none);
  with_sizes(add("memory/alloc/impl:pool/threshold:zero/wait:none", with_pool(Keep::nothing, Wait::none)))
      .advice("reuse-buffers", Role::after, none, "pool_threshold_zero");
  with_sizes(add("memory/alloc/impl:pool/threshold:unlimited/wait:none", with_pool(Keep::everything, Wait::none)))
      .advice("reuse-buffers", Role::after, none, "pool_threshold_unlimited");
  with_sizes(add("memory/alloc/impl:preallocated/wait:none", preallocated(Wait::none)))
      .advice("reuse-buffers", Role::after, none, "preallocated");

  with_sizes(add("memory/alloc/impl:malloc/wait:every_step", with_malloc(Wait::every_step)))
      .advice("reuse-buffers", Role::before, every);
  with_sizes(add("memory/alloc/impl:pool/threshold:zero/wait:every_step", with_pool(Keep::nothing, Wait::every_step)))
      .advice("reuse-buffers", Role::after, every, "pool_threshold_zero");
  with_sizes(
      add("memory/alloc/impl:pool/threshold:unlimited/wait:every_step", with_pool(Keep::everything, Wait::every_step)))
      .advice("reuse-buffers", Role::after, every, "pool_threshold_unlimited");
  with_sizes(add("memory/alloc/impl:preallocated/wait:every_step", preallocated(Wait::every_step)))
      .advice("reuse-buffers", Role::after, every, "preallocated");
}

}  // namespace cupel::bench::memory
