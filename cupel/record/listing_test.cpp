#include "cupel/record/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/files/errors.hpp"

namespace cupel::record {
namespace {

TEST(Listing, ReadsBack) {
  Listing listing{"transfer", true, 0.3, {}};
  listing.benchmarks.push_back({"transfer/h2d/memory:pinned/bytes:4096",
                                {{"memory", "pinned"}, {"bytes", "4096"}},
                                {{"pin-memory", Role::after, "h2d/bytes:4096", ""}},
                                true,
                                4096,
                                8192,
                                0.25,
                                0.125,
                                "quick"});

  const Listing back = listing_from_json(to_json(listing), "test");

  EXPECT_EQ(back.family, "transfer");
  EXPECT_TRUE(back.needs_device);
  ASSERT_EQ(back.benchmarks.size(), 1U);
  EXPECT_EQ(back.benchmarks[0].params, listing.benchmarks[0].params);
  EXPECT_EQ(back.benchmarks[0].advice, listing.benchmarks[0].advice);
  EXPECT_EQ(back.benchmarks[0].host_bytes, 8192);
  EXPECT_EQ(back.benchmarks[0].seconds, 0.25);
  EXPECT_EQ(back.benchmarks[0].least_seconds, 0.125);
  EXPECT_EQ(to_json(back), to_json(listing));
}

TEST(Listing, ThatIsGarbageNamesItsOriginAndField) {
  const auto error_of = [](const char* text) -> std::string {
    try {
      listing_from_json(text, "bench/cupel_bench_host");
    } catch (const files::ReadError& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_THAT(error_of("Segmentation fault"), ::testing::StartsWith("bench/cupel_bench_host: parse error"));
  EXPECT_EQ(error_of(R"({"family": "host"})"), "bench/cupel_bench_host: field /benchmarks: is missing");
  EXPECT_EQ(error_of(R"({"family": "host", "benchmarks": [{"name": "a", "host_bytes": -4}]})"),
            "bench/cupel_bench_host: field /benchmarks/0/host_bytes: must not be negative");
}

}  // namespace
}  // namespace cupel::record
