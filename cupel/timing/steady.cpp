#include "cupel/timing/steady.hpp"

#include <algorithm>

namespace cupel::timing {
namespace {

constexpr double kTimeAlike = 0.01;
constexpr double kPowerAlike = 0.03;

// Greatest over least less one, of those that have the quantity.
template <typename Quantity>
double range_of(std::span<const Stretch> stretches, Quantity quantity) {
  double least = 0, most = 0;
  for (const Stretch& stretch : stretches) {
    const std::optional<double> value = quantity(stretch);
    if (!value || *value <= 0) continue;
    least = least == 0 ? *value : std::min(least, *value);
    most = std::max(most, *value);
  }
  return least == 0 ? 0 : most / least - 1;
}

}  // namespace

bool is_steady(std::span<const Stretch> stretches) {
  if (stretches.size() < kStretchesAlike) return false;
  const auto last = stretches.last(kStretchesAlike);
  return range_of(last, [](const Stretch& s) { return std::optional(s.call_s); }) <= kTimeAlike &&
         range_of(last, [](const Stretch& s) { return s.clock_hz; }) <= kTimeAlike &&
         range_of(last, [](const Stretch& s) { return s.power_w; }) <= kPowerAlike;
}

}  // namespace cupel::timing
