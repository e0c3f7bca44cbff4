#include "cupel/harness/cpus.hpp"

#include <algorithm>

namespace cupel::harness {

const cpu_set_t& usable_cpus() {
  static const cpu_set_t cpus = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    // More than 1024 processors do not fit; those that do are used.
    if (sched_getaffinity(0, sizeof(set), &set) != 0) CPU_SET(0, &set);
    return set;
  }();
  return cpus;
}

int usable_cpu_count() { return std::max(1, CPU_COUNT(&usable_cpus())); }

std::vector<std::int64_t> thread_counts(int cpus) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count < cpus; count *= 2) counts.push_back(count);
  counts.push_back(cpus);
  return counts;
}

}  // namespace cupel::harness
