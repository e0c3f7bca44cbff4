#include "cupel/fleet/judged.hpp"

#include <algorithm>

namespace cupel::fleet {
namespace {

Unjudged why_on(const figures::Benchmark* benchmark) {
  if (benchmark == nullptr) return Unjudged::few;
  if (benchmark->failed > 0) return Unjudged::failed;
  if (benchmark->twice) return Unjudged::twice;
  if (!benchmark->modes.empty()) return Unjudged::unlike;
  if (benchmark->left_out() > 0) {
    return benchmark->busy >= benchmark->disturbed ? Unjudged::busy : Unjudged::disturbed;
  }
  if (benchmark->cut_short > 0) return Unjudged::cut_short;
  return benchmark->skipped > 0 ? Unjudged::skipped : Unjudged::unlike;
}

}  // namespace

int Judged::not_judged_for(Unjudged why) const {
  const auto found = not_judged.find(why);
  return found == not_judged.end() ? 0 : found->second;
}

bool Judged::is_enough() const {
  const int ran = benchmarks - not_judged_for(Unjudged::skipped) - not_judged_for(Unjudged::few);
  return 2 * judged >= ran;
}

Unjudged why_not(const figures::Matched& matched, const std::vector<std::size_t>& machines,
                 std::optional<record::Mode> mode) {
  std::map<Unjudged, int> counts;
  for (const std::size_t machine : machines) {
    const figures::Benchmark* const benchmark = matched.in[machine];
    if (benchmark != nullptr && mode && benchmark->times(*mode) != nullptr) continue;
    ++counts[why_on(benchmark)];
  }
  // Where each machine has a time, they are of different clocks.
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  return most == counts.end() ? Unjudged::unlike : most->first;
}

}  // namespace cupel::fleet
