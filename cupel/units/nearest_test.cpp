#include "cupel/units/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::units {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Nearest, FindsTheNameThatContainsSomethingClose) {
  const std::vector<std::string> names{"sync/launch", "transfer/h2d", "transfer/d2h", "host/memcpy"};

  EXPECT_THAT(nearest("H2D", names, 1), ElementsAre("transfer/h2d"));
  EXPECT_THAT(nearest("memcopy", names, 1), ElementsAre("host/memcpy"));
  EXPECT_THAT(nearest("anything", {}, 3), IsEmpty());
}

TEST(Nearest, PutsWhatIsAskedOfAFamilyBeforeTheRestOfThatFamily) {
  const std::vector<std::string> names{"step/train", "step/shapes", "host-callbacks", "pytorch/host",
                                       "sync/host_function"};

  EXPECT_THAT(nearest("step/host", names, 3), ElementsAre("sync/host_function", "pytorch/host", "host-callbacks"));
  EXPECT_THAT(nearest("step/shape/batch:8", names, 1), ElementsAre("step/shapes"));
}

TEST(MeantBy, IsTheWordThatAFewChangesMakeOfIt) {
  const std::vector<std::string> words{"run", "list", "show", "--version"};

  EXPECT_EQ(meant_by("rnu", words), "run");
  EXPECT_EQ(meant_by("SHWO", words), "show");
  EXPECT_EQ(meant_by("lits", words), "list");
  EXPECT_EQ(meant_by("--verison", words), "--version");
}

TEST(MeantBy, IsNoneWhereNoneIsNear) {
  EXPECT_EQ(meant_by("foo", {"run", "show", "doctor", "--version"}), "");
  EXPECT_EQ(meant_by("", {"run"}), "");
  EXPECT_EQ(meant_by("run", {}), "");
}

}  // namespace
}  // namespace cupel::units
