#include "cupel/gate/policy.hpp"

#include <algorithm>
#include <array>

#include "cupel/gate/gate_files.hpp"
#include "cupel/record/bounds.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::gate {

using namespace record::detail;

static constexpr auto names_of(Action) { return std::array{"fail", "count", "ignore"}; }

static void visit(auto& v, Actions& actions) {
  v("inconclusive", actions.inconclusive);
  v("missing", actions.missing);
  v("throttled", actions.throttled);
  v("busy", actions.busy);
  v("skipped", actions.skipped);
  v("noisier", actions.noisier);
  v("not_gateable", actions.not_gateable);
}

static void check(const Actions& actions, const Path& path, Reading& reading) {
  const auto is_fit = [&](const char* key, const std::optional<Action>& action) {
    if (action == Action::count) reading.problems.add(Path(path, key), "must be fail or ignore");
  };
  is_fit("missing", actions.missing);
  is_fit("throttled", actions.throttled);
  is_fit("busy", actions.busy);
  is_fit("noisier", actions.noisier);
}

// A share of one: 100 % and more is a mistake of unit.
template <typename Share>
static void visit_share(FieldReader& fields, const char* key, Share& target, record::Bounds bounds) {
  std::optional<double> share;
  fields(key, share);
  if (!share) return;
  if (!bounds.contains(*share)) {
    fields.refuse(key, "must be from " + units::format_percent(bounds.least) + " to " +
                           units::format_percent(bounds.most) + ", as a share (0.01 is 1 %)");
  }
  target = *share;
}

static constexpr record::Bounds kAnyShare{0, 1};

static void visit(FieldReader& v, Override& one) {
  std::string reason;  // for the reader of the file
  v("benchmark", one.benchmark, kRequired);
  visit_share(v, "tolerance", one.tolerance, record::kToleranceBounds);
  visit_share(v, "target", one.target, record::kToleranceBounds);
  v("on", one.on);
  v("reason", reason);
}

static void visit(FieldReader& v, Allowance& allowance) {
  std::string verdict;
  v("benchmark", allowance.benchmark, kRequired);
  v("verdict", verdict, kRequired);
  v("up_to", allowance.up_to);
  v("reason", allowance.reason, kName);
  v("expires", allowance.expires, kRequired);
  using compare::Verdict;
  const std::optional<Verdict> known = compare::verdict_of(verdict);
  if (!known || *known == Verdict::same || *known == Verdict::faster || *known == Verdict::added) {
    v.refuse("verdict",
             "must be SLOWER, NOISIER, INCONCLUSIVE, MISSING, SKIPPED, FAILED, THROTTLED, BUSY or NOT-COMPARABLE");
  }
  allowance.verdict = *known;
}

static void check(const Allowance& allowance, const Path& path, Reading& reading) {
  if (allowance.up_to && !(*allowance.up_to > 1)) {
    reading.problems.add(Path(path, "up_to"), "must be a ratio above 1 (1.05 lets 5 % through)");
  }
  if (!units::is_date(allowance.expires)) reading.problems.add(Path(path, "expires"), "must be a date, YYYY-MM-DD");
}

static void visit(FieldReader& v, GatePolicy& policy) {
  Actions on;
  record::visit_version(v, "cupel_gate_policy");
  v.take("$schema");
  visit_share(v, "tolerance", policy.rules.tolerance, record::kToleranceBounds);
  visit_share(v, "target", policy.rules.target, record::kToleranceBounds);
  visit_share(v, "alpha", policy.alpha, kAnyShare);
  visit_share(v, "max_inconclusive", policy.max_inconclusive, kAnyShare);
  v("screen_processes", policy.screen_processes);
  v("on", on);
  v("overrides", policy.overrides);
  v("allow", policy.allow);
  on.apply(policy.rules);
  policy.speaks_of_not_gateable = on.not_gateable.has_value();
}

static void check(const GatePolicy& policy, const Path& path, Reading& reading) {
  if (!(policy.alpha >= kLeastAlpha)) {
    reading.problems.add(Path(path, "alpha"),
                         "must be at least 1e-12: 32 processes a side cannot show less over a suite");
  }
  if (!record::kScreenProcessBounds.contains(policy.screen_processes)) {
    reading.problems.add(Path(path, "screen_processes"), "must be from 3 to 1000: below 3 no p reaches 5 %");
  }
}

void Actions::apply(GateRules& rules) const {
  rules.inconclusive = inconclusive.value_or(rules.inconclusive);
  rules.missing = missing.value_or(rules.missing);
  rules.throttled = throttled.value_or(rules.throttled);
  rules.busy = busy ? *busy : throttled.value_or(rules.busy);
  rules.skipped = skipped.value_or(rules.skipped);
  rules.noisier = noisier.value_or(rules.noisier);
  rules.not_gateable = not_gateable.value_or(rules.not_gateable);
}

// By any spelling of its name.
static bool is_about(const record::Pattern& pattern, std::string_view name, std::span<const std::string> printed) {
  return pattern.matches(name) ||
         std::ranges::any_of(printed, [&](const std::string& other) { return pattern.matches(other); });
}

GateRules GatePolicy::rules_for(std::string_view name, std::span<const std::string> printed) const {
  GateRules result = rules;
  for (const Override& one : overrides) {
    if (!is_about(one.benchmark, name, printed)) continue;
    result.tolerance = one.tolerance.value_or(result.tolerance);
    result.target = one.target.value_or(result.target);
    one.on.apply(result);
  }
  return result;
}

const Allowance* GatePolicy::allowance(const compare::Comparison& row, std::string_view today) const {
  for (const Allowance& one : allow) {
    const bool holds =
        one.verdict == row.verdict && one.expires >= today && is_about(one.benchmark, row.name, row.printed);
    const bool within = !one.up_to || !row.ratio || *row.ratio <= *one.up_to;
    if (holds && within) return &one;
  }
  return nullptr;
}

std::vector<const Allowance*> GatePolicy::expired(std::string_view today) const {
  std::vector<const Allowance*> over;
  for (const Allowance& one : allow) {
    if (one.expires < today) over.push_back(&one);
  }
  return over;
}

GatePolicy policy_from_json(std::string_view text, const std::string& origin) {
  return record::read_document<GatePolicy>(text, origin, record::UnknownKeys::refused);
}

}  // namespace cupel::gate
