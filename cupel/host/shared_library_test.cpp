#include "cupel/host/shared_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::host {
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

TEST(SharedLibrary, ThatIsMissingCannotRunHere) {
  EXPECT_TRUE(cannot_run(Unavailable("libx was not found")));
  EXPECT_FALSE(cannot_run(std::runtime_error("libx was not found")));
}

TEST(SharedLibrary, OfAPackageSaysHowToInstallIt) {
  SharedLibrary library("cuBLAS", {"libno_such_thing.so.1"});
  SharedLibrary own("cuWhat", {"libno_such_thing.so.1"});

  EXPECT_THAT(refusal([&] { library.handle(); }),
              HasSubstr("; pip install 'nvidia-cublas>=13,<14' beside cupel's wheel"));
  EXPECT_THAT(refusal([&] { own.handle(); }), testing::Not(HasSubstr("pip")));
}

TEST(SharedLibrary, ThatIsOnlyWantedIfItIsThereIsNotLoaded) {
  SharedLibrary rare("libresolv", {"libresolv.so.2"}, SharedLibrary::Loading::resident);
  SharedLibrary c("libc", {"libc.so.6"}, SharedLibrary::Loading::resident);

  EXPECT_NE(refusal([&] { rare.handle(); }), "");
  EXPECT_NE(c.handle(), nullptr);
}

TEST(SharedLibrary, FindsTheFirstOfSeveralNamesOrNone) {
  SharedLibrary nothing("nothing", {"libno_such_thing.so.1"});

  EXPECT_EQ(math().find<double(double)>("no_such_function", "sqrt", "cbrt")(64.0), 8.0);
  EXPECT_EQ(math().find<double(double)>("no_such_function"), nullptr);
  EXPECT_EQ(nothing.find<double(double)>("sqrt"), nullptr);
}

TEST(Entry, CallsTheFunctionOfItsName) {
  const Entry<double(double)> root(math, "sqrt");

  EXPECT_EQ(root(9.0), 3.0);
}

TEST(Entry, SaysWhichFunctionIsMissing) {
  const Entry<double(double)> missing(math, "no_such_function");

  EXPECT_THAT(refusal([&] { missing(1.0); }), AllOf(HasSubstr("libm has no no_such_function"), HasSubstr("libm.so")));
}

}  // namespace
}  // namespace cupel::host
