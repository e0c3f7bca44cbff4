// A family of somebody else's: std::sort on random and on sorted data.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/verify/generator.hpp"

namespace {

void sort(benchmark::State& state, const std::vector<std::uint32_t>& input) {
  std::vector<std::uint32_t> data;
  const auto restore = [&] { data = input; };
  const auto bytes = static_cast<std::int64_t>(input.size() * sizeof(input[0]));

  cupel::harness::sample_host(state, {.bytes_read = bytes, .bytes_written = bytes}, [&] { std::ranges::sort(data); },
                              {.before = restore, .calls = 1});

  cupel::harness::require(std::ranges::is_sorted(data), "the data is not sorted");
}

std::vector<std::uint32_t> random_words(std::int64_t count) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
  cupel::verify::fill_uniform<std::uint32_t>(words, cupel::harness::input_seed(), 0, 4294967296.0);
  return words;
}

}  // namespace

void register_benchmarks() {
  cupel::harness::add("sorting/sort/order:random",
                      [](benchmark::State& state) { sort(state, random_words(state.range(0))); })
      .host_only()
      .advice("keep-sorted", cupel::record::Role::before, "sort")
      .sweep("count", {.quick = {10'000}});

  cupel::harness::add("sorting/sort/order:sorted",
                      [](benchmark::State& state) {
                        auto words = random_words(state.range(0));
                        std::ranges::sort(words);
                        sort(state, words);
                      })
      .host_only()
      .advice("keep-sorted", cupel::record::Role::after, "sort")
      .sweep("count", {.quick = {10'000}});
}
