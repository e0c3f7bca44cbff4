#include "cupel/advice/order.hpp"

#include <algorithm>

namespace cupel::advice {
namespace {

std::string cause_of(const std::string& id) {
  for (const SharedCause& cause : shared_causes()) {
    if (std::ranges::find(cause.ids, id) != cause.ids.end()) return cause.name;
  }
  return "";
}

bool ranks_before(const AdviceResult& a, const AdviceResult& b) {
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  if (a.verdict == AdviceVerdict::pays && a.one_call != b.one_call) return b.one_call;
  if (a.verdict <= AdviceVerdict::mixed) return a.gain.value_or(1) > b.gain.value_or(1);
  if (a.verdict == AdviceVerdict::harms) return a.loss.value_or(1) < b.loss.value_or(1);
  return false;
}

bool can_be_ranked(const AdviceResult& result) {
  return result.verdict == AdviceVerdict::pays && result.kind != catalogue::AdviceKind::cost;
}

}  // namespace

const std::vector<SharedCause>& shared_causes() {
  static const std::vector<SharedCause> kCauses{
      {"pinned memory", {"pin-memory", "non-blocking", "pageable-async"}},
      {"waiting for the device", {"avoid-sync", "scalar-readback"}},
      {"cuDNN's choice of an engine", {"cudnn-autotune", "conv-workspace"}},
  };
  return kCauses;
}

const std::vector<std::string_view>& inside_one_call() {
  static const std::vector<std::string_view> kIds{"pageable-async", "host-callbacks",  "reuse-buffers",  "empty-cache",
                                                  "nvtx-cost",      "memory-fraction", "launch-blocking"};
  return kIds;
}

void put_in_order(std::vector<AdviceResult>& results) {
  for (AdviceResult& result : results) {
    result.cause = cause_of(result.id);
    result.one_call = std::ranges::find(inside_one_call(), result.id) != inside_one_call().end();
  }
  std::ranges::stable_sort(results, ranks_before);
  int rank = 0;
  for (auto lead = results.begin(); lead != results.end(); ++lead) {
    if (!can_be_ranked(*lead) || lead->one_call || lead->rank > 0) continue;
    lead->rank = ++rank;
    lead->leads = true;
    if (lead->cause.empty()) continue;
    const auto rest = std::next(lead);
    const auto same = [&](const AdviceResult& other) { return can_be_ranked(other) && other.cause == lead->cause; };
    const auto others = std::stable_partition(rest, results.end(), same);
    for (auto other = rest; other != others; ++other) other->rank = rank;
  }
}

}  // namespace cupel::advice
