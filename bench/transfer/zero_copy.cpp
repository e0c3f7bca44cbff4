// Host memory read and written by a kernel, without a copy: every word crosses the link once, at the kernel's asking.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "bench/transfer/check.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using record::Role;

// The address by which a kernel reaches page-locked host memory.
std::uint32_t* mapped(std::uint32_t* host) {
  if (cuda::attribute(cudaDevAttrCanMapHostMemory) == 0) harness::skip("the device cannot map host memory");
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, host, 0));
  return static_cast<std::uint32_t*>(address);
}

// Cold only, by both clocks: what a kernel read before may still lie in L2, and then a batch would measure that.
void sample_kernel(State& state, const std::uint32_t* in, std::uint32_t* out, std::int64_t bytes) {
  timing::sample_device(state, {.bytes_moved = bytes},
                        [=](cudaStream_t stream) { kernels::transfer::copy_words(in, out, words(bytes), stream); },
                        {.engine = timing::Engine::kernel, .hot = false, .host_too = true, .host_cold = true});
}

void read_host(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* in = mapped(host_memory(kind, Side::source, bytes));
  std::uint32_t* out = device_memory(Side::destination, bytes);
  poison_device(out, bytes);
  timing::set_link_limit();

  sample_kernel(state, in, out, bytes);

  require_on_device(out, bytes, source_pattern(), "read of host memory by a kernel");
}

void write_host(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* in = device_memory(Side::source, bytes);
  std::uint32_t* host = host_memory(kind, Side::destination, bytes);
  const auto pattern = fresh_pattern();
  fill_device(in, bytes, pattern);
  timing::set_link_limit();

  sample_kernel(state, in, mapped(host), bytes);

  require_on_host(host, bytes, pattern, "write of host memory by a kernel");
}

Sweep sizes() { return {.quick = {64_KiB, 16_MiB}, .standard = {4_KiB, 1_MiB, 64_MiB}, .full = {256_MiB}}; }

}  // namespace

void register_zero_copy() {
  add("transfer/zero_copy/read/memory:pinned", [](State& state) { read_host(state, HostMemory::pinned); })
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("bandwidth", Role::variant, "h2d", "zero_copy");
  add("transfer/zero_copy/write/memory:pinned", [](State& state) { write_host(state, HostMemory::pinned); })
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("bandwidth", Role::variant, "d2h", "zero_copy");
  add("transfer/zero_copy/read/memory:write_combined",
      [](State& state) { read_host(state, HostMemory::write_combined); })
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("bandwidth", Role::variant, "h2d", "zero_copy_write_combined");
  add("transfer/zero_copy/write/memory:write_combined",
      [](State& state) { write_host(state, HostMemory::write_combined); })
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("bandwidth", Role::variant, "d2h", "zero_copy_write_combined");
}

}  // namespace cupel::bench::transfer
