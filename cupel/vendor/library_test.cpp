#include "cupel/vendor/library.hpp"

#include <gtest/gtest.h>

namespace cupel::vendor {
namespace {

TEST(RequireVersion, TakesTheSameMajorAndTheSameOrANewerMinorVersion) {
  EXPECT_NO_THROW(require_version("cuX", {9, 19, 2}, {9, 19, 0}, "f"));
  EXPECT_NO_THROW(require_version("cuX", {9, 19, 0}, {9, 20, 0}, "f"));
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {9, 18, 9}, "f"), Unavailable);
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {10, 20, 0}, "f"), Unavailable);
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {8, 20, 0}, "f"), Unavailable);
}

TEST(RequireVersion, SaysWhatIsWantedAndWhatWasFoundWhere) {
  try {
    require_version("cuX", {9, 19, 2}, {9, 1, 3}, "/lib/libx.so.9");
    FAIL() << "did not throw";
  } catch (const Unavailable& error) {
    EXPECT_STREQ(error.what(),
                 "cuX 9.19 or newer is wanted, which this program was built with; found 9.1.3 (/lib/libx.so.9); "
                 "--libraries FOLDER takes another");
  }
}

TEST(RequireCuda, TakesEveryMinorVersionAndNoOtherMajorOne) {
  EXPECT_NO_THROW(require_cuda("cuX", 13000, 13020, "f"));
  EXPECT_NO_THROW(require_cuda("cuX", 13010, 13000, "f"));
  EXPECT_THROW(require_cuda("cuX", 13000, 14000, "f"), Unavailable);
}

TEST(RequireCuda, SaysWhatWasFoundWhereAndWhatToDo) {
  try {
    require_cuda("cuX", 13000, 12080, "/lib/libx.so.9");
    FAIL() << "did not throw";
  } catch (const Unavailable& error) {
    EXPECT_STREQ(
        error.what(),
        "cuX for CUDA 13 is wanted; found one for CUDA 12 (/lib/libx.so.9); install cupel and its extras in an "
        "environment of their own, or --libraries FOLDER");
  }
}

}  // namespace
}  // namespace cupel::vendor
