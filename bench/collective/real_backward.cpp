// A backward pass as long as a real one, with its gradients in buckets: reduced after it or beside it, as they are or
// in bf16; and one GPU against all of them, with the same batch a GPU. Every sample begins at a recovered clock.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/collective/backward.hpp"
#include "bench/collective/compressed.hpp"
#include "bench/collective/products.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using harness::Profile;
using kernels::collective::Kind;
using kernels::collective::Values;
using record::Role;

constexpr std::int64_t kUsualBucketBytes = 25 << 20;  // PyTorch's default

enum class Type { fp32, bf16 };

void note(int products) {
  harness::set_note("a backward pass of " + std::to_string(products) + " products of 4096^3 in bf16; recovered clocks");
}

// The gradients of a model, what reduces them, and whether it did.
class Reduction {
 public:
  Reduction(const std::string& model, Type type, const Values& values) : gradients_(model, values), values_(values) {
    if (type == Type::bf16) compressed_.emplace(gradients_.memory(), gradients_.count());
  }

  void reduce(const Bucket& bucket) { compressed_ ? compressed_->reduce(bucket) : gradients_.reduce(bucket); }
  void require_reduced() const { compressed_ ? compressed_->require_reduced(values_) : gradients_.require_reduced(); }
  std::int64_t bytes() const { return gradients_.bytes(); }

 private:
  Gradients gradients_;
  Values values_;
  std::optional<Compressed> compressed_;
};

record::Workload work_of(const Reduction& reduction) {
  return {.bytes_moved = bus_bytes(Operation::all_reduce, reduction.bytes(), Ranks::get().size())};
}

void measure(const std::string& model, Type type, Overlap overlap, int products) {
  Reduction reduction(model, type, {harness::look_seed(), Kind::fraction});
  Backward backward(buckets_of(tensors_of(model), kUsualBucketBytes), overlap, products,
                    [&](const Bucket& bucket) { reduction.reduce(bucket); });

  sample_launched(
      work_of(reduction), [&](int calls) { backward.steps(calls); }, 0, Clocks::recovered);

  reduction.require_reduced();
  note(products);
}

// As many batches as there are GPUs, by one of them.
void on_one(int products) {
  const int batches = Ranks::get().size();
  sample_launched(
      {.items = batches}, [&](int calls) { multiply_on(0, calls * batches * products); }, 0, Clocks::recovered);
  note(products);
}

// The same by all of them, a batch each; a step ends when all sums are there.
void on_all(const std::string& model, int products) {
  Reduction reduction(model, Type::fp32, {harness::look_seed(), Kind::fraction});
  Backward backward(buckets_of(tensors_of(model), kUsualBucketBytes), Overlap::yes, products,
                    [&](const Bucket& bucket) { reduction.reduce(bucket); });
  sample_launched(
      {.items = Ranks::get().size()}, [&](int calls) { backward.steps(calls); }, 0, Clocks::recovered);
  reduction.require_reduced();
  note(products);
}

harness::Definition& add(const std::string& name, const std::string& model, const std::function<void(int)>& body) {
  return add_with_ranks(name, [body](benchmark::State& state) { body(static_cast<int>(state.range(0))); })
      .sweep("products", {.quick = {kProductsOfARealPass}, .standard = {17}, .full = {2, 6}})
      .from(Profile::standard)
      .memory([model](const std::vector<std::int64_t>&) {
        return harness::Memory{.device_bytes = 10 * parameters_of(model)};
      });
}

void register_model(const std::string& model) {
  const std::string where = "model:" + model, name = "collective/backward/" + where;
  const auto row = [&](const std::string& how, Type type, Overlap overlap) -> harness::Definition& {
    return add(name + how, model, [=](int products) { measure(model, type, overlap, products); });
  };
  row("/overlap:no", Type::fp32, Overlap::no).advice("ddp", Role::before, "backward/" + where);
  row("/overlap:yes", Type::fp32, Overlap::yes)
      .advice("ddp", Role::after, "backward/" + where, "overlap")
      .advice("compress-gradients", Role::before, "backward/" + where);
  row("/overlap:yes/to:bf16", Type::bf16, Overlap::yes)
      .advice("compress-gradients", Role::after, "backward/" + where, "bf16");
  add("collective/scaling/" + where + "/gpus:one", model, [](int products) {
    on_one(products);
  }).advice("scaling", Role::before, where);
  add("collective/scaling/" + where + "/gpus:all", model, [=](int products) {
    on_all(model, products);
  }).advice("scaling", Role::after, where, "all");
}

}  // namespace

void register_real_backward() {
  for (const char* model : {"resnet50", "transformer"}) register_model(model);
}

}  // namespace cupel::bench::collective
