// The processors that this process may use: what a container or taskset left of the machine.
#pragma once

#include <sched.h>

#include <cstdint>
#include <vector>

namespace cupel::harness {

/// Returns the CPUs the calling thread could use at the first call; call it before any thread is pinned.
const cpu_set_t& usable_cpus();

/// Returns how many there are, at least 1.
int usable_cpu_count();

/// Returns the powers of two up to `cpus`, and `cpus` itself.
std::vector<std::int64_t> thread_counts(int cpus);

}  // namespace cupel::harness
