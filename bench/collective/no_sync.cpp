// Gradients that are accumulated over micro-steps: reduced after each, beside its backward pass as DDP does it, or once
// for several of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/collective/backward.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Kind;
using kernels::collective::Values;

constexpr int kMicroSteps = 16;                  // of one step; `every` divides it
constexpr std::int64_t kBucketBytes = 25 << 20;  // PyTorch's default
constexpr const char* kModel = "resnet50";

void measure(int every, int products) {
  const std::vector<Bucket> buckets = buckets_of(tensors_of(kModel), kBucketBytes);
  if (harness::calls_of_earlier_rounds(record::Mode::host) == 0)
    require_exact_step(kModel, buckets, Overlap::yes, products);
  const Gradients gradients(kModel, Values{harness::look_seed(), Kind::fraction});
  Backward backward(gradients, buckets, Overlap::yes, products);

  sample_launched(
      {.items = 1}, [&](int calls) { backward.micro_steps(calls, std::min(calls, every)); }, kMicroSteps,
      Clocks::recovered);

  gradients.require_reduced();
  harness::set_note("one micro-step of 16: a pass of " + std::to_string(products) +
                    " products of 4096^3 in bf16; ResNet-50's gradients overlap it");
}

}  // namespace

void register_no_sync() {
  using record::Role;
  for (const int every : {1, 2, 4, 8, 16}) {
    const std::string text = std::to_string(every);
    add_with_ranks("collective/no_sync/every:" + text,
                   [=](benchmark::State& state) { measure(every, static_cast<int>(state.range(0))); })
        .sweep("products", {.quick = {kProductsOfARealPass}, .full = {2, 6, 17}})
        .from(every == 1 || every == 8 ? harness::Profile::standard : harness::Profile::full)
        .advice("no-sync", every == 1 ? Role::before : Role::after, "micro_steps", every == 1 ? "" : text);
  }
}

}  // namespace cupel::bench::collective
