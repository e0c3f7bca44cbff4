#include "cupel/vendor/shared_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cupel::vendor {
namespace {

using testing::AllOf;
using testing::HasSubstr;

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Unavailable& error) {
    return error.what();
  }
  return "";
}

SharedLibrary& math() {
  static SharedLibrary library("libm", {"libno_such_thing.so.1", "libm.so.6"});
  return library;
}

TEST(SharedLibrary, IsNotLookedForBeforeItIsNeeded) {
  SharedLibrary library("nothing", {"libno_such_thing.so.1"});

  EXPECT_EQ(library.file(), "");
  EXPECT_EQ(library.load_s(), 0);
}

TEST(SharedLibrary, TakesTheFirstNameThatIsThere) {
  EXPECT_NE(math().handle(), nullptr);
  EXPECT_THAT(math().file(), HasSubstr("libm.so.6"));
}

TEST(SharedLibrary, SaysWhatItLookedForWhenThereIsNone) {
  SharedLibrary library("cuWhat", {"libno_such_thing.so.1", "libno_such_thing.so.2"});

  EXPECT_THAT(
      refusal([&] { library.handle(); }),
      AllOf(HasSubstr("cuWhat was not found"), HasSubstr("libno_such_thing.so.1"), HasSubstr("libno_such_thing.so.2")));
}

TEST(Entry, CallsTheFunctionOfItsName) {
  const Entry<double(double)> root(math, "sqrt");

  EXPECT_EQ(root(9.0), 3.0);
}

TEST(Entry, SaysWhichFunctionIsMissing) {
  const Entry<double(double)> missing(math, "no_such_function");

  EXPECT_THAT(refusal([&] { missing(1.0); }), AllOf(HasSubstr("libm has no no_such_function"), HasSubstr("libm.so")));
}

TEST(RequireVersion, TakesTheSameMajorAndTheSameOrANewerMinorVersion) {
  EXPECT_NO_THROW(require_version("cuX", {9, 19, 2}, {9, 19, 0}, "f"));
  EXPECT_NO_THROW(require_version("cuX", {9, 19, 0}, {9, 20, 0}, "f"));
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {9, 18, 9}, "f"), Unavailable);
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {10, 20, 0}, "f"), Unavailable);
  EXPECT_THROW(require_version("cuX", {9, 19, 0}, {8, 20, 0}, "f"), Unavailable);
}

TEST(RequireVersion, SaysWhatIsWantedAndWhatWasFoundWhere) {
  EXPECT_EQ(refusal([] {
              require_version("cuX", {9, 19, 2}, {9, 1, 3}, "/lib/libx.so.9");
            }),
            "cuX 9.19 or newer is wanted, which this program was built with; found 9.1.3 (/lib/libx.so.9)");
}

}  // namespace
}  // namespace cupel::vendor
