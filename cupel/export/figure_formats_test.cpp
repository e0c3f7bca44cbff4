#include "cupel/export/figure_formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cupel::exports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Csv, QuotesFieldsThatHoldCommasOrQuotes) {
  figures::Figure figure;
  figure.name = "a/b";
  figure.reason = "said \"no\", twice";

  EXPECT_THAT(csv({figure}), HasSubstr(",\"said \"\"no\"\", twice\"\n"));
}

TEST(Json, LeavesOutWhatThereIsNot) {
  figures::Figure figure;
  figure.name = "a/b\n";

  const std::string text = json({figure});

  EXPECT_EQ(nlohmann::json::parse(text).at(0).at("name"), "a/b\n");
  EXPECT_THAT(text, Not(HasSubstr("time_s")));
}

}  // namespace
}  // namespace cupel::exports
