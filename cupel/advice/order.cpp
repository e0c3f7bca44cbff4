#include "cupel/advice/order.hpp"

#include <algorithm>
#include <iterator>

namespace cupel::advice {
namespace {

bool pays_as_gain(const AdviceResult& result) {
  return result.verdict == AdviceVerdict::pays && result.kind != catalogue::AdviceKind::cost;
}

AdviceGroup group_of(const AdviceResult& result, const catalogue::CatalogueRow* row) {
  if (!result.metric.is_time()) return AdviceGroup::counted;
  if (row != nullptr && !row->is_default) return AdviceGroup::chosen;
  if (row != nullptr && row->group) return *row->group;
  return pays_as_gain(result) && !result.pays_at_most() ? AdviceGroup::few : AdviceGroup::step;
}

// One key for what a step tells, one for the others.
bool ranks_before(const AdviceResult& a, const AdviceResult& b) {
  if (a.gains.in_step.has_value() != b.gains.in_step.has_value()) return a.gains.in_step.has_value();
  if (a.gains.in_step) return a.gains.in_step->saved_s() > b.gains.in_step->saved_s();
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  if (a.verdict == AdviceVerdict::pays && a.place.group != b.place.group) return a.place.group < b.place.group;
  if (a.verdict == AdviceVerdict::pays) return a.gains.least_gain.value_or(1) > b.gains.least_gain.value_or(1);
  if (a.verdict == AdviceVerdict::harms) return a.gains.least_loss.value_or(1) < b.gains.least_loss.value_or(1);
  return false;
}

bool is_ranked(const AdviceResult& result) {
  return result.gains.in_step || (pays_as_gain(result) && result.place.group == AdviceGroup::step);
}

bool is_mixed(const AdviceResult& result) { return result.verdict == AdviceVerdict::mixed; }

// Moves the pieces of the lead's cause that may follow right behind it; returns the place behind them.
template <class Place, class May>
Place bring_behind(Place lead, Place end, const May& may) {
  if (lead->place.cause.empty()) return std::next(lead);
  return std::stable_partition(std::next(lead), end, [&](const AdviceResult& other) {
    return may(other) && other.place.cause == lead->place.cause;
  });
}

}  // namespace

std::vector<const AdviceResult*> first_changes(std::span<const AdviceResult> all, std::size_t most) {
  std::vector<const AdviceResult*> first;
  for (const AdviceResult& result : all) {
    if (result.place.leads && first.size() < most) first.push_back(&result);
  }
  return first;
}

bool pays_without_rank(const AdviceResult& result) { return pays_as_gain(result) && result.place.rank == 0; }

void put_in_order(std::vector<AdviceResult>& results, const catalogue::Catalogue& catalogue) {
  for (AdviceResult& result : results) {
    const catalogue::CatalogueRow* row = catalogue.find(result.id);
    if (row != nullptr) result.place.cause = row->cause;
    result.place.group = group_of(result, row);
  }
  std::ranges::stable_sort(results, ranks_before);
  for (auto lead = results.begin(); lead != results.end();) {
    lead = is_mixed(*lead) ? bring_behind(lead, results.end(), is_mixed) : std::next(lead);
  }
  int rank = 0;
  for (auto lead = results.begin(); lead != results.end(); ++lead) {
    if (!is_ranked(*lead) || lead->place.rank > 0) continue;
    lead->place.rank = ++rank;
    lead->place.leads = true;
    const auto others = bring_behind(lead, results.end(), is_ranked);
    for (auto other = std::next(lead); other != others; ++other) other->place.rank = rank;
  }
}

void set_numbers(std::vector<AdviceResult>& results, bool loader_binds) {
  constexpr int kMostOfLoader = 2;
  int before = 0;
  for (AdviceResult& result : results) {
    const bool is_of_loader = pays_without_rank(result) && result.place.group == AdviceGroup::stage;
    if (loader_binds && is_of_loader && before < kMostOfLoader) result.place.number = ++before;
  }
  for (AdviceResult& result : results) {
    if (result.place.rank > 0) result.place.number = before + result.place.rank;
  }
}

}  // namespace cupel::advice
