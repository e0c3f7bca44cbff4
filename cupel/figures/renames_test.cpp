#include "cupel/figures/renames.hpp"

#include <gtest/gtest.h>

#include "cupel/files/errors.hpp"

namespace cupel::figures {
namespace {

TEST(RenamesFile, GivesOldNamesTheirNew) {
  EXPECT_EQ(renames_from_json(R"({"a/b": "a/c", "x": "y"})", "r.json"), (Renames{{"a/b", "a/c"}, {"x", "y"}}));
}

TEST(RenamesFile, IsRefusedWhereItIsNoMapOfNames) {
  for (const char* text : {"[]", R"({"a": 1})", R"({"a": ""})", R"({"a": "c", "b": "c"})", R"({"a": "b", "b": "c"})",
                           R"({"a": "b", "a": "c"})", "{"}) {
    EXPECT_THROW(renames_from_json(text, "r.json"), files::ReadError) << text;
  }
}

TEST(RenamesFile, NamesABenchmarkAsItIsWrittenWhereItIsWrong) {
  try {
    renames_from_json(R"({"a/b": "c", "b": "c"})", "r.json");
    FAIL();
  } catch (const files::ReadError& error) {
    EXPECT_STREQ(error.what(), R"(r.json: "b": another name is renamed to the same)");
  }
  try {
    renames_from_json(R"({"a/b": 1})", "r.json");
    FAIL();
  } catch (const files::ReadError& error) {
    EXPECT_STREQ(error.what(), R"(r.json: "a/b": must be a name that is not empty)");
  }
}

TEST(IdleRenames, AreThoseForWhichNothingIsThereUnlessAllHaveTheNewName) {
  const std::set<std::string> sides[] = {{"a", "new"}, {"b", "new"}};
  const Renames renames{{"old", "new"}, {"a", "b"}, {"typo", "a"}, {"gone", "nowhere"}};

  EXPECT_EQ(idle_renames(renames, {"a"}, sides), (std::vector<std::string>{"gone", "typo"}));
}

TEST(RenameKeys, TakesEitherSpellingAndSaysWhatThereWas) {
  std::map<std::string, int, std::less<>> by_name{{"F/8", 1}};

  EXPECT_EQ(rename_keys(by_name, {{"F/8/real_time", "G/8/real_time"}, {"absent", "x"}}),
            std::set<std::string>{"F/8/real_time"});
  EXPECT_EQ(by_name, (std::map<std::string, int, std::less<>>{{"G/8", 1}}));
}

TEST(RenameKeys, MovesWhatIsUnderAnOldNameAndReplacesNothing) {
  std::map<std::string, int, std::less<>> by_name{{"old", 1}, {"both", 2}, {"taken", 3}, {"other", 4}};

  rename_keys(by_name, {{"old", "new"}, {"both", "taken"}, {"absent", "nothing"}});

  EXPECT_EQ(by_name, (std::map<std::string, int, std::less<>>{{"new", 1}, {"both", 2}, {"taken", 3}, {"other", 4}}));
}

}  // namespace
}  // namespace cupel::figures
