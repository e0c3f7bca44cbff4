#include "cupel/files/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::files {
namespace {

using testing::ElementsAre;

TEST(Labels, AreNamesWithoutTheEndingsOfResults) {
  EXPECT_THAT(labels_of({"runs/before.json", "runs/after.json.gz"}), ElementsAre("before", "after"));
}

TEST(Labels, AreWhatTellsThePathsApartWhereTwoNamesAreAlike) {
  EXPECT_THAT(labels_of({"runs/a/sync.json", "runs/b/sync.json"}), ElementsAre("a", "b"));
  EXPECT_THAT(labels_of({"runs/a/sync.json", "runs/b/sync.json", "runs/b/step.json"}),
              ElementsAre("a/sync", "b/sync", "b/step"));
}

TEST(Labels, KeepTheEndingWhereItAloneTellsFilesApart) {
  EXPECT_THAT(labels_of({"n1.json", "n1.json.gz"}), ElementsAre("n1.json", "n1.json.gz"));
}

TEST(Arguments, AreWhatAShellReadsAsTheFilesNames) {
  EXPECT_EQ(arguments_text({"runs/h100+x2.json", "-"}), "runs/h100+x2.json -");
  EXPECT_EQ(arguments_text({"my run.json", "it's.json", "$HOME", ""}), R"('my run.json' 'it'\''s.json' '$HOME' '')");
  EXPECT_EQ(arguments_text({"-o.json"}), "./-o.json");
}

}  // namespace
}  // namespace cupel::files
