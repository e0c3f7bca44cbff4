#include "cupel/host/private_paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace cupel::host {
namespace {

TEST(PrivatePaths, AreShortenedToWhatIsBelowAKnownFolder) {
  setenv("HOME", "/somewhere/ada", 1);
  const std::string here = std::filesystem::current_path().string();

  EXPECT_EQ(without_private_paths("/somewhere/ada/lib/libx.so: cannot open"), "~/lib/libx.so: cannot open");
  EXPECT_EQ(without_private_paths("in '" + here + "/data/a.jpg', byte 7"), "in 'data/a.jpg', byte 7");
  EXPECT_EQ(without_private_paths("/home/grace/x and /home/grace/y"), "~/x and ~/y");
  EXPECT_EQ(without_private_paths("--data=/Users/grace/x"), "--data=~/x");
}

TEST(PrivatePaths, AreNoOthers) {
  setenv("HOME", "/somewhere/ada", 1);
  for (const char* text : {"/usr/local/cuda/lib64/libcudnn.so.9", "/somewhere/adalbert/x", "a/somewhere/ada/x", "/home",
                           "", "/home/ is full", "1/2"}) {
    EXPECT_EQ(without_private_paths(text), text);
  }
}

TEST(PrivatePaths, OfTheHomeFolderAreFoundAgain) {
  setenv("HOME", "/somewhere/ada", 1);
  EXPECT_EQ(with_home(without_private_paths("/somewhere/ada/data")), "/somewhere/ada/data");
  EXPECT_EQ(with_home("/data"), "/data");
}

}  // namespace
}  // namespace cupel::host
