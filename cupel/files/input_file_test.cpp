#include "cupel/files/input_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace cupel::files {
namespace {

TEST(ContentMark, IsOfTheBytesAlone) {
  const std::filesystem::path one = testing::TempDir() + "content_mark_one",
                              other = testing::TempDir() + "content_mark_other";
  const auto marked = [](const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return content_mark({path});
  };
  std::string large(3 << 20, 'x');

  EXPECT_EQ(marked(one, "foobar"), "85944171f73967e8");  // a test vector of FNV-1a's authors
  EXPECT_EQ(marked(one, ""), "cbf29ce484222325");
  marked(one, "foo");
  marked(other, "bar");
  EXPECT_EQ(content_mark({one, other}), "85944171f73967e8");
  const std::string before = marked(one, large);
  EXPECT_EQ(marked(other, large), before);
  large[2 << 20] = 'y';
  EXPECT_NE(marked(other, large), before);
  EXPECT_THROW(content_mark({testing::TempDir() + "content_mark_none"}), ReadError);
  std::filesystem::remove(one);
  std::filesystem::remove(other);
}

}  // namespace
}  // namespace cupel::files
