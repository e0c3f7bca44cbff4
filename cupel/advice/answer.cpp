#include "cupel/advice/answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "cupel/advice/net.hpp"
#include "cupel/advice/order.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::advice {
namespace {

using catalogue::AdviceKind;

bool pays_and_is(const AdviceResult& result, AdviceGroup group) {
  return pays_without_rank(result) && result.place.group == group;
}

constexpr std::string_view kInPyTorch = "pytorch/";

// "PyTorch net:resnet18_32 batch:128", as StepGain names it, of the point "pytorch/net:resnet18_32/batch:128"; empty
// where a point is of no step of PyTorch's.
std::string step_of(const AdvicePoint& point) {
  if (!point.scenario.starts_with("pytorch/net:")) return "";
  return "PyTorch " + units::replaced(point.scenario.substr(kInPyTorch.size()), {{'/', " "}});
}

std::string own_place(const AdviceResult& result, const AdvicePoint& point) {
  switch (result.place.group) {
    case AdviceGroup::stage:
      return "in a loader";
    case AdviceGroup::one_call:
      return "inside a call";
    default:
      const int all = result.counts.decided() + result.counts.undecided;
      const std::string net = net_of(step_of(point));
      const std::string where = net.empty() ? "by itself" : "in a step of " + net;
      return 2 * result.counts.pays > all ? where : fmt::format("{}, at {} of {}", where, result.counts.pays, all);
  }
}

// The point that gains least of those that the headline is of and that pay.
const AdvicePoint* least_of(const AdviceResult& result) {
  std::vector<const AdvicePoint*> points = result.headline();
  std::erase_if(points, [](const AdvicePoint* point) { return point->verdict != AdviceVerdict::pays; });
  const auto ratio = [](const AdvicePoint* point) { return point->gain->ratio; };
  return points.empty() ? nullptr : *std::ranges::min_element(points, {}, ratio);
}

MeasuredIn measured_in(const StepGain& step) {
  if (!step.is_pytorchs) return MeasuredIn::cpp;
  return step.is_of_the_reader ? MeasuredIn::model_of_the_reader : MeasuredIn::pytorch;
}

MeasuredIn measured_in(const AdvicePoint& point) {
  if (point.before_name.starts_with("pytorch/model/")) return MeasuredIn::model_of_the_reader;
  return point.before_name.starts_with(kInPyTorch) ? MeasuredIn::pytorch : MeasuredIn::cpp;
}

// "16 workers", "size 256": the numbers among the after's parameters that are not the before's.
std::string setting_of(const AdvicePoint& point) {
  const auto before = units::parameters_of(point.before_name);
  std::vector<std::string> parts;
  for (const auto& [name, value] : units::parameters_of(point.after_name)) {
    const bool is_number = value.find_first_not_of("0123456789") == value.npos;
    if (is_number && !units::contains(before, std::pair(name, value)))
      parts.push_back(name.ends_with('s') ? value + " " + name : name + " " + value);
  }
  return units::joined(parts);
}

Change change_in(const StepGain& step, const AdviceResult& result, const std::string& where) {
  return {&result, where, step.without_s, step.with_s, step.ratio, measured_in(step), std::nullopt, step.change, ""};
}

// ", 32 images": what of a loader the times are of.
std::string images_of(const AdvicePoint& point, std::span<const figures::Figure> figures) {
  const auto figure = std::ranges::find(figures, point.before_name, &figures::Figure::name);
  return figure == figures.end() || figure->workload.items <= 0
             ? ""
             : ", " + units::counted(figure->workload.items, "image");
}

class Changes {
 public:
  Changes(Answer& answer, std::span<const AdviceResult> all, std::span<const figures::Figure> figures)
      : answer_(answer), all_(all), figures_(figures) {}

  // Adds pieces that are not there yet.
  void add(const std::function<bool(const AdviceResult&)>& is) {
    for (const AdviceResult& result : all_) {
      if (answer_.changes.size() == kMostChanges) return;
      if (!is(result) || has(result)) continue;
      std::optional<Change> change = change_of(result);
      if (!change) continue;
      const bool is_of_a_loader = !result.gains.in_step && result.place.group == AdviceGroup::stage;
      if (is_of_a_loader) change->where += images_of(*least_of(result), figures_);
      answer_.changes.push_back(*change);
    }
  }

  bool has(const AdviceResult& result) const {
    return std::ranges::find(answer_.changes, &result, &Change::piece) != answer_.changes.end();
  }

