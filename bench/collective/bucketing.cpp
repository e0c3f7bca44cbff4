// How gradients are reduced in a backward pass: tensor by tensor or in buckets, after it or while it goes on.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/collective/backward.hpp"
#include "bench/collective/products.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::bench::collective {
namespace {

using harness::Profile;
using kernels::collective::Kind;
using kernels::collective::Values;
using record::Role;

// Counts the time of each of the two by itself, and of the products beside the collectives. Where a pass is more than
// fits behind a hold, they are not known.
void count_parts(Backward& backward, const Gradients& gradients, int products_of_pass) {
  const auto count = [](const char* name, double seconds) {
    harness::set_counter(name, {seconds, "s", record::Better::lower, false});
  };
  constexpr int kTimes = 3;
  const HeldSampling products{.beside = true, .timed = &Spans::beside_s}, collectives{.beside = true};
  count("products_alone", median_held_s([=] { multiply(products_of_pass); }, products, kTimes));
  count("collective_alone", median_held_s([&] { gradients.reduce_all(); }, collectives, kTimes));
  try {
    count("products_beside", median_held_s([&] { backward.pass(); }, products, kTimes));
  } catch (const timing::HeldUp&) {
  }
}

void measure(const std::string& model, std::int64_t bucket_bytes, Overlap overlap, int products) {
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::host) == 0;
  const std::vector<Bucket> buckets = buckets_of(tensors_of(model), bucket_bytes);
  if (is_first_round) require_exact_step(model, buckets, overlap, products);
  const Gradients gradients(model, Values{harness::look_seed(), Kind::fraction});
  Backward backward(gradients, buckets, overlap, products);

  sample_launched(
      {.bytes_moved = bus_bytes(Operation::all_reduce, gradients.bytes(), Ranks::get().size())},
      [&](int calls) { backward.steps(calls); }, 0, Clocks::recovered);

  gradients.require_reduced();
  if (is_first_round && !harness::options().once) count_parts(backward, gradients, products);
  harness::set_note("a backward pass of " + std::to_string(products) +
                    " products of 4096^3 in bf16, and its all-reduces");
}

constexpr std::int64_t kMiB = 1 << 20, kUsual = 25 * kMiB;  // PyTorch's default

struct Size {
  const char* name;
  std::int64_t bytes;
  Profile from;
};

// All gradients in one bucket overlap nothing: one row tells it.
Profile profile_of(const std::string& model, const Size& size, Overlap overlap) {
  const bool overlaps = overlap == Overlap::yes;
  if (model == "resnet50") return size.bytes == kAll && !overlaps ? Profile::full : size.from;
  const bool tells_most = size.bytes == kUsual || (size.bytes == kPerTensor && overlaps);
  return model == "transformer" && tells_most ? Profile::standard : Profile::full;
}

void add_row(const std::string& model, const Size& size, Overlap overlap) {
  const std::string text = overlap == Overlap::yes ? "yes" : "no";
  const std::string of_model = "gradients/model:" + model;
  harness::Definition& definition = add_with_ranks(
      "collective/" + of_model + "/bucket_mb:" + size.name + "/overlap:" + text,
      [=](benchmark::State& state) { measure(model, size.bytes, overlap, static_cast<int>(state.range(0))); });
  definition.sweep("products", {.quick = {kProductsOfARealPass}, .full = {2, 6, 17}});
  const bool is_before = size.bytes == kPerTensor;
  // The transformer's buckets are told with overlap, as people have it; without it they are what overlap is held
  // against.
  if (model != "transformer" || overlap == Overlap::yes) {
    definition.advice("bucketing", is_before ? Role::before : Role::after, of_model + "/overlap:" + text,
                      is_before ? "" : std::string(size.name));
  }
  definition.from(profile_of(model, size, overlap));
  definition.memory(
      [=](const std::vector<std::int64_t>&) { return harness::Memory{.device_bytes = 8 * parameters_of(model)}; });
}

}  // namespace

void register_gradients() {
  const std::vector<Size> sizes{{"per_tensor", kPerTensor, Profile::quick},
                                {"1", kMiB, Profile::full},
                                {"5", 5 * kMiB, Profile::full},
                                {"25", kUsual, Profile::quick},
                                {"100", 100 * kMiB, Profile::full},
                                {"all", kAll, Profile::quick}};
  for (const char* model : {"resnet18", "resnet50", "transformer"}) {
    for (const Size& size : sizes) {
      for (const Overlap overlap : {Overlap::no, Overlap::yes}) add_row(model, size, overlap);
    }
  }
}

}  // namespace cupel::bench::collective
