// What a collective takes from the work beside it, and that work from the collective, by the number of blocks of
// threads (CTAs) that NCCL may use: each occupies a multiprocessor, or a good part of one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "bench/collective/collectives.hpp"
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
constexpr double kCovers = 1.5;       // what runs beside lasts so many times as long, alone
constexpr int kMostCollectives = 60;  // as many fit behind a hold
constexpr int kMostProducts = 400;

// Both streams of a rank are let go at once; one of them may be idle.
Held timing_products() { return {.beside = true, .calls = kProducts, .timed = &Spans::beside_s}; }
Held timing_collectives() { return {.beside = true}; }

void reduce(const Clique& all, const Arrays& memory, int times) {
  for (int i = 0; i < times; ++i) call(all, Operation::all_reduce, memory, kBytes);
}

// So many of one as outlast the other, whose time may double.
int covering(double wanted_s, double call_s, int most) {
  return static_cast<int>(std::clamp(std::ceil(2 * kCovers * wanted_s / call_s), 1.0, static_cast<double>(most)));
}

void count(const char* name, double value, const char* unit) {
  harness::set_counter(name, {value, unit, record::Better::lower, false});
}

void products_alone(benchmark::State&) {
  sample_held({.items = 1}, multiply, timing_products());
  harness::set_note("one product of 4096^3 in bf16, with nothing beside it");
}

// Seconds of one call of each, the other one idle.
struct Alone {
  double product_s, collective_s;
};

Alone measure_alone(int ctas) {
  const Clique& all = clique(ctas);
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const auto products_s = median_held_s([] { multiply(kProducts); }, timing_products());
  const auto two_s = median_held_s([&] { reduce(all, memory, 2); }, timing_collectives());
  return {products_s / kProducts, two_s / 2};
}

// Both slow-downs: products that collectives outlast, and collectives that products outlast.
void count_slowdowns(const Alone& alone, int reductions, const Clique& all, const Arrays& memory) {
  const int few = std::max(1, static_cast<int>(kProducts * alone.product_s / alone.collective_s));
  const int products = covering(few * alone.collective_s, alone.product_s, kMostProducts);
  const auto under = [&](int collectives, int of_products) {
    return [&all, &memory, collectives, of_products] {
      reduce(all, memory, collectives);
      multiply(of_products);
    };
  };
  const double collective_s = median_held_s(under(few, products), timing_collectives()) / few;
  const double product_s = median_held_s(under(reductions, kProducts), timing_products()) / kProducts;
  count("product_slowdown", product_s / alone.product_s, "1");
  count("collective_slowdown", collective_s / alone.collective_s, "1");
  count("collective_alone", alone.collective_s, "s");
  count("collective_beside", collective_s, "s");
}

void products_beside(benchmark::State&, int ctas) {
  const bool is_first_round = harness::calls_of_earlier_rounds(record::Mode::hot) == 0;
  const Clique& all = clique(ctas);
  const Arrays& memory = arrays(Buffer::plain, kBytes);
  const Values values{harness::look_seed(), Kind::fraction};
  fill(memory, kBytes / 4, values);
  int reductions = 1;
  const auto work = [&](int products) {
    reduce(all, memory, reductions);
    multiply(products);
  };
  work(1);  // loads and connects, which must not come behind a hold
  Ranks::get().wait();
  std::optional<Alone> alone;  // a profiler that runs kernels one by one would wait for a hold to end
  if (!harness::options().once) {
    alone = harness::memoized<measure_alone>(ctas);
    reductions = covering(kProducts * alone->product_s, alone->collective_s, kMostCollectives);
  }

  sample_held({.items = 1}, work, timing_products());

  if (alone && is_first_round) count_slowdowns(*alone, reductions, all, memory);
  require_right(Operation::all_reduce, memory, kBytes, values);
  harness::set_note("one product of 4096^3 in bf16 beside all-reduces of 64 MiB");
}

void add_ctas(const std::string& name, int ctas, harness::Profile from) {
  add_with_ranks("collective/beside/ctas:" + name, [=](benchmark::State& state) {
    products_beside(state, ctas);
  }).from(from);
}

}  // namespace

void register_beside() {
  using harness::Profile;
  add_with_ranks("collective/beside/ctas:none", products_alone);
  add_ctas("default", 0, Profile::quick);
  add_ctas("4", 4, Profile::quick);
  for (const int ctas : {1, 16}) add_ctas(std::to_string(ctas), ctas, Profile::standard);
  for (const int ctas : {2, 8}) add_ctas(std::to_string(ctas), ctas, Profile::full);
}

}  // namespace cupel::bench::collective
