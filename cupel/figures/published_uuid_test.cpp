#include "cupel/figures/published_uuid.hpp"

#include <gtest/gtest.h>

namespace cupel::figures {
namespace {

constexpr const char* kUuid = "GPU-a589d1f6-b520-636e-11e2-51df3de01de6";
// printf %s GPU-a589d1f6-b520-636e-11e2-51df3de01de6 | sha256sum | head -c 32
constexpr const char* kHashed = "GPU-9d99984ee85b9d39893c17b03b9dcae4";

TEST(PublishedUuid, IsTheBeginningOfItsHash) {
  EXPECT_EQ(published_uuid(kUuid), kHashed);
  EXPECT_FALSE(is_published(kUuid));
  EXPECT_TRUE(is_published(kHashed));
}

TEST(PublishedUuid, OfOneThatIsPublishedStays) {
  EXPECT_EQ(published_uuid(kHashed), kHashed);
  EXPECT_EQ(published_uuid(""), "");
}

}  // namespace
}  // namespace cupel::figures
