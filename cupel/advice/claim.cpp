#include "cupel/advice/claim.hpp"

#include <algorithm>
#include <string>

namespace cupel::advice {
namespace {

bool holds_at(const AdvicePoint& point, const std::string& says) {
  if (says == "pays") return point.verdict == AdviceVerdict::pays;
  if (says == "costs") return point.verdict == AdviceVerdict::harms;
  if (says == "free") return point.verdict == AdviceVerdict::pays || point.verdict == AdviceVerdict::no_difference;
  return point.gain->ratio >= std::stod(says);
}

}  // namespace

std::optional<ClaimCheck> check_claim(const AdviceResult& result, const catalogue::CatalogueRow& row) {
  const std::string& says = row.claim_says;
  if (says.empty() || says == "first" || says == "sign") return std::nullopt;
  std::vector<double> gains;
  ClaimCheck claim;
  const bool is_figure = says.ends_with('x');
  const std::string& told_by = result.told_by.empty() ? row.told_by : result.told_by;
  for (const AdvicePoint* point : result.measured()) {
    const bool tells = is_figure ? point->gain->low.has_value() : point->decided();
    if (!tells || !point->scenario.starts_with(told_by)) continue;
    gains.push_back(point->gain->ratio);
    claim.held += holds_at(*point, says) ? 1 : 0;
  }
  for (const StepGain& step : result.gains.in_steps) {
    if (!is_figure) break;
    gains.push_back(step.ratio);
    claim.held += step.ratio >= std::stod(says) ? 1 : 0;
  }
  if (gains.empty()) return std::nullopt;
  claim.of = static_cast<int>(gains.size());
  claim.least = std::ranges::min(gains);
  claim.greatest = std::ranges::max(gains);
  return claim;
}

}  // namespace cupel::advice
