#include "cupel/record/data.hpp"

#include <gtest/gtest.h>

namespace cupel::record::detail {
namespace {

TEST(CsvField, QuotesAndDisarmsFormulas) {
  EXPECT_EQ(csv_field("plain/size:1"), "plain/size:1");
  EXPECT_EQ(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1"}) {
    EXPECT_EQ(csv_field(formula), "\"'" + std::string(formula) + "\"");
  }
  EXPECT_EQ(csv_field("a\nb"), "a\\nb");
}

}  // namespace
}  // namespace cupel::record::detail
