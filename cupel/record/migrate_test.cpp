#include "cupel/record/migrate.hpp"

#include <gtest/gtest.h>

#include "cupel/record/fields.hpp"
#include "cupel/record/parse.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record::detail {
namespace {

// Two made-up steps: `time_us` became `time_s`, then `time_s` became a list.
Value to_seconds(Value tree) {
  Object& root = *tree.as<Object>();
  root = {{"time_s", Value{std::get<double>(find(root, "time_us")->data) / 1e6}}};
  return tree;
}

Value to_list(Value tree) {
  Object& root = *tree.as<Object>();
  root = {{"time_s", Value{Numbers{std::get<double>(find(root, "time_s")->data)}}}};
  return tree;
}

TEST(Migration, AppliesEveryStepFromTheFilesMajorOn) {
  const Migration migration{3, {to_seconds, to_list}};

  EXPECT_EQ(dump_line(migration.apply(parse(R"({"time_us": 2.5})").value, 3)), R"({"time_s":[2.5e-06]})");
  EXPECT_EQ(dump_line(migration.apply(parse(R"({"time_s": 2.5})").value, 4)), R"({"time_s":[2.5]})");
  EXPECT_EQ(dump_line(migration.apply(parse(R"({"time_s": [2.5]})").value, 5)), R"({"time_s":[2.5]})");
}

TEST(Migration, RefusesAMajorThatNeverWas) {
  const Migration migration{3, {to_seconds, to_list}};

  EXPECT_THROW(migration.apply(Value{Object{}}, 2), Invalid);
  EXPECT_THROW(migration.apply(Value{Object{}}, 6), Invalid);
  EXPECT_THROW(migration.apply(Value{Object{}}, 0), Invalid);
}

TEST(Migration, EndsAtTheMajorThatIsWritten) {
  EXPECT_EQ(migration().first_major + static_cast<int>(migration().steps.size()), kSchemaMajor);
}

}  // namespace
}  // namespace cupel::record::detail
