// Two kernels in a row. Between them the data goes to the host and back, as after .cpu() in a loop, or stays.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::transfer::advance_words;
using record::Role;

// One pass: in -> middle -> out, one step of the generator each.
struct Pass {
  explicit Pass(std::int64_t size)
      : bytes(size),
        in(device_memory(Side::source, bytes)),
        middle(device_memory(Side::destination, 2 * bytes)),
        out(middle + words(bytes)),
        pattern(fresh_pattern()) {
    fill_device(in, bytes, pattern);
    poison_device(middle, 2 * bytes);
  }

  void first(cudaStream_t stream) const { advance_words(in, middle, words(bytes), 1, stream); }
  void second(cudaStream_t stream) const { advance_words(middle, out, words(bytes), 1, stream); }
  void require_out() const { require_on_device(out, bytes, advanced(pattern, 2), "two kernels in a row"); }

  std::int64_t bytes;
  std::uint32_t* in;
  std::uint32_t* middle;
  std::uint32_t* out;
  kernels::transfer::Pattern pattern;
};

// The host waits for the data, because it went there to be seen. What crosses the link counts, down and up one after
// the other; what the kernels read and wrote would make a rate of it that no link has.
void data_leaves(State& state, HostMemory kind) {
  const Pass pass(state.range(0));
  std::uint32_t* host = host_memory(kind, Side::destination, pass.bytes);
  timing::set_link_limit();

  sample_to_completion(state, kind, {.bytes_moved = 2 * pass.bytes}, [&](cudaStream_t stream) {
    pass.first(stream);
    copy_async(host, pass.middle, pass.bytes, cudaMemcpyDeviceToHost, stream);
    check(cudaStreamSynchronize(stream));
    copy_async(pass.middle, host, pass.bytes, cudaMemcpyHostToDevice, stream);
    pass.second(stream);
  });

  pass.require_out();
  require_on_host(host, pass.bytes, advanced(pass.pattern, 1), "data on the way through the host");
}

// Read and written twice, in device memory.
void data_stays(State& state) {
  const Pass pass(state.range(0));
  const record::Workload work{.bytes_read = 2 * pass.bytes, .bytes_written = 2 * pass.bytes};

  sample_to_completion(state, HostMemory::pinned, work, [&](cudaStream_t stream) {
    pass.first(stream);
    pass.second(stream);
  });

  pass.require_out();
}

Sweep sizes() { return {.quick = {64_KiB, 16_MiB}, .standard = {4_KiB, 1_MiB, 64_MiB}, .full = {256_MiB}}; }

}  // namespace

void register_roundtrip() {
  add("transfer/roundtrip/data:leaves/memory:pageable", [](State& state) { data_leaves(state, HostMemory::pageable); })
      .sweep("bytes", sizes())
      .memory(per_byte(3, 1))
      .advice("keep-on-device", Role::before, "memory:pageable");
  add("transfer/roundtrip/data:leaves/memory:pinned", [](State& state) { data_leaves(state, HostMemory::pinned); })
      .sweep("bytes", sizes())
      .memory(per_byte(3, 1))
      .advice("keep-on-device", Role::before, "memory:pinned");
  add("transfer/roundtrip/data:stays", data_stays)
      .sweep("bytes", sizes())
      .memory(per_byte(3, 0))
      .advice("keep-on-device", Role::after, "memory:pageable")
      .advice("keep-on-device", Role::after, "memory:pinned");
}

}  // namespace cupel::bench::transfer
