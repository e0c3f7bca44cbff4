// The traffic of data-parallel training in a step: from and to one GPU, which has the parameters, or by a collective
// between equals.
#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "bench/collective/clique.hpp"
#include "bench/collective/gradients.hpp"
#include "bench/collective/neighbour.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/collective/check.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Kind;
using kernels::collective::Values;

// A batch of 256 images of 224 x 224 for 1000 classes, over all ranks.
constexpr std::int64_t kBatch = 256, kInputs = 3 * 224 * 224, kOutputs = 1000;
constexpr const char* kModel = "resnet50";

// Memory beside the gradients': the parameters, the batch and what comes of it.
struct Batch {
  Batch() {
    Ranks::get().each([&](int) {
      parameters.emplace_back(static_cast<std::size_t>(parameters_of(kModel)));
      inputs.emplace_back(static_cast<std::size_t>(kBatch * kInputs));
      outputs.emplace_back(static_cast<std::size_t>(kBatch * kOutputs));
    });
  }
  std::vector<cuda::DeviceBuffer<float>> parameters, inputs, outputs;
};

Batch& batch() {
  static Batch& made = *new Batch;
  return made;
}

std::int64_t share_of(std::int64_t each) { return kBatch / Ranks::get().size() * each; }

// Fills what the first one sends, what comes back, and what is in neither yet.
void fill_batch(const Values& values) {
  using kernels::collective::fill_values;
  Ranks::get().each([&](int rank) {
    const auto at = static_cast<std::size_t>(rank);
    const cudaStream_t stream = Ranks::get()[rank].stream;
    if (rank == 0) {
      fill_values(batch().parameters[0].data(), parameters_of(kModel), values, 0, 0, stream);
      fill_values(batch().inputs[0].data(), kBatch * kInputs, values, 0, 0, stream);
      cuda::check(cudaMemsetAsync(batch().outputs[0].data(), 0xff, batch().outputs[0].size_bytes(), stream));
    } else {
      cuda::check(cudaMemsetAsync(batch().parameters[at].data(), 0xff, batch().parameters[at].size_bytes(), stream));
      cuda::check(cudaMemsetAsync(batch().inputs[at].data(), 0xff, batch().inputs[at].size_bytes(), stream));
      fill_values(batch().outputs[at].data(), share_of(kOutputs), values, rank, 0, stream);
    }
  });
  Ranks::get().wait();
}

void copy_to(int to, int from, float* target, const float* source, std::int64_t count, int on) {
  Ranks& ranks = Ranks::get();
  cuda::check(cudaMemcpyPeerAsync(target, ranks[to].device, source, ranks[from].device,
                                  static_cast<std::size_t>(count) * sizeof(float), ranks[on].stream));
}

// Each rank's share, on its own stream.
void scatter_inputs() {
  const std::int64_t share = share_of(kInputs);
  Ranks::get().each([&](int rank) {
    const float* source = batch().inputs[0].data() + rank * share;
    if (rank > 0) copy_to(rank, 0, batch().inputs[static_cast<std::size_t>(rank)].data(), source, share, rank);
  });
}

void gather_outputs() {
  const std::int64_t share = share_of(kOutputs);
  Ranks::get().each([&](int rank) {
    float* target = batch().outputs[0].data() + rank * share;
    if (rank > 0) copy_to(0, rank, target, batch().outputs[static_cast<std::size_t>(rank)].data(), share, rank);
  });
}

void replicate_parameters() {
  const auto count = static_cast<std::size_t>(parameters_of(kModel));
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    void* own = batch().parameters[static_cast<std::size_t>(rank)].data();
    const void* first = own;
    vendor::check(vendor::nccl::broadcast(first, own, count, ncclFloat, 0, comm, stream));
  });
}

void reduce_to_first(const Gradients& gradients) {
  const auto count = static_cast<std::size_t>(gradients.count());
  clique().together([&](ncclComm_t comm, int rank, cudaStream_t stream) {
    const void* send = gradients.memory().send[static_cast<std::size_t>(rank)];
    void* receive = gradients.memory().receive[static_cast<std::size_t>(rank)];
    vendor::check(vendor::nccl::reduce(send, receive, count, ncclFloat, ncclSum, 0, comm, stream));
  });
}

void require_sent(const Gradients& gradients, const Values& values) {
  using kernels::collective::check_values;
  require_right("replicated parameters, scattered inputs, gathered outputs, reduced gradients", false,
                [&](int rank, auto* findings, cudaStream_t stream) {
                  const auto at = static_cast<std::size_t>(rank);
                  check_values(batch().parameters[at].data(), gradients.count(), values, 0, 0, findings, stream);
                  const std::int64_t inputs = share_of(kInputs), outputs = share_of(kOutputs);
                  check_values(batch().inputs[at].data(), inputs, values, 0, rank * inputs, findings, stream);
                  if (rank > 0) return;
                  for (int from = 1; from < Ranks::get().size(); ++from) {
                    check_values(batch().outputs[0].data() + from * outputs, outputs, values, from, 0, findings,
                                 stream);
                  }
                  kernels::collective::check_sum(gradients.memory().receive[0], gradients.count(), values,
                                                 Ranks::get().size(), 0, findings, stream);
                });
}

// Samples the sending of a step by the host's clock, and counts how much it slows products beside it.
void sample(const std::function<void()>& step) {
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::host) == 0;
  sample_launched({.items = kBatch}, [&](int calls) {
    for (int i = 0; i < calls; ++i) step();
  });
  if (is_first_round && !harness::options().once) count_product_slowdown(step);
  harness::set_note("ResNet-50, a batch of 256: what is sent in a step, without its compute");
}

void data_parallel(benchmark::State&) {
  const Values values{harness::look_seed(), Kind::fraction};
  const Gradients gradients(kModel, values);
  fill_batch(values);

  const auto step = [&] {
    replicate_parameters();
    scatter_inputs();
    gather_outputs();
    reduce_to_first(gradients);
  };
  step();
  require_sent(gradients, values);
  gradients.refill();
  fill_batch(values);

  sample(step);

  require_sent(gradients, values);
}

void distributed(benchmark::State&) {
  const Gradients gradients(kModel, Values{harness::look_seed(), Kind::fraction});
  gradients.reduce_all();
  gradients.require_reduced();
  gradients.refill();

  sample([&] { gradients.reduce_all(); });

  gradients.require_reduced();
}

}  // namespace

void register_parallel() {
  const auto wanted = [](const std::vector<std::int64_t>&) {
    return harness::Memory{.device_bytes = 4 * (3 * parameters_of(kModel) + kBatch * (kInputs + kOutputs))};
  };
  add_with_ranks("collective/parallel/way:data_parallel", data_parallel)
      .memory(wanted)
      .advice("ddp", record::Role::before, "parallel");
  add_with_ranks("collective/parallel/way:ddp", distributed)
      .memory(wanted)
      .advice("ddp", record::Role::after, "parallel", "all_reduce");
}

}  // namespace cupel::bench::collective
