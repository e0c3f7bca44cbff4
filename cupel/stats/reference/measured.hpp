// Prints what a simulation in a test measured: docs/statistics.md quotes these lines.
#pragma once

#include <cstdio>
#include <string>

namespace cupel::stats::reference {

inline void report(const std::string& what, double share) {
  std::printf("[ measured ] %-58s %6.2f %%\n", what.c_str(), 100 * share);
}

}  // namespace cupel::stats::reference
