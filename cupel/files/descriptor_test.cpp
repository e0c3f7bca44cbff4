#include "cupel/files/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace cupel::files {
namespace {

Descriptor opened_folder() { return Descriptor(::open(testing::TempDir().c_str(), O_RDONLY | O_DIRECTORY)); }

TEST(ALock, IsOfOneWhoHoldsItAlone) {
  Descriptor first = opened_folder();
  const Descriptor second = opened_folder();

  EXPECT_EQ(lock(first.get()), Lock::ours);
  EXPECT_EQ(lock(second.get()), Lock::anothers);
  EXPECT_EQ(lock(second.get(), Hold::shared), Lock::anothers);

  first.close();
  EXPECT_EQ(lock(second.get()), Lock::ours);
}

TEST(ALock, IsOfAllWhoShareIt) {
  Descriptor first = opened_folder();
  const Descriptor second = opened_folder();

  EXPECT_EQ(lock(first.get(), Hold::shared), Lock::ours);
  EXPECT_EQ(lock(second.get(), Hold::shared), Lock::ours);
  EXPECT_EQ(lock(second.get()), Lock::anothers);

  first.close();
  EXPECT_EQ(lock(second.get()), Lock::ours);
}

TEST(ALock, IsUnknownOfWhatIsNotOpen) { EXPECT_EQ(lock(-1), Lock::unknown); }

}  // namespace
}  // namespace cupel::files
