#include "cupel/gate/policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/files/errors.hpp"
#include "cupel/record/member_count.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::gate {
namespace {

using testing::HasSubstr;

std::string problem_of(const std::string& text) {
  try {
    policy_from_json(text, "gate.json");
  } catch (const files::ReadError& error) {
    return error.what();
  }
  return "";
}

compare::Comparison row_of(const std::string& name, compare::Verdict verdict, double ratio = 1) {
  compare::Comparison row;
  row.name = name;
  row.verdict = verdict;
  row.ratio = ratio;
  return row;
}

using nlohmann::json;

const json kSchema = json::parse(std::ifstream(CUPEL_GATE_POLICY_SCHEMA));

// A policy in which all stands that the schema knows, once.
json every_field(const json& schema) {
  if (schema.contains("$ref")) {
    return every_field(kSchema.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
  }
  if (schema.contains("const")) return schema["const"];
  if (schema.contains("enum")) return schema["enum"][0];
  if (schema.contains("pattern")) return "2026-12-31";
  const std::string type = schema.at("type");
  if (type == "array") return json::array({every_field(schema["items"])});
  if (type == "string") return "x";
  if (type == "integer") return schema.at("minimum");
  if (type == "number") return schema.value("exclusiveMinimum", 0.0) + 0.01;
  json object = json::object();
  for (const auto& [name, property] : schema.at("properties").items()) object[name] = every_field(property);
  return object;
}

TEST(PolicySchema, HasTheFieldsOfEveryStruct) {
  const auto fields = [](const char* pointer) { return kSchema.at(json::json_pointer(pointer)).size(); };

  EXPECT_EQ(problem_of(every_field(kSchema).dump()), "");
  // Added are tolerance, target and `on` of the rules, the version, and $schema; whether `on` speaks is no field.
  EXPECT_EQ(fields("/properties"), record::member_count<GatePolicy>() - 2 + 3 + 2);
  EXPECT_EQ(fields("/$defs/on/properties"), record::member_count<Actions>());
  EXPECT_EQ(fields("/$defs/override/properties"), record::member_count<Override>() + 1) << "and the reason";
  EXPECT_EQ(fields("/$defs/allowance/properties"), record::member_count<Allowance>());
}

TEST(Policy, OfAFileThatSaysNothingHasTheDocumentedDefaults) {
  const GatePolicy policy = policy_from_json(R"({"cupel_gate_policy": 1})", "gate.json");

  EXPECT_EQ(policy.rules, GateRules{});
  EXPECT_EQ(policy.rules.tolerance, 0.01);
  EXPECT_EQ(policy.alpha, 0.002);
  EXPECT_EQ(policy.screen_processes, 5);
  EXPECT_EQ(policy.max_inconclusive, 0.1);
}

TEST(Policy, NamesAKeyThatItDoesNotKnowWhereverItStands) {
  EXPECT_EQ(problem_of(R"({"cupel_gate_policy": 1, "tolerence": 0.02})"),
            "gate.json: field /tolerence: is not a known key; did you mean tolerance?");
  EXPECT_EQ(problem_of(R"({"cupel_gate_policy": 1, "on": {"missin": "fail"}})"),
            "gate.json: field /on/missin: is not a known key; did you mean missing?");
  EXPECT_EQ(
      problem_of(R"({"cupel_gate_policy": 1, "overrides": [{"benchmark": "x", "tol": 0}]})"),
      "gate.json: field /overrides/0/tol: is not a known key; known are benchmark, tolerance, target, on, reason");
}

TEST(Policy, RefusesWhatMakesNoSense) {
  EXPECT_THAT(problem_of("{"), HasSubstr("gate.json"));
  EXPECT_EQ(problem_of("{}"), R"(gate.json: field /cupel_gate_policy: is missing: add "cupel_gate_policy": 1)");
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 2})"), HasSubstr("/cupel_gate_policy"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "tolerance": 3})"), HasSubstr("/tolerance"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "alpha": 0})"), HasSubstr("/alpha"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "alpha": 9e-13})"), HasSubstr("/alpha"));
  EXPECT_EQ(problem_of(R"({"cupel_gate_policy": 1, "alpha": 1e-12})"), "");
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "screen_processes": 2})"), HasSubstr("/screen_processes"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "tolerance": 0.1, "tolerance": 0.2})"), HasSubstr("tolerance"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "on": {"missing": "count"}})"), HasSubstr("/on/missing"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "overrides": [{"benchmark": "("}]})"),
              HasSubstr("/overrides/0/benchmark"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "overrides": 7})"), HasSubstr("/overrides"));
}

