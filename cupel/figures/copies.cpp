#include "cupel/figures/copies.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include "cupel/figures/suite.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures {
namespace {

std::size_t print_of(std::span<const double> values_s) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(values_s.data()), values_s.size_bytes()});
}

}  // namespace

Prints prints_of(const record::ResultSet& results) {
  constexpr std::size_t kFewest = 3;
  Prints prints;
  for (const record::Row& row : results.rows) {
    for (const record::Series& series : row.series) {
      if (series.samples_s.size() < kFewest) continue;
      std::size_t& print = prints[{row.name, row.process}];
      print = 31 * print + print_of(series.samples_s);
    }
  }
  return prints;
}

Prints prints_of(const Suite& suite) {
  Prints prints;
  for (const Benchmark& benchmark : suite.benchmarks) {
    if (benchmark.modes.empty()) continue;
    const std::span<const double> values_s = benchmark.modes.front().values_s;
    for (std::size_t i = 0; i < values_s.size(); ++i)
      prints[{benchmark.name, static_cast<int>(i)}] = print_of(values_s.subspan(i, 1));
  }
  return prints;
}

bool is_copy(const Prints& some, const Prints& known) {
  const auto same = std::ranges::count_if(some, [&](const auto& one) {
    const auto there = known.find(one.first);
    return there != known.end() && there->second == one.second;
  });
  return 2 * static_cast<std::size_t>(same) > some.size();
}

std::string SeenResults::copy_of(const std::string& name, Prints prints) {
  const auto found = std::ranges::find_if(seen_, [&](const auto& one) { return is_copy(prints, one.second); });
  if (found != seen_.end()) return found->first;
  seen_.emplace_back(name, std::move(prints));
  return "";
}

}  // namespace cupel::figures
