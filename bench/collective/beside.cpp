// How much a collective slows the work beside it, and that work the collective, by the number of blocks of
// threads (CTAs) that NCCL may use: each occupies a multiprocessor, or a good part of one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bench/collective/clique.hpp"
#include "bench/collective/collectives.hpp"
#include "bench/collective/neighbour.hpp"
#include "bench/collective/own_kernels.hpp"
#include "bench/collective/products.hpp"
#include "bench/collective/sampling.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::collective {
namespace {

using harness::operator""_MiB;
using kernels::collective::Kind;
using kernels::collective::Values;

constexpr std::int64_t kBytes = 64_MiB;
constexpr int kProducts = 8;          // a millisecond and a half on an H200
constexpr int kMostCollectives = 60;  // as many fit behind a hold
constexpr int kMostProducts = 400;

// Both streams of a rank are let go at once; one of them may be idle.
HeldSampling timing_collectives() { return {.beside = true}; }

// The reducer beside the work, and the number of NCCL's blocks; 0: as many as NCCL wants.
struct Neighbour {
  Reducer by = Reducer::nccl;
  int ctas = 0;
  auto operator<=>(const Neighbour&) const = default;
};

void reduce(const Neighbour& neighbour, const Arrays& memory, int times) {
  for (int i = 0; i < times; ++i) {
    if (neighbour.by == Reducer::nccl) {
      call(clique(neighbour.ctas), Operation::all_reduce, memory, kBytes);
    } else {
      all_reduce_by(neighbour.by, memory, kBytes);
    }
  }
}

void count(const char* name, double value, const char* unit) {
  harness::set_counter(name, {value, unit, record::Better::lower, false});
}

void products_alone(benchmark::State&) {
  sample_held({.items = 1}, multiply, timing_products(kProducts));
  harness::set_note("one product of 4096^3 in bf16, with nothing beside it");
}

// Seconds of one call of each, the other one idle.
struct Alone {
  double product_s, collective_s;
};

Alone measure_alone(const Neighbour& neighbour) {
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const auto products_s = median_held_s([] { multiply(kProducts); }, timing_products(kProducts));
  const auto two_s = median_held_s([&] { reduce(neighbour, memory, 2); }, timing_collectives());
  return {products_s / kProducts, two_s / 2};
}

// Both slow-downs: products that collectives outlast, and collectives that products outlast.
void count_slowdowns(const Alone& alone, int reductions, const Neighbour& neighbour, const Arrays& memory) {
  const int few = std::max(1, static_cast<int>(kProducts * alone.product_s / alone.collective_s));
  const int products = calls_that_cover(few * alone.collective_s, alone.product_s, kMostProducts);
  const auto under = [&](int collectives, int of_products) {
    return [&neighbour, &memory, collectives, of_products] {
      reduce(neighbour, memory, collectives);
      multiply(of_products);
    };
  };
  const double collective_s = median_held_s(under(few, products), timing_collectives()) / few;
  const double product_s = median_held_s(under(reductions, kProducts), timing_products(kProducts)) / kProducts;
  count("product_slowdown", product_s / alone.product_s, "1");
  count("collective_slowdown", collective_s / alone.collective_s, "1");
  count("collective_alone", alone.collective_s, "s");
  count("collective_beside", collective_s, "s");
}

void products_beside(benchmark::State&, const Neighbour& neighbour) {
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::hot) == 0;
  prepare(neighbour.by);
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const Values whole{harness::input_seed(), Kind::whole}, values{harness::look_seed(), Kind::fraction};
  fill(memory, kBytes / 4, whole);
  Ranks::get().wait();  // a peer may read it at once
  reduce(neighbour, memory, 1);
  require_right(Operation::all_reduce, memory, kBytes, whole);
  fill(memory, kBytes / 4, values);
  Ranks::get().wait();
  int reductions = 1;
  const auto work = [&](int products) {
    reduce(neighbour, memory, reductions);
    multiply(products);
  };
  work(1);  // loads and connects, which must not come behind a hold
  Ranks::get().wait();
  std::optional<Alone> alone;  // a profiler that runs kernels one by one would wait for a hold to end
  if (!harness::options().once) {
    alone = harness::memoized<measure_alone>(neighbour);
    reductions = calls_that_cover(kProducts * alone->product_s, alone->collective_s, kMostCollectives);
  }

  sample_held({.items = 1}, work, timing_products(kProducts));

  if (alone && is_first_round) count_slowdowns(*alone, reductions, neighbour, memory);
  require_right(Operation::all_reduce, memory, kBytes, values);
  harness::set_note("one product of 4096^3 in bf16 beside all-reduces of 64 MiB");
}

harness::Definition& add(const std::string& name, const Neighbour& neighbour) {
  return add_with_ranks("collective/beside/" + name,
                        [=](benchmark::State& state) { products_beside(state, neighbour); });
}

}  // namespace

void register_beside() {
  using harness::Profile;
  add_with_ranks("collective/beside/ctas:none", products_alone);
  add("ctas:default", {}).from(Profile::quick);
  for (const int ctas : {1, 2, 4, 8, 16}) {
    add("ctas:" + std::to_string(ctas), {.ctas = ctas})
        .from(ctas == 4                 ? Profile::quick
              : ctas == 1 || ctas == 16 ? Profile::standard
                                        : Profile::full);
  }
  add("by:one_shot", {.by = Reducer::one_shot}).from(Profile::standard);
  add("by:two_shot", {.by = Reducer::two_shot}).from(Profile::full);
}

}  // namespace cupel::bench::collective
