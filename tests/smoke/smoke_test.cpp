#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/smoke/smallest.hpp"
#include "tests/smoke/verdict.hpp"

namespace cupel::smoke {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Params = std::vector<std::pair<std::string, std::string>>;

record::ListedBenchmark listed(const std::string& name, Params params, std::int64_t bytes) {
  record::ListedBenchmark benchmark;
  benchmark.name = name;
  benchmark.params = std::move(params);
  benchmark.device_bytes = bytes;
  return benchmark;
}

record::Row row(const std::string& name, record::Status status) {
  record::Row row;
  row.name = name;
  row.status = status;
  if (status == record::Status::ok) row.series.emplace_back().samples_s = {1e-6};
  if (status != record::Status::ok) row.reason = "why";
  return row;
}

TEST(SmallestOfEach, TakesEveryOperationOnceAtItsSmallestSize) {
  record::Listing listing;
  listing.benchmarks = {
      listed("f/copy/memory:pinned/bytes:64", {{"memory", "pinned"}, {"bytes", "64"}}, 64),
      listed("f/copy/memory:pinned/bytes:8", {{"memory", "pinned"}, {"bytes", "8"}}, 8),
      listed("f/copy/memory:pageable/bytes:8", {{"memory", "pageable"}, {"bytes", "8"}}, 8),
      listed("f/launch", {}, 0),
  };

  EXPECT_THAT(smallest_of_each(listing),
              ElementsAre("f/copy/memory:pinned/bytes:8", "f/copy/memory:pageable/bytes:8", "f/launch"));
}

TEST(SmallestOfEach, ComparesMemoryFirstAndNumbersAsNumbers) {
  record::Listing listing;
  listing.benchmarks = {
      listed("f/copy/threads:1/bytes:64", {{"threads", "1"}, {"bytes", "64"}}, 64),
      listed("f/copy/threads:10/bytes:8", {{"threads", "10"}, {"bytes", "8"}}, 8),
      listed("f/copy/threads:9/bytes:8", {{"threads", "9"}, {"bytes", "8"}}, 8),
  };

  EXPECT_THAT(smallest_of_each(listing), ElementsAre("f/copy/threads:9/bytes:8"));
}

TEST(Complaints, AreNoneWhenAllWasMeasuredOrSkippedWithAReason) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::ok), row("f/b", record::Status::skipped)};

  EXPECT_THAT(complaints(result, {"f/a", "f/b"}), IsEmpty());
  EXPECT_THAT(skipped(result), ElementsAre("f/b: skipped: why"));
}

TEST(Complaints, NameWhatFailedWhatIsMissingAndWhatHasNoTime) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::failed), row("f/b", record::Status::ok), row("f/c", record::Status::ok),
                 row("f/d", record::Status::skipped)};
  result.rows[1].series.clear();
  result.rows[2].series[0].samples_s = {1e-6, 0};
  result.rows[3].reason.clear();

  EXPECT_THAT(complaints(result, {"f/a", "f/b", "f/c", "f/d", "f/e"}),
              ElementsAre("f/e: 0 rows in the result, not 1", "f/a: failed: why", "f/b: ok, but without a sample",
                          "f/c: ok, but with a sample that is no time", "f/d: skipped without a reason"));
}

TEST(Complaints, DoNotTakeAFamilyThatSkippedEverything) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::skipped)};

  EXPECT_THAT(complaints(result, {"f/a"}), Contains(HasSubstr("nothing was measured")));
}

}  // namespace
}  // namespace cupel::smoke
