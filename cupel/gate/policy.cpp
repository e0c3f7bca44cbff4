#include "cupel/gate/policy.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "cupel/gate/document.hpp"

namespace cupel::gate {
namespace {

using namespace record::detail;

constexpr std::array<std::pair<Action, const char*>, 3> kActions{
    {{Action::fail, "fail"}, {Action::count, "count"}, {Action::ignore, "ignore"}}};

std::optional<Action> read_action(Fields& fields, const char* key) {
  std::string text;
  fields.read(key, text);
  if (text.empty()) return std::nullopt;
  for (const auto& [action, name] : kActions) {
    const bool counted = action == Action::count;
    if (text == name && (!counted || std::string_view(key) == "inconclusive")) return action;
  }
  fields.reading().problems.add(Path(fields.path(), key), std::string_view(key) == "inconclusive"
                                                              ? "must be fail, count or ignore"
                                                              : "must be fail or ignore");
  return std::nullopt;
}

// A share of one: an effect, a tolerance. 100 % and more is a mistake of unit.
std::optional<double> read_share(Fields& fields, const char* key) {
  std::optional<double> share;
  fields.read(key, share);
  if (share && !(*share >= 0 && *share < 1)) {
    fields.reading().problems.add(Path(fields.path(), key), "must be from 0 to less than 1 (0.01 is 1 %)");
  }
  return share;
}

void read_actions(Fields& parent, std::optional<Action>& inconclusive, std::optional<Action>& missing,
                  std::optional<Action>& throttled) {
  const Value* value = parent.take("on");
  if (value == nullptr) return;
  const Path path(parent.path(), "on");
  Fields fields(*value, path, parent.reading());
  inconclusive = read_action(fields, "inconclusive");
  missing = read_action(fields, "missing");
  throttled = read_action(fields, "throttled");
  fields.finish();
}

record::Pattern read_pattern(Fields& fields) {
  std::string text;
  fields.read_required("benchmark", text);
  return compiled(text, Path(fields.path(), "benchmark"), fields.reading());
}

Override read_override(const Value& value, const Path& path, Reading& reading) {
  Fields fields(value, path, reading);
  Override result{read_pattern(fields), read_share(fields, "tolerance"), read_share(fields, "target"), {}, {}, {}};
  read_actions(fields, result.inconclusive, result.missing, result.throttled);
  std::string ignored;
  fields.read("reason", ignored);  // for the reader of the file
  fields.finish();
  return result;
}

compare::Verdict read_verdict(Fields& fields) {
  std::string text;
  fields.read_required("verdict", text);
  const std::optional<compare::Verdict> verdict = compare::verdict_of(text);
  if (!verdict || *verdict == compare::Verdict::same || *verdict == compare::Verdict::faster ||
      *verdict == compare::Verdict::added) {
    fields.reading().problems.add(Path(fields.path(), "verdict"),
                                  "must be SLOWER, INCONCLUSIVE, MISSING, FAILED, THROTTLED or NOT-COMPARABLE");
    return compare::Verdict::slower;
  }
  return *verdict;
}

Allowance read_allowance(const Value& value, const Path& path, Reading& reading) {
  Fields fields(value, path, reading);
  Allowance result{read_pattern(fields), read_verdict(fields), {}, {}, {}};
  fields.read("up_to", result.up_to);
  if (result.up_to && !(*result.up_to > 1)) {
    reading.problems.add(Path(path, "up_to"), "must be a ratio above 1 (1.05 lets 5 % through)");
  }
  fields.read_required("reason", result.reason);
  if (result.reason.empty()) reading.problems.add(Path(path, "reason"), "must say why");
  fields.read_required("expires", result.expires);
  if (!is_date(result.expires)) reading.problems.add(Path(path, "expires"), "must be a date, YYYY-MM-DD");
  fields.finish();
  return result;
}

template <typename Read, typename T>
void read_list(Fields& parent, const char* key, Read read, std::vector<T>& target) {
  const Value* value = parent.take(key);
  if (value == nullptr) return;
  const Path path(parent.path(), key);
  for_each(*value, path, parent.reading(),
           [&](const Value& element, const Path& here) { target.push_back(read(element, here, parent.reading())); });
}

GatePolicy read_policy(const Value& value, const Path& path, Reading& reading) {
  Fields fields(value, path, reading);
  GatePolicy policy;
  require_version_1(fields, "cupel_gate_policy");
  fields.ignore("$schema");
  policy.rules.tolerance = read_share(fields, "tolerance").value_or(policy.rules.tolerance);
  policy.rules.target = read_share(fields, "target").value_or(policy.rules.target);
  policy.alpha = read_share(fields, "alpha").value_or(policy.alpha);
  if (!(policy.alpha > 0)) reading.problems.add(Path(path, "alpha"), "must be above 0");
  policy.max_inconclusive = read_share(fields, "max_inconclusive").value_or(policy.max_inconclusive);
  fields.read("screen_processes", policy.screen_processes);
  if (policy.screen_processes < 3 || policy.screen_processes > 1000) {
    reading.problems.add(Path(path, "screen_processes"), "must be from 3 to 1000: below 3 no p reaches 5 %");
  }
  std::optional<Action> inconclusive, missing, throttled;
  read_actions(fields, inconclusive, missing, throttled);
  policy.rules.inconclusive = inconclusive.value_or(policy.rules.inconclusive);
  policy.rules.missing = missing.value_or(policy.rules.missing);
  policy.rules.throttled = throttled.value_or(policy.rules.throttled);
  read_list(fields, "overrides", read_override, policy.overrides);
  read_list(fields, "allow", read_allowance, policy.allow);
  fields.finish();
  return policy;
}

}  // namespace

GateRules GatePolicy::rules_for(std::string_view name) const {
  GateRules result = rules;
  for (const Override& one : overrides) {
    if (!one.benchmark.matches(name)) continue;
    result.tolerance = one.tolerance.value_or(result.tolerance);
    result.target = one.target.value_or(result.target);
    result.inconclusive = one.inconclusive.value_or(result.inconclusive);
    result.missing = one.missing.value_or(result.missing);
    result.throttled = one.throttled.value_or(result.throttled);
  }
  return result;
}

const Allowance* GatePolicy::allowance(const compare::Comparison& row, std::string_view today) const {
  for (const Allowance& one : allow) {
    const bool holds = one.verdict == row.verdict && one.expires >= today && one.benchmark.matches(row.name);
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
  return read_document<GatePolicy>(text, origin, read_policy, UnknownKeys::refused);
}

}  // namespace cupel::gate
