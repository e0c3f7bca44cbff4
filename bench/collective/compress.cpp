// Gradients reduced as they are, or cast to bf16 before and back after: half the bytes for two passes over memory.
#include <benchmark/benchmark.h>

#include <cuda_bf16.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/collective/arrays.hpp"
#include "bench/collective/clique.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/check.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_MiB;
using kernels::DType;
using kernels::collective::Kind;
using kernels::collective::Values;

harness::Sweep sizes() { return {.quick = {64_MiB}, .standard = {1_MiB, 256_MiB}, .full = {16_MiB}}; }

// Cast, reduced in place, and cast back.
class Compressed {
 public:
  Compressed(const Arrays& memory, std::int64_t count) : memory_(memory), count_(count) {
    Ranks::get().each([&](int) { halves_.emplace_back(static_cast<std::size_t>(count)); });
  }

  void reduce() {
    cast_all(DType::fp32, DType::bf16);
    clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
      void* half = half_of(rank);
      const void* source = half;
      const auto count = static_cast<std::size_t>(count_);
      vendor::check(vendor::nccl::all_reduce(source, half, count, ncclBfloat16, ncclSum, comm, stream));
    });
    cast_all(DType::bf16, DType::fp32);
  }

 private:
  void* half_of(int rank) { return halves_[static_cast<std::size_t>(rank)].data(); }

  void cast_all(DType from, DType to) {
    Ranks& ranks = Ranks::get();
    ranks.each([&](int rank) {
      const auto place = static_cast<std::size_t>(rank);
      const bool is_before = from == DType::fp32;
      const void* in = is_before ? static_cast<const void*>(memory_.send[place]) : half_of(rank);
      void* out = is_before ? half_of(rank) : static_cast<void*>(memory_.receive[place]);
      kernels::pointwise::cast(from, in, to, out, count_, ranks[rank].stream);
    });
  }

  const Arrays& memory_;
  std::int64_t count_;
  std::vector<cuda::DeviceBuffer<__nv_bfloat16>> halves_;
};

record::Workload work_of(std::int64_t bytes) {
  return {.bytes_moved = bus_bytes(Operation::all_reduce, bytes, Ranks::get().size())};
}

void in_fp32(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Clique& all = clique();
  const Values whole{harness::input_seed(), Kind::whole}, values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, whole);
  call(all, Operation::all_reduce, memory, bytes);
  require_right(Operation::all_reduce, memory, bytes, whole);
  fill(memory, bytes / 4, values);
  sample_graph(work_of(bytes), [&] { call(all, Operation::all_reduce, memory, bytes); });
  require_right(Operation::all_reduce, memory, bytes, values);
}

void in_bf16(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Arrays& memory = arrays(Buffer::plain, bytes);
  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, bytes / 4, values);
  Compressed gradients(memory, bytes / 4);
  const auto require_sums = [&] {
    require_right("all-reduce in bf16", true, [&](int rank, auto* findings, cudaStream_t stream) {
      kernels::collective::check_bf16_sum(memory.receive[static_cast<std::size_t>(rank)], bytes / 4, values,
                                          Ranks::get().size(), 0, findings, stream);
    });
  };
  gradients.reduce();
  require_sums();
  fill(memory, bytes / 4, values);
  sample_graph(work_of(bytes), [&] { gradients.reduce(); });
  require_sums();
  harness::set_note("bytes are those of the gradients in fp32; both casts are in the time");
}

}  // namespace

void register_compress() {
  const auto wanted = [](const std::vector<std::int64_t>& args) {
    return harness::Memory{.device_bytes = 3 * args[0]};
  };
  add_with_ranks("collective/compress/to:none", in_fp32)
      .sweep("bytes", sizes())
      .memory(wanted)
      .advice("compress-gradients", record::Role::before, "all_reduce");
  add_with_ranks("collective/compress/to:bf16", in_bf16)
      .sweep("bytes", sizes())
      .memory(wanted)
      .advice("compress-gradients", record::Role::after, "all_reduce", "bf16");
}

}  // namespace cupel::bench::collective
