#include "cupel/figures/noise_summary.hpp"

#include <algorithm>
#include <vector>

#include "cupel/stats/quantile.hpp"

namespace cupel::figures {
namespace {

constexpr double kLongEnough_s = 10e-6;

bool is_long_device_time(const Figure& figure) {
  return figure.mode != record::Mode::host && figure.time->location_s > kLongEnough_s && !figure.noise->power_limited;
}

std::optional<Spread> spread_of(const std::vector<double>& deviations) {
  if (deviations.empty()) return std::nullopt;
  return Spread{deviations.size(), stats::median(deviations), stats::quantile(deviations, 0.95),
                *std::ranges::max_element(deviations)};
}

}  // namespace

NoiseSummary noise_summary(std::span<const Figure> figures) {
  std::vector<double> all, long_device;
  for (const Figure& figure : figures) {
    if (!figure.noise || !figure.noise->between) continue;
    all.push_back(*figure.noise->between);
    if (is_long_device_time(figure)) long_device.push_back(*figure.noise->between);
  }
  return {spread_of(all), spread_of(long_device)};
}

}  // namespace cupel::figures
