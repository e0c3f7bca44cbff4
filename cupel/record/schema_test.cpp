// The lists of fields against docs/schema/cupel-1.schema.json and against the structs themselves: a member that is
// added to one of the three and not to the others is found here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cupel/record/member_count.hpp"
#include "cupel/record/visit.hpp"

namespace cupel::record {
namespace {

using nlohmann::json;

const json kSchema = json::parse(std::ifstream(CUPEL_RECORD_SCHEMA));

// A field as the schema describes it, or must describe it.
struct Field {
  std::string type;
  std::vector<std::string> values;  // of an enumeration
  bool may_be_negative = true;
  bool operator==(const Field&) const = default;
};

void PrintTo(const Field& field, std::ostream* out) {
  *out << field.type << (field.may_be_negative ? "" : ", not negative");
  for (const std::string& value : field.values) *out << ' ' << value;
}

using Fields = std::map<std::string, Field>;

// Collects the fields of a list.
class Collector {
 public:
  template <typename T>
  void operator()(const char* name, const T& member, detail::Rule rule = {}) {
    fields[name] = field_of(member, rule);
    if (rule.required) required.insert(name);
  }

  Fields fields;
  std::set<std::string> required;

 private:
  static Field field_of(bool, detail::Rule) { return {"boolean", {}, true}; }
  static Field field_of(double, detail::Rule rule) { return {"number", {}, rule.any_sign}; }
  static Field field_of(const std::string&, detail::Rule) { return {"string", {}, true}; }

  template <typename T>
  static Field field_of(const std::vector<T>&, detail::Rule) {
    return {"array", {}, true};
  }

  template <typename T>
  static Field field_of(const std::optional<T>&, detail::Rule rule) {
    return field_of(T{}, rule);
  }

  template <typename T>
  static Field field_of(const T& value, detail::Rule) {
    if constexpr (std::is_enum_v<T>) {
      const auto names = names_of(value);
      return {"enum", {names.begin(), names.end()}, true};
    } else {
      return {std::is_integral_v<T> ? "integer" : "object", {}, !std::is_integral_v<T>};
    }
  }
};

Field field_in_schema(json property) {
  if (property.contains("$ref"))
    property = kSchema.at(json::json_pointer(property["$ref"].get<std::string>().substr(1)));
  if (property.contains("enum")) {
    Field field{"enum", {}, true};
    for (const json& value : property["enum"]) {
      if (value.is_string()) field.values.push_back(value);
    }
    return field;
  }
  const json type = property.value("type", json());
  const bool is_number =
      type.is_array() ? type[0] == "integer" || type[0] == "number" : type == "integer" || type == "number";
  return {type.is_array() ? type[0] : type, {}, !is_number || !property.contains("minimum")};
}

// beside: fields of the object that are no members of the struct, or are in another list.
void expect_in_schema(const Collector& list, const char* pointer, const std::set<std::string>& beside = {}) {
  const json& object = kSchema.at(json::json_pointer(pointer));
  Fields in_schema;
  for (const auto& [name, property] : object.at("properties").items()) {
    if (!beside.contains(name)) in_schema[name] = field_in_schema(property);
  }
  std::set<std::string> required = object.value("required", std::set<std::string>());
  for (const std::string& name : beside) required.erase(name);

  EXPECT_EQ(list.fields, in_schema) << pointer;
  EXPECT_EQ(list.required, required) << pointer;
}

// unlisted: members of the struct that are no fields of the object.
template <typename T>
Collector list_of(std::size_t unlisted = 0) {
  Collector list;
  const T content{};
  detail::visit(list, content);
  EXPECT_EQ(list.fields.size() + unlisted, member_count<T>()) << "of " << typeid(T).name();
  return list;
}

TEST(Schema, HasTheFieldsOfEveryStruct) {
  expect_in_schema(list_of<detail::Schema>(), "/$defs/schema");
  expect_in_schema(list_of<Build>(), "/$defs/build");
  expect_in_schema(list_of<RunInfo>(2), "/$defs/run");    // whole_processes is counted, and joined_files
  expect_in_schema(list_of<HostInfo>(6), "/$defs/host");  // what only other programs say, and joined files
  expect_in_schema(list_of<DeviceInfo>(), "/$defs/device");
  expect_in_schema(list_of<Calibration>(), "/$defs/calibration");
  expect_in_schema(list_of<EventPair>(), "/$defs/event_pair");
  expect_in_schema(list_of<Library>(), "/$defs/library");
  expect_in_schema(list_of<std::pair<std::string, std::string>>(), "/$defs/param");
  expect_in_schema(list_of<AdviceTag>(), "/$defs/advice");
  expect_in_schema(list_of<Workload>(), "/$defs/workload");
  expect_in_schema(list_of<Series>(), "/$defs/series");
  expect_in_schema(list_of<Limit>(), "/$defs/limit");
  expect_in_schema(list_of<Counter>(), "/$defs/counter");
  expect_in_schema(list_of<Telemetry>(), "/$defs/telemetry");
}

TEST(Schema, HasTheFieldsOfARowAndOfAContextWhereTheyStand) {
  expect_in_schema(list_of<Row>(2), "/$defs/measurement");  // the name stands beside, the unknown all over
  expect_in_schema(list_of<detail::GoogleRow>(), "/$defs/row", {"name", "cupel", "position"});
  expect_in_schema(list_of<Context>(4), "/properties/context/properties/cupel", {"schema", "not_measured"});
  expect_in_schema(list_of<detail::GoogleContext>(), "/properties/context", {"cupel"});
}

}  // namespace
}  // namespace cupel::record
