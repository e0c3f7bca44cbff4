#include "tests/smoke/smallest.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <tuple>

namespace cupel::smoke {
namespace {

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What is left of a name without its numbers: "transfer/h2d/memory:pinned/bytes:".
std::string operation_of(const record::ListedBenchmark& benchmark) {
  std::string operation = benchmark.name.substr(0, benchmark.name.find(':'));
  for (const auto& [name, value] : benchmark.params) {
    operation += '/' + name + ':' + (number(value) ? "" : value);
  }
  return operation;
}

// Memory before numbers: "threads:1/bytes:N" grows by bytes, whatever stands first.
using Size = std::tuple<std::int64_t, std::vector<std::int64_t>>;

Size size_of(const record::ListedBenchmark& benchmark) {
  std::vector<std::int64_t> numbers;
  for (const auto& [name, value] : benchmark.params) {
    if (const auto n = number(value)) numbers.push_back(*n);
  }
  return {benchmark.device_bytes + benchmark.host_bytes, std::move(numbers)};
}

}  // namespace

std::vector<std::string> smallest_of_each(const record::Listing& listing) {
  std::map<std::string, const record::ListedBenchmark*> smallest;
  for (const record::ListedBenchmark& benchmark : listing.benchmarks) {
    const record::ListedBenchmark*& known = smallest[operation_of(benchmark)];
    if (known == nullptr || size_of(benchmark) < size_of(*known)) known = &benchmark;
  }
  std::vector<std::string> names;
  for (const record::ListedBenchmark& benchmark : listing.benchmarks) {
    if (smallest[operation_of(benchmark)] == &benchmark) names.push_back(benchmark.name);
  }
  return names;
}

}  // namespace cupel::smoke
