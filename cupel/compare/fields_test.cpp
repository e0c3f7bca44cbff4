// The list of a comparison's fields against docs/schema/gate-result.schema.json, whose rows are made of it, and against
// the structs themselves.
#include "cupel/compare/fields.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace cupel::compare {
namespace {

using Names = std::set<std::string>;

// The names of a list, and the values of its enumerations.
class Collector {
 public:
  template <typename T>
  void operator()(const char* name, const T& member, record::detail::Rule = {}) {
    names.insert(name);
    add_values(name, member);
  }

  Names names;
  std::map<std::string, Names> values;

 private:
  template <typename T>
  void add_values(const char* name, const std::optional<T>&) {
    add_values(name, T{});
  }

  template <typename T>
  void add_values(const char* name, const T& member) {
    if constexpr (record::Named<T>) {
      for (const char* value : names_of(member)) values[name].insert(value);
    }
  }
};

template <typename T>
Collector fields_of() {
  Collector list;
  const T content{};
  visit(list, content);
  return list;
}

const nlohmann::json& schema_of(const char* definition) {
  static const nlohmann::json kSchema = nlohmann::json::parse(std::ifstream(CUPEL_GATE_SCHEMA));
  return kSchema.at("$defs").at(definition).at("properties");
}

Names in_schema(const char* definition) {
  Names names;
  for (const auto& [name, _] : schema_of(definition).items()) names.insert(name);
  return names;
}

Names without(Names names, const Names& left_out) {
  for (const std::string& name : left_out) names.erase(name);
  return names;
}

TEST(ComparisonFields, AreThoseOfTheGatesSchemaButForWhatEitherHasAlone) {
  const Names only_compare{"replication", "reference", "contender"};
  const Names only_gate{"better",  "gateable",  "outcome", "stage", "suspect",
                        "allowed", "tolerance", "target",  "base",  "new"};

  EXPECT_EQ(without(fields_of<Comparison>().names, only_compare), without(in_schema("row"), only_gate));
}

TEST(ComparisonFields, OfASideAreThoseOfTheGatesSchemaButForWhatCompareHasAlone) {
  EXPECT_EQ(without(fields_of<Side>().names, {"share_of_limit", "limit", "power_capped_share", "throttled_share"}),
            in_schema("side"));
}

TEST(ComparisonFields, HaveTheValuesThatTheSchemaLists) {
  for (const auto& [name, values] : fields_of<Comparison>().values) {
    if (!in_schema("row").contains(name)) continue;
    Names listed;
    for (const auto& value : schema_of("row").at(name).value("enum", nlohmann::json::array())) {
      if (value.is_string()) listed.insert(value);
    }
    EXPECT_EQ(listed, values) << name;
  }
}

}  // namespace
}  // namespace cupel::compare
