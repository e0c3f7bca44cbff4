// How gradients are reduced in a backward pass: tensor by tensor or in buckets, after it or while it goes on.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/collective/gradients.hpp"
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

// A backward pass of three milliseconds on an H200. The gradients come evenly with it, as many bytes a product.
constexpr int kProducts = 16;

enum class Overlap { no, yes };

// An event of each rank: what is enqueued on one of its streams waits for what is on the other one.
class Meeting {
 public:
  Meeting() {
    Ranks::get().each([&](int) { events_.emplace_back(cudaEventDisableTiming); });
  }
  void collectives_wait_for_products() { order(&Rank::beside, &Rank::stream); }
  void products_wait_for_collectives() { order(&Rank::stream, &Rank::beside); }

 private:
  void order(cuda::Stream Rank::*first, cuda::Stream Rank::*then) {
    Ranks& ranks = Ranks::get();
    ranks.each([&](int rank) {
      const cuda::Event& event = events_[static_cast<std::size_t>(rank)];
      cuda::check(cudaEventRecord(event, ranks[rank].*first));
      cuda::check(cudaStreamWaitEvent(ranks[rank].*then, event));
    });
  }
  std::vector<cuda::Event> events_;
};

class Backward {
 public:
  Backward(const Gradients& gradients, std::vector<Bucket> buckets, Overlap overlap)
      : gradients_(gradients), buckets_(std::move(buckets)), overlap_(overlap) {}

  void pass() {
    int done = 0;
    std::int64_t ready = 0;
    for (const Bucket& bucket : buckets_) {
      ready += bucket.count;
      const int due = overlap_ == Overlap::no ? kProducts : products_for(ready);
      if (due > done) {
        multiply(due - done);
        meeting_.collectives_wait_for_products();
      }
      done = std::max(done, due);
      gradients_.reduce(bucket);
    }
  }

  // Whole steps: an optimizer would want all of the sums before the next one begins.
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      pass();
      meeting_.products_wait_for_collectives();
    }
  }

 private:
  int products_for(std::int64_t ready) const {
    return static_cast<int>((ready * kProducts + gradients_.count() - 1) / gradients_.count());
  }
  const Gradients& gradients_;
  std::vector<Bucket> buckets_;
  Overlap overlap_;
  Meeting meeting_;
};

// What each of the two takes by itself, and the products beside the collectives. Where a pass is more than fits behind
// a hold, they are not known.
void count_parts(Backward& backward, const Gradients& gradients) {
  const auto count = [](const char* name, double seconds) {
    harness::set_counter(name, {seconds, "s", record::Better::lower, false});
  };
  constexpr int kTimes = 3;
  const Held products{.beside = true, .timed = &Spans::beside_s}, collectives{.beside = true};
  count("products_alone", median_held_s([] { multiply(kProducts); }, products, kTimes));
  count("collective_alone", median_held_s([&] { gradients.reduce_all(); }, collectives, kTimes));
  try {
    count("products_beside", median_held_s([&] { backward.pass(); }, products, kTimes));
  } catch (const timing::HeldUp&) {
  }
}

void measure(const std::string& model, std::int64_t bucket_bytes, Overlap overlap) {
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::host) == 0;
  const Gradients gradients(model, Values{harness::look_seed(), Kind::fraction});
  Backward backward(gradients, buckets_of(tensors_of(model), bucket_bytes), overlap);

  sample_launched({.bytes_moved = bus_bytes(Operation::all_reduce, gradients.bytes(), Ranks::get().size())},
                  [&](int calls) { backward.steps(calls); });

  gradients.require_reduced();
  if (is_first_round && !harness::options().once) count_parts(backward, gradients);
  harness::set_note("a backward pass of 16 products of 4096^3 in bf16, and its all-reduces");
}

struct Size {
  const char* name;
  std::int64_t bytes;
  Profile from;
};

void add_row(const std::string& model, const Size& size, Overlap overlap) {
  const std::string text = overlap == Overlap::yes ? "yes" : "no";
  const std::string of_model = "gradients/model:" + model;
  const bool is_usual = std::string(size.name) == "25";  // MiB, PyTorch's default
  harness::Definition& definition =
      add_with_ranks("collective/" + of_model + "/bucket_mb:" + size.name + "/overlap:" + text,
                     [=](benchmark::State&) { measure(model, size.bytes, overlap); });
  const bool is_before = size.bytes == kPerTensor;
  definition.advice("bucketing", is_before ? Role::before : Role::after, of_model + "/overlap:" + text,
                    is_before ? "" : std::string(size.name));
  if (is_usual) {
    definition.advice("ddp", overlap == Overlap::yes ? Role::after : Role::before, of_model + "/overlap",
                      overlap == Overlap::yes ? "overlap" : "");
  }
  const bool tells_most = model == "transformer" && (is_usual || (is_before && overlap == Overlap::yes));
  definition.from(model == "resnet50" ? size.from : tells_most ? Profile::standard : Profile::full);
  definition.memory(
      [=](const std::vector<std::int64_t>&) { return harness::Memory{.device_bytes = 8 * parameters_of(model)}; });
}

}  // namespace

void register_gradients() {
  constexpr std::int64_t kMiB = 1 << 20;
  const std::vector<Size> sizes{{"per_tensor", kPerTensor, Profile::quick}, {"1", kMiB, Profile::full},
                                {"5", 5 * kMiB, Profile::full},             {"25", 25 * kMiB, Profile::quick},
                                {"100", 100 * kMiB, Profile::full},         {"all", kAll, Profile::quick}};
  for (const char* model : {"resnet18", "resnet50", "transformer"}) {
    for (const Size& size : sizes) {
      for (const Overlap overlap : {Overlap::no, Overlap::yes}) add_row(model, size, overlap);
    }
  }
}

}  // namespace cupel::bench::collective
