// main() of every test with the label host. Each process has a folder for temporary files to itself, which is gone at its
// end: ctest runs the cases of one executable beside each other, and what two of them call alike are two files.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();

  std::string folder = (std::filesystem::temp_directory_path() / "cupel-test-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  std::filesystem::permissions(folder, std::filesystem::perms{0755});  // for tests that go on as somebody else
  for (const char* variable : {"TMPDIR", "TEST_TMPDIR"}) ::setenv(variable, folder.c_str(), 1);
  const int status = RUN_ALL_TESTS();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return status;
}
