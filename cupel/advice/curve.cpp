#include "cupel/advice/stages.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>

namespace cupel::advice {
namespace {

constexpr int kOddPoint = 5;
constexpr int kBorder = 3;
constexpr std::array kLevels{AdviceVerdict::pays, AdviceVerdict::harms, AdviceVerdict::no_difference};

// One "parameter:value" of a scenario whose value is a whole number.
struct Parameter {
  std::string name;
  double value = 0;
  std::string rest;  ///< the scenario without it
};

bool is_whole_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;  // of an int64
  return !text.empty() && text.size() <= kMostDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<Parameter> parameters_of(const std::string& scenario) {
  std::vector<Parameter> parameters;
  for (std::size_t begin = 0; begin <= scenario.size();) {
    const std::size_t end = std::min(scenario.find('/', begin), scenario.size());
    const std::size_t colon = scenario.find(':', begin);
    const std::string_view digits = colon < end ? std::string_view(scenario).substr(colon + 1, end - colon - 1) : "";
    if (is_whole_number(digits)) {
      std::int64_t value = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
      const std::string front = scenario.substr(0, begin == 0 ? 0 : begin - 1);
      const std::string back = end == scenario.size() ? "" : scenario.substr(begin == 0 ? end + 1 : end);
      parameters.push_back({scenario.substr(begin, colon - begin), static_cast<double>(value), front + back});
    }
    begin = end + 1;
  }
  return parameters;
}

// A curve before its points are in it.
struct Key {
  std::string scenario, variant, axis;
  bool recommended = true;
  auto operator<=>(const Key&) const = default;
};

class Axes {
 public:
  explicit Axes(const std::vector<PairedPoint>& points) {
    for (const PairedPoint& paired : points) {
      for (const Parameter& parameter : parameters_of(paired.point.scenario)) {
        values_[key_of(paired, parameter)].insert(parameter.value);
      }
    }
  }

  // The parameter that the point lies on; none where nothing varies.
  std::optional<Parameter> of(const PairedPoint& paired) const {
    const std::vector<Parameter> parameters = parameters_of(paired.point.scenario);
    for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
      if (values_.at(key_of(paired, *parameter)).size() > 1) return *parameter;
    }
    return std::nullopt;
  }

  static Key key_of(const PairedPoint& paired, const Parameter& parameter) {
    return {parameter.rest, paired.variant, parameter.name, paired.recommended};
  }

 private:
  std::map<Key, std::set<double>> values_;
};

AdviceStretch stretch_of(AdviceVerdict verdict, const AdvicePoint& point) {
  return {verdict, point.size.value_or(0), point.size.value_or(0)};
}

void find_stretches(AdviceCurve& curve) {
  std::vector<AdviceVerdict> verdicts;
  for (const AdvicePoint& point : curve.points) verdicts.push_back(point.verdict);
  const std::vector<AdviceVerdict> levels = smoothed(verdicts);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!is_decided(verdicts[i])) continue;
    if (verdicts[i] != levels[i]) {
      curve.odd.push_back(i);
      continue;
    }
    const bool goes_on = !curve.stretches.empty() && curve.stretches.back().verdict == levels[i];
    if (goes_on) {
      curve.stretches.back().to = curve.points[i].size.value_or(0);
    } else {
      curve.stretches.push_back(stretch_of(levels[i], curve.points[i]));
    }
  }
}

// A parameter that turned out to have one value in this curve is part of its scenario.
void settle(AdviceCurve& curve) {
  std::ranges::stable_sort(curve.points, {}, [](const AdvicePoint& point) { return point.size.value_or(0); });
  if (curve.points.size() == 1) {
    curve.scenario = curve.points.front().scenario;
    curve.axis.clear();
    curve.points.front().size.reset();
  }
  find_stretches(curve);
}

}  // namespace

std::vector<AdviceVerdict> smoothed(std::span<const AdviceVerdict> verdicts) {
  const std::size_t n = verdicts.size();
  if (std::ranges::none_of(verdicts, is_decided)) return std::vector<AdviceVerdict>(n, AdviceVerdict::undecided);

  // least[i][l]: cost of the first i + 1 points with the last at level l; from[i][l]: the level before it.
  constexpr std::size_t kCount = kLevels.size();
  std::vector<std::array<int, kCount>> least(n);
  std::vector<std::array<std::size_t, kCount>> from(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t l = 0; l < kCount; ++l) {
      const int here = is_decided(verdicts[i]) && verdicts[i] != kLevels[l] ? kOddPoint : 0;
      least[i][l] = here;
      from[i][l] = l;
      if (i == 0) continue;
      int best = least[i - 1][l];
      for (std::size_t k = 0; k < kCount; ++k) {
        if (least[i - 1][k] + kBorder >= best) continue;
        best = least[i - 1][k] + kBorder;
        from[i][l] = k;
      }
      least[i][l] += best;
    }
  }

  std::size_t level = static_cast<std::size_t>(std::ranges::min_element(least.back()) - least.back().begin());
  std::vector<AdviceVerdict> levels(n);
  for (std::size_t i = n; i-- > 0; level = from[i][level]) levels[i] = kLevels[level];
  return levels;
}

std::vector<AdviceCurve> curves_of(const std::vector<PairedPoint>& points) {
  const Axes axes(points);
  std::vector<AdviceCurve> curves;
  std::map<Key, std::size_t> known;
  for (const PairedPoint& paired : points) {
    const std::optional<Parameter> axis = axes.of(paired);
    Key key{paired.point.scenario, paired.variant, "", paired.recommended};
    if (axis) key = Axes::key_of(paired, *axis);
    const auto [entry, fresh] = known.emplace(key, curves.size());
    if (fresh) curves.push_back({key.scenario, key.variant, key.recommended, key.axis, {}, {}, {}});
    AdviceCurve& curve = curves[entry->second];
    curve.points.push_back(paired.point);
    if (axis) curve.points.back().size = axis->value;
  }
  for (AdviceCurve& curve : curves) settle(curve);
  std::stable_partition(curves.begin(), curves.end(), [](const AdviceCurve& curve) { return curve.recommended; });
  return curves;
}

}  // namespace cupel::advice
