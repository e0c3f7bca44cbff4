// The traffic of sharding and the memory that it saves: parameters, gradients and the optimizer's state whole on each
// GPU, or a share. Source: Rajbhandari et al. (2020), "ZeRO: Memory Optimizations Toward Training Trillion Parameter
// Models", sections 5 and 7.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/collective/collectives.hpp"
#include "bench/collective/gradients.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/shares.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Kind;
using kernels::collective::Values;

constexpr const char* kModel = "transformer";

// Each rank's share of the sums, where it lies in the whole array.
void reduce_scatter(const Arrays& memory, std::int64_t share) {
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    const auto place = static_cast<std::size_t>(rank);
    const void* send = memory.send[place];
    void* receive = memory.receive[place] + rank * share;
    const auto count = static_cast<std::size_t>(share);
    vendor::check(vendor::nccl::reduce_scatter(send, receive, count, ncclFloat, ncclSum, comm, stream));
  });
}

void all_gather(const Arrays& memory, std::int64_t share) {
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    const auto place = static_cast<std::size_t>(rank);
    void* receive = memory.receive[place];
    const void* send = memory.receive[place] + rank * share;
    const auto count = static_cast<std::size_t>(share);
    vendor::check(vendor::nccl::all_gather(send, receive, count, ncclFloat, comm, stream));
  });
}

void step(Way way, const Arrays& memory, std::int64_t share) {
  const std::int64_t bytes = share * Ranks::get().size() * 4;
  if (way == Way::ddp) return call(clique(), Operation::all_reduce, memory, bytes);
  if (way == Way::zero3) all_gather(memory, share);  // parameters for the forward pass; the backward's come last
  reduce_scatter(memory, share);
  all_gather(memory, share);
}

std::int64_t free_bytes() {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

// Elements of the largest tensor, which is there gathered as well with zero3: no layer is computed without its
// parameters.
std::int64_t gathered(Way way) { return way == Way::zero3 ? std::ranges::max(tensors_of(kModel)) : 0; }

// Bytes that the first GPU lacks while it holds what the way has it hold, as the driver counts them: of all that use
// it.
std::int64_t bytes_lacking(Way way) {
  const std::int64_t before = free_bytes();
  std::vector<cuda::DeviceBuffer<float>> held;
  for (const std::int64_t elements : held_elements(way, parameters_of(kModel), Ranks::get().size())) {
    held.emplace_back(static_cast<std::size_t>(elements));
  }
  if (way == Way::zero3) held.emplace_back(static_cast<std::size_t>(gathered(way)));
  return before - free_bytes();
}

// The driver rounds each array up to a page. What another process takes or gives back meanwhile is counted with it, so
// a reading that is off is taken again; what this program holds too much or too little is off each time.
std::int64_t measured_bytes(Way way) {
  const OnDevice on(Ranks::get()[0].device);
  const std::int64_t expected = held_bytes(way, parameters_of(kModel), Ranks::get().size()) + 4 * gathered(way);
  const std::int64_t rounding = (2 << 20) * (way == Way::zero3 ? 5 : 4);  // for each array
  constexpr int kReadings = 10;
  std::int64_t bytes = bytes_lacking(way);
  for (int more = 1; more < kReadings && std::abs(bytes - expected) > rounding; ++more) bytes = bytes_lacking(way);
  harness::require(std::abs(bytes - expected) <= rounding,
                   "a GPU holds " + std::to_string(bytes) + " bytes, not " + std::to_string(expected));
  return bytes;
}

void measure(Way way) {
  const int ranks = Ranks::get().size();
  const std::int64_t share = (parameters_of(kModel) + ranks - 1) / ranks;
  const Arrays& memory = arrays(Buffer::plain, 4 * share * ranks);
  // Sums that were scattered and gathered again are those of an all-reduce.
  const auto require_sums = [&](const Values& values) {
    require_right(Operation::all_reduce, memory, 4 * share * ranks, values);
  };
  const Values whole{harness::input_seed(), Kind::whole}, values{harness::look_seed(), Kind::fraction};
  fill(memory, share * ranks, whole);
  step(way, memory, share);
  require_sums(whole);
  fill(memory, share * ranks, values);

  sample_graph({.items = 1}, [&] { step(way, memory, share); });

  require_sums(values);
  harness::set_counter("held", {static_cast<double>(measured_bytes(way)), "bytes", record::Better::lower});
  harness::set_note("GPT-2 small: what a step sends, and what a GPU holds of it in fp32 with Adam");
}

}  // namespace

void register_shard() {
  using record::Role;
  for (const Way way : {Way::ddp, Way::zero1, Way::zero2, Way::zero3}) {
    const std::string name = name_of(way);
    add_with_ranks("collective/shard/way:" + name, [=](benchmark::State&) { measure(way); })
        .from(way == Way::zero1   ? harness::Profile::full  // sends what zero2 does
              : way == Way::zero2 ? harness::Profile::standard
                                  : harness::Profile::quick)
        .memory([](const std::vector<std::int64_t>&) {
          return harness::Memory{.device_bytes = 24 * parameters_of(kModel)};
        })
        .advice("sharding", way == Way::ddp ? Role::before : Role::after, "step", way == Way::ddp ? "" : name);
  }
}

}  // namespace cupel::bench::collective
