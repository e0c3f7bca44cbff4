#include "cupel/advice/own_step.hpp"

#include <vector>

#include "cupel/figures/waterfall.hpp"

namespace cupel::advice {
namespace {

constexpr const char* kLoadedNet = "net:resnet18_224 ";

}  // namespace

std::optional<OwnStep> own_step(std::span<const figures::Figure> figures) {
  for (const figures::Waterfall& step : figures::waterfalls_of(figures)) {
    if (step.operation == "pytorch/model")
      return OwnStep{step.rungs.front().with->time->location_s, step.rungs.back().with->time->location_s};
  }
  return std::nullopt;
}

std::optional<LoaderAndStep> loader_and_step(std::span<const figures::Figure> figures) {
  LoaderAndStep found;
  for (const figures::Figure& figure : figures) {
    const std::string* workers = figure.operation == "pytorch/loader" ? figure.param("workers") : nullptr;
    if (workers == nullptr || !figure.rate || figure.rate->per_second <= found.loader_per_s) continue;
    found.loader_per_s = figure.rate->per_second;
    found.workers = *workers;
  }
  const std::vector<figures::Waterfall> steps = figures::waterfalls_of(figures);
  for (const figures::Waterfall& step : steps) {
    if (step.operation != "pytorch/step" || !step.where.starts_with(kLoadedNet)) continue;
    for (const figures::Rung& rung : step.rungs) {
      if (!rung.with->rate || rung.with->rate->per_second <= found.step_per_s) continue;
      found.step_per_s = rung.with->rate->per_second;
      found.step = step.where;
    }
  }
  return found.loader_per_s > 0 && found.step_per_s > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace cupel::advice
