// Every format of a fleet with names that attack it.
#include "cupel/report/fleet/fleet.hpp"

#include <gtest/gtest.h>

namespace cupel::report {
namespace {

const std::string kHostile = "<script>alert(1)</script>|`*_[x](http://evil)\x1b[2J\n=cmd,\"'&]]>\u202e@all #1";

TEST(FleetFormats, EscapeWhatIsHostile) {
  fleet::Fleet fleet;
  fleet.model = kHostile;
  fleet.machines = {0};
  fleet.failed = {1};
  fleet.families = {{kHostile, 0, 1.5, 9, 3, true, {}}};
  for (const Format format : kCompareFormats) {
    const std::string text = report::fleet({fleet}, {kHostile}, {}, {.format = format});

    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    const bool has_markup = is_page(format) && format != Format::text;
    EXPECT_FALSE(has_markup && text.find("<script>alert") != std::string::npos);
  }
}

}  // namespace
}  // namespace cupel::report
