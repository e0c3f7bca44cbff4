// The share of a model in training that a GPU holds.
#pragma once

#include <array>
#include <cstdint>

namespace cupel::bench::collective {

/// ddp: all of it. zero1: a share of the optimizer's state; zero2: of the gradients, too; zero3: of the parameters,
/// too.
enum class Way { ddp, zero1, zero2, zero3 };

constexpr const char* name_of(Way way) {
  constexpr const char* kNames[] = {"ddp", "zero1", "zero2", "zero3"};
  return kNames[static_cast<int>(way)];
}

/// In fp32 with Adam: elements of the parameters, the gradients and the two moments, where shares are whole elements,
/// the last one's room too; and the bytes of all. Source: Rajbhandari et al. (2020), figure 1, with 4 + 4 + 8 in place
/// of the 2 + 2 + 12 of mixed precision.
constexpr std::array<std::int64_t, 4> held_elements(Way way, std::int64_t parameters, int ranks) {
  const std::int64_t share = (parameters + ranks - 1) / ranks;
  const auto of = [&](Way first_shared) { return way >= first_shared ? share : parameters; };
  return {of(Way::zero3), of(Way::zero2), of(Way::zero1), of(Way::zero1)};
}

constexpr std::int64_t held_bytes(Way way, std::int64_t parameters, int ranks) {
  std::int64_t bytes = 0;
  for (const std::int64_t elements : held_elements(way, parameters, ranks)) bytes += 4 * elements;
  return bytes;
}

}  // namespace cupel::bench::collective
