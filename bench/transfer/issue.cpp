// How long the asynchronous call keeps its caller. From pinned memory it hands the copy over and returns; from pageable
// memory the driver first moves the data through a buffer of its own, and the caller waits for it.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using harness::add;
using harness::Body;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

// One call a sample, on a stream that has nothing else to do: with several in flight the later ones would wait for the
// driver's buffer, or for room in the stream.
void sample_call(State& state, HostMemory memory, const std::uint32_t* source, std::uint32_t* destination,
                 std::int64_t bytes, cudaMemcpyKind kind) {
  const cuda::Stream stream;
  harness::HostSampling how = host_sampling(memory, bytes);
  how.after = [&] { stream.synchronize(); };
  how.calls = 1;
  how.few |= bytes > 16_MiB;  // each sample waits, outside its time, until the copy has drained
  harness::sample_host(
      state, {.items = 1}, [&] { copy_async(destination, source, bytes, kind, stream); }, how);
}

void issue_to_device(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* source = host_memory(kind, Side::source, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  poison_device(destination, bytes);

  sample_call(state, kind, source, destination, bytes, cudaMemcpyHostToDevice);

  require_on_device(destination, bytes, source_pattern(), "copy to the device");
}

void issue_from_device(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* source = device_memory(Side::source, bytes);
  std::uint32_t* destination = host_memory(kind, Side::destination, bytes);
  const auto pattern = fresh_pattern();
  fill_device(source, bytes, pattern);

  sample_call(state, kind, source, destination, bytes, cudaMemcpyDeviceToHost);

  require_on_host(destination, bytes, pattern, "copy from the device");
}

Body to_device(HostMemory kind) {
  return [kind](State& state) { issue_to_device(state, kind); };
}
Body from_device(HostMemory kind) {
  return [kind](State& state) { issue_from_device(state, kind); };
}

Sweep sizes() {
  return {.quick = {4_KiB, 16_MiB}, .standard = {64_KiB, 1_MiB, 64_MiB}, .full = harness::powers(4_KiB, 1_GiB, 4)};
}

}  // namespace

void register_issue() {
  add("transfer/issue/direction:h2d/memory:pageable", to_device(HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("pageable-async", Role::before, "h2d");
  add("transfer/issue/direction:h2d/memory:pinned", to_device(HostMemory::pinned))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("pageable-async", Role::after, "h2d");
  add("transfer/issue/direction:d2h/memory:pageable", from_device(HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("pageable-async", Role::before, "d2h");
  add("transfer/issue/direction:d2h/memory:pinned", from_device(HostMemory::pinned))
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("pageable-async", Role::after, "d2h");
}

}  // namespace cupel::bench::transfer
