#include "cupel/advice/knee.hpp"

#include <algorithm>
#include <map>

#include "cupel/units/parse.hpp"

namespace cupel::advice {
namespace {

std::optional<std::int64_t> size_of(const figures::Figure& figure) {
  const std::string* size = figure.param("size");
  return size == nullptr ? std::nullopt : units::number<std::int64_t>(*size);
}

std::optional<Knee::Trained> trained_of(std::span<const figures::Figure> figures, const std::string& operation) {
  const auto found = std::ranges::find(figures, operation + "/largest", &figures::Figure::operation);
  if (found == figures.end() || !found->time || found->workload.items <= 0) return std::nullopt;
  const figures::CounterValue* largest = found->counter("largest_batch");
  if (largest == nullptr) return std::nullopt;
  return Knee::Trained{largest->value, static_cast<double>(found->workload.items) / found->time->location_s};
}

std::size_t knee_of(const std::vector<BatchSize>& sizes) {
  double most = 0;  // of larger sizes
  std::size_t at = sizes.size() - 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (most <= (1 + kKneeGain) * sizes[i].per_second) at = i;
    most = std::max(most, sizes[i].per_second);
  }
  return at;
}

}  // namespace

std::vector<Knee> knees(std::span<const figures::Figure> figures) {
  std::vector<Knee> all;
  std::map<std::string, std::size_t> index;
  for (const figures::Figure& figure : figures) {
    const figures::CounterValue* device = figure.counter("device_time");
    const std::optional<std::int64_t> size = size_of(figure);
    if (device == nullptr || !size || !figure.time || figure.workload.items <= 0) continue;
    const auto [found, is_new] = index.try_emplace(figure.operation, all.size());
    if (is_new) all.push_back({figure.operation, {}, 0, {}, {}});
    Knee& knee = all[found->second];
    const double time_s = figure.time->location_s;
    knee.sizes.push_back(
        {*size, static_cast<double>(figure.workload.items) / time_s, std::min(1.0, device->value / time_s)});
    if (const figures::CounterValue* largest = figure.counter("largest_batch")) knee.largest = largest->value;
  }
  std::erase_if(all, [](const Knee& knee) { return knee.sizes.size() < 2; });
  for (Knee& knee : all) {
    std::ranges::sort(knee.sizes, {}, &BatchSize::size);
    knee.at = knee_of(knee.sizes);
    knee.trained = trained_of(figures, knee.operation);
  }
  return all;
}

}  // namespace cupel::advice
