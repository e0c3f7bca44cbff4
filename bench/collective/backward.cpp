#include "bench/collective/backward.hpp"

#include <algorithm>
#include <utility>

#include "bench/collective/products.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {

Backward::Backward(const Gradients& gradients, std::vector<Bucket> buckets, Overlap overlap, int products)
    : Backward(std::move(buckets), overlap, products,
               [&gradients](const Bucket& bucket) { gradients.reduce(bucket); }) {}

Backward::Backward(std::vector<Bucket> buckets, Overlap overlap, int products, Reduce reduce)
    : buckets_(std::move(buckets)), overlap_(overlap), products_(products), reduce_(std::move(reduce)) {
  for (const Bucket& bucket : buckets_) count_ += bucket.count;
  Ranks::get().each([&](int) { events_.emplace_back(cudaEventDisableTiming); });
}

void Backward::pass() {
  int done = 0;
  std::int64_t ready = 0;
  for (const Bucket& bucket : buckets_) {
    ready += bucket.count;
    const int due = overlap_ == Overlap::no ? products_ : products_for(ready);
    if (due > done) {
      multiply(due - done);
      order(&Rank::beside, &Rank::stream);
    }
    done = std::max(done, due);
    reduce_(bucket);
  }
}

void Backward::micro_steps(int count, int every) {
  for (int step = 1; step <= count; ++step) {
    if (step % every != 0) {
      multiply(products_);
      continue;
    }
    pass();
    order(&Rank::stream, &Rank::beside);
  }
}

int Backward::products_for(std::int64_t ready) const {
  return static_cast<int>((ready * products_ + count_ - 1) / count_);
}

void Backward::order(cuda::Stream Rank::*first, cuda::Stream Rank::*then) {
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) {
    const cuda::Event& event = events_[static_cast<std::size_t>(rank)];
    cuda::check(cudaEventRecord(event, ranks[rank].*first));
    cuda::check(cudaStreamWaitEvent(ranks[rank].*then, event));
  });
}

void require_exact_step(const std::string& model, const std::vector<Bucket>& buckets, Overlap overlap, int products) {
  const Gradients whole(model, {harness::input_seed(), kernels::collective::Kind::whole});
  Backward(whole, buckets, overlap, products).steps(1);
  whole.require_reduced();
}

}  // namespace cupel::bench::collective
