// Gradients that are accumulated over micro-steps: reduced after each, or once for all of them.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/collective/gradients.hpp"
#include "bench/collective/products.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using kernels::collective::Kind;
using kernels::collective::Values;

constexpr int kMicroSteps = 16;      // of one step; `every` divides it
constexpr int kProductsOfAStep = 2;  // 0.4 ms on an H200
constexpr const char* kModel = "resnet50";

// Collectives wait for the products before them, and the products for the collectives: the sums are wanted.
void wait_for_each_other(std::vector<cuda::Event>& events, bool products_first) {
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) {
    Rank& r = ranks[rank];
    const cuda::Event& event = events[static_cast<std::size_t>(rank)];
    cuda::check(cudaEventRecord(event, products_first ? r.beside : r.stream));
    cuda::check(cudaStreamWaitEvent(products_first ? r.stream : r.beside, event));
  });
}

void measure(int every) {
  const Gradients gradients(kModel, Values{harness::look_seed(), Kind::fraction});
  std::vector<cuda::Event> events;
  Ranks::get().each([&](int) { events.emplace_back(cudaEventDisableTiming); });

  sample_launched(
      {.items = 1},
      [&](int calls) {
        for (int step = 1; step <= calls; ++step) {
          multiply(kProductsOfAStep);
          if (step % every != 0 && calls >= every) continue;
          wait_for_each_other(events, true);
          gradients.reduce_all();
          wait_for_each_other(events, false);
        }
      },
      kMicroSteps);

  gradients.require_reduced();
  harness::set_note("one micro-step of 16: two products of 4096^3 in bf16; gradients of ResNet-50");
}

}  // namespace

void register_no_sync() {
  using record::Role;
  for (const int every : {1, 2, 4, 8, 16}) {
    const std::string text = std::to_string(every);
    add_with_ranks("collective/no_sync/every:" + text, [=](benchmark::State&) { measure(every); })
        .from(every == 1 || every == 8 ? harness::Profile::quick : harness::Profile::full)
        .advice("no-sync", every == 1 ? Role::before : Role::after, "micro_steps", every == 1 ? "" : text);
  }
}

}  // namespace cupel::bench::collective
