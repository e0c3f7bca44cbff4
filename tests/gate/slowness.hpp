// How much slower an executable of known slowness is: said by its own name, so that both sides of a gate are one file
// under two names.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace cupel::test {

/// "slowed-0.03" was asked for 3 %; without a number after the last '-': nothing.
inline double slowness() {
  const char* number = std::strrchr(program_invocation_short_name, '-');
  return number == nullptr ? 0 : std::strtod(number + 1, nullptr);
}

inline std::int64_t slowed(std::int64_t work) {
  return work + static_cast<std::int64_t>(slowness() * static_cast<double>(work));
}

}  // namespace cupel::test
