#include "cupel/advice/knee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cupel/units/lists.hpp"
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

std::string knee_text(const Knee& knee) {
  const std::int64_t at = knee.sizes[knee.at].size;
  const std::string gain = fmt::format("{:.0f} %", 100 * kKneeGain);
  std::string text = knee.reached()
                         ? fmt::format("From {} on no batch up to {}, the largest measured, gives more than {}.", at,
                                       knee.sizes.back().size, gain)
                         : fmt::format("Up to {}, the largest measured, a larger batch gives more than {}.", at, gain);
  if (knee.trained) {
    text += fmt::format(" The largest that could be trained, {:.0f}, does {:.2f} times as many a second as {}.",
                        knee.trained->size, knee.trained->per_second / knee.sizes[knee.at].per_second, at);
  } else if (knee.largest) {
    text += fmt::format(
        " By its buffers a batch of {:.0f} has room in memory; it was not tried, and libraries may refuse it before.",
        *knee.largest);
  }
  std::vector<std::string> idle, busy;  // below the knee, where a larger batch pays
  for (std::size_t i = 0; i < knee.at; ++i) {
    (knee.sizes[i].busy < kLittleBusy ? idle : busy).push_back(std::to_string(knee.sizes[i].size));
  }
  const std::string little = fmt::format("{:.0f} %", 100 * kLittleBusy);
  if (!idle.empty())
    text += fmt::format(" At {} the GPU is busy for less than {} of the time, so that a larger batch pays.",
                        units::joined(idle), little);
  if (!busy.empty())
    text += fmt::format(" At {} the GPU is busy for {} of the time or more, and a larger batch pays all the same.",
                        units::joined(busy), little);
  return text;
}

std::string sign_text(const Knee& knee) {
  const BatchSize& enough = knee.sizes[knee.at];
  int told = 0;
  std::vector<std::string> missed;
  for (std::size_t i = 0; i < knee.sizes.size() - (knee.reached() ? 0 : 1); ++i) {
    const BatchSize& batch = knee.sizes[i];
    const bool idle = batch.busy < kLittleBusy, too_small = i < knee.at;
    if (idle && too_small) ++told;
    if (idle == too_small) continue;
    missed.push_back(
        fmt::format("at {} it is busy for {:.0f} % of the time, and ", batch.size, 100 * batch.busy) +
        (idle ? "no larger one gives more"
              : fmt::format("{} do {:.2f} times as many a second", enough.size, enough.per_second / batch.per_second)));
  }
  if (missed.empty()) return told > 0 ? "holds at all " + std::to_string(told) : "";
  return (told > 0 ? fmt::format("holds at {} of {}: ", told, told + missed.size()) : "does not hold: ") +
         units::joined(missed, "; ");
}

}  // namespace cupel::advice
