#include "cupel/files/gzip.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"

namespace cupel::files {
namespace {

std::string read_back(const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "gzip_test.gz";
  write_file(path, gzipped(text));
  return read_file(path);
}

TEST(Gzipped, IsReadAsItWas) {
  std::string noise;  // no shorter when packed: more than one piece of output
  for (unsigned i = 0, x = 1; i < 300000; ++i) noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);

  EXPECT_EQ(read_back(noise), noise);
  EXPECT_EQ(read_back("a result"), "a result");
  EXPECT_EQ(read_back(""), "");
}

TEST(Gzipped, HasNeitherNameNorTimeInItsHeader) {
  const std::string packed = gzipped("a result");

  EXPECT_EQ(packed.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
}

}  // namespace
}  // namespace cupel::files
