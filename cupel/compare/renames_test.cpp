#include "cupel/compare/renames.hpp"

#include <gtest/gtest.h>

#include "cupel/record/json.hpp"

namespace cupel::compare {
namespace {

TEST(RenamesFile, GivesOldNamesTheirNew) {
  EXPECT_EQ(renames_from_json(R"({"a/b": "a/c", "x": "y"})", "r.json"), (Renames{{"a/b", "a/c"}, {"x", "y"}}));
}

TEST(RenamesFile, IsRefusedWhereItIsNoMapOfNames) {
  for (const char* text : {"[]", R"({"a": 1})", R"({"a": ""})", R"({"a": "c", "b": "c"})", R"({"a": "b", "b": "c"})",
                           R"({"a": "b", "a": "c"})", "{"}) {
    EXPECT_THROW(renames_from_json(text, "r.json"), record::ReadError) << text;
  }
}

}  // namespace
}  // namespace cupel::compare