 private:
  Answer& answer_;
  std::span<const AdviceResult> all_;
  std::span<const figures::Figure> figures_;
};

std::optional<StepEnds> ends_of(const StepGain& gain, std::span<const figures::Figure> figures) {
  for (const figures::Waterfall& step : figures::waterfalls_of(figures)) {
    if (step_name(step) != gain.step) continue;
    return StepEnds{gain.step, own_step(figures).has_value(), gain.alone, step.rungs.front().with->time->location_s,
                    step.rungs.back().with->time->location_s};
  }
  return std::nullopt;
}

// The greatest loss among the points that count.
std::optional<Price> price_of(const AdviceResult& result) {
  Price price{&result, nullptr, ""};
  for (const AdviceCurve& curve : result.counted()) {
    for (const AdvicePoint& point : curve.points) {
      if (point.verdict != AdviceVerdict::harms || !point.gain || point.unusual) continue;
      if (price.worst != nullptr && point.gain->ratio >= price.worst->gain->ratio) continue;
      price.worst = &point;
      price.variant = curve.variant;
    }
  }
  return price.worst == nullptr ? std::nullopt : std::optional(price);
}

void add_prices(Answer& answer, std::span<const AdviceResult> all) {
  for (const AdviceResult& result : all) {
    if (result.verdict != AdviceVerdict::harms && result.verdict != AdviceVerdict::mixed) continue;
    if (const auto price = price_of(result))
      (result.kind == AdviceKind::cost ? answer.costs : answer.harms).push_back(*price);
  }
  const auto key = [](const Price& price) {
    return std::pair(price.piece->place.group == AdviceGroup::one_call, price.worst->gain->ratio);
  };
  std::ranges::stable_sort(answer.costs, {}, key);
  std::ranges::stable_sort(answer.harms, {}, key);
}

void count(Answer& answer, const AdviceResult& result) {
  using enum AdviceVerdict;
  if (result.kind == AdviceKind::figure || result.kind == AdviceKind::tool) return;
  answer.no_difference += result.verdict == no_difference ? 1 : 0;
  answer.undecided += result.verdict == undecided ? 1 : 0;
  answer.not_measurable += result.verdict == not_measurable || result.verdict == not_compared ? 1 : 0;
  answer.not_measured += result.verdict == not_measured && !result.gains.in_step ? 1 : 0;
}

void count_other(OtherGains& others, const AdviceResult& result) {
  switch (result.place.group) {
    case AdviceGroup::step:
      ++others.by_itself;
      return;
    case AdviceGroup::few:
      ++others.at_some;
      return;
    case AdviceGroup::stage:
      ++others.in_a_loader;
      return;
    case AdviceGroup::one_call:
      ++others.inside_a_call;
      return;
    case AdviceGroup::chosen:
      ++others.chosen;
      return;
    case AdviceGroup::counted:
      ++others.memory;
      return;
    case AdviceGroup::whole:
      return;  // no change of its own
  }
}

}  // namespace

// A gain in a step is that of the step wherever it is told, though the point, which pairs processes, may differ a bit.
std::optional<Change> change_of(const AdviceResult& result) {
  if (result.gains.in_step) return change_in(*result.gains.in_step, result, "in a step");
  const AdvicePoint* point = least_of(result);
  if (point == nullptr) return std::nullopt;
  const auto step = std::ranges::find(result.gains.in_steps, step_of(*point), &StepGain::step);
  if (step != result.gains.in_steps.end()) return change_in(*step, result, own_place(result, *point));
  return Change{&result,
                own_place(result, *point),
                point->before,
                point->after,
                point->gain->ratio,
                measured_in(*point),
                point->scenario,
                "",
                setting_of(*point)};
}

Answer answer_of(std::span<const AdviceResult> all, std::span<const figures::Figure> figures) {
  Answer answer;
  answer.loader = loader_that_binds(all, figures);
  if (!all.empty() && all.front().gains.in_step) answer.step = ends_of(*all.front().gains.in_step, figures);
  Changes changes(answer, all, figures);
  const auto of_group = [](AdviceGroup group) {
    return [group](const AdviceResult& result) { return pays_and_is(result, group); };
  };
  changes.add([](const AdviceResult& result) { return result.place.number > 0 && result.place.rank == 0; });
  changes.add([](const AdviceResult& result) { return result.place.rank > 0; });
  answer.is_ranked = std::ranges::any_of(answer.changes, [](const Change& one) { return one.piece->place.rank > 0; });
  for (const AdviceGroup group : {AdviceGroup::few, AdviceGroup::stage, AdviceGroup::one_call})
    changes.add(of_group(group));
  add_prices(answer, all);
  for (const AdviceResult& result : all) {
    const bool pays = result.kind != AdviceKind::cost && result.verdict == AdviceVerdict::pays;
    if (pays && !changes.has(result)) count_other(answer.others, result);
    count(answer, result);
  }
  return answer;
}

}  // namespace cupel::advice