TEST(Policy, TakesTheLastOverrideThatMatches) {
  const GatePolicy policy = policy_from_json(R"({"cupel_gate_policy": 1, "target": 0.05, "overrides": [
      {"benchmark": "^host/", "tolerance": 0.1, "on": {"inconclusive": "ignore"}},
      {"benchmark": "/bytes:4$", "tolerance": 0.2}]})",
                                             "gate.json");

  EXPECT_EQ(policy.rules_for("sync/launch").tolerance, 0.01);
  EXPECT_EQ(policy.rules_for("host/memcpy").tolerance, 0.1);
  EXPECT_EQ(policy.rules_for("host/memcpy").inconclusive, Action::ignore);
  EXPECT_EQ(policy.rules_for("host/memcpy/bytes:4").tolerance, 0.2);
  EXPECT_EQ(policy.rules_for("host/memcpy/bytes:4").target, 0.05);
}

TEST(Policy, AsksAReasonAndALastDayOfEveryAllowance) {
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "allow": [{"benchmark": "x", "verdict": "SLOWER"}]})"),
              HasSubstr("/allow/0/reason"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "allow": [
      {"benchmark": "x", "verdict": "SLOWER", "reason": "r", "expires": "2026-02-30"}]})"),
              HasSubstr("/allow/0/expires"));
  EXPECT_THAT(problem_of(R"({"cupel_gate_policy": 1, "allow": [
      {"benchmark": "x", "verdict": "SAME", "reason": "r", "expires": "2026-02-03"}]})"),
              HasSubstr("/allow/0/verdict"));
}

TEST(Policy, LetsThroughWhatWasAgreedUntilItsLastDay) {
  const GatePolicy policy = policy_from_json(R"({"cupel_gate_policy": 1, "allow": [
      {"benchmark": "^a$", "verdict": "slower", "up_to": 1.05, "reason": "a fix", "expires": "2026-12-31"}]})",
                                             "gate.json");

  EXPECT_NE(policy.allowance(row_of("a", compare::Verdict::slower, 1.04), "2026-12-31"), nullptr);
  EXPECT_EQ(policy.allowance(row_of("a", compare::Verdict::slower, 1.06), "2026-12-31"), nullptr);
  EXPECT_EQ(policy.allowance(row_of("a", compare::Verdict::slower, 1.04), "2027-01-01"), nullptr);
  EXPECT_EQ(policy.allowance(row_of("b", compare::Verdict::slower, 1.04), "2026-12-31"), nullptr);
  EXPECT_EQ(policy.allowance(row_of("a", compare::Verdict::missing), "2026-12-31"), nullptr);
  EXPECT_TRUE(policy.expired("2026-12-31").empty());
  EXPECT_EQ(policy.expired("2027-01-01").size(), 1u);
}

TEST(Date, HasAsManyDaysAsItsMonth) {
  EXPECT_TRUE(units::is_date("2024-02-29"));
  EXPECT_FALSE(units::is_date("2026-02-29"));
  EXPECT_FALSE(units::is_date("2026-13-01"));
  EXPECT_FALSE(units::is_date("2026-1-01"));
  EXPECT_FALSE(units::is_date("26-01-0100"));
}

}  // namespace
}  // namespace cupel::gate
