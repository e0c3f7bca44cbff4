#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/smoke/selection.hpp"
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

TEST(SmallestOfEach, InPartsIsAllOfItOnce) {
  record::Listing listing;
  for (const char* name : {"f/a", "f/b", "f/c", "f/d", "f/e"}) listing.benchmarks.push_back(listed(name, {}, 0));

  EXPECT_THAT(smallest_of_each(listing, {1, 2}), ElementsAre("f/a", "f/b"));
  EXPECT_THAT(smallest_of_each(listing, {2, 2}), ElementsAre("f/c", "f/d", "f/e"));
  EXPECT_THAT(smallest_of_each(listing, {1, 7}), testing::IsEmpty());
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

// The names are as families register them: what is in a name is what a benchmark may depend on.
record::Listing listing_of(const std::vector<std::pair<std::string, std::int64_t>>& names_and_bytes) {
  record::Listing listing;
  for (const auto& [name, bytes] : names_and_bytes) {
    Params params;
    const std::regex param("([^/:]+):([^/]+)");
    for (std::sregex_iterator it(name.begin(), name.end(), param), end; it != end; ++it) {
      params.emplace_back((*it)[1], (*it)[2]);
    }
    listing.benchmarks.push_back(listed(name, params, bytes));
  }
  return listing;
}

// What went wrong once: cuDNN's plans for rows of one length were taken for any number of them. Nothing but "bytes" may
// differ between two of those that are run, or another plan is made.
TEST(SizesInTurn, DifferInOneSizeAloneFromTheSmallest) {
  const record::Listing listing = listing_of({
      {"f/norm/impl:cudnn/columns:32/bytes:64", 3 * 64},
      {"f/norm/impl:cudnn/columns:32/bytes:512", 3 * 512},
      {"f/norm/impl:cudnn/columns:32/bytes:8", 3 * 8},
      {"f/norm/impl:cudnn/columns:256/bytes:8", 3 * 8},
      {"f/norm/impl:cudnn/columns:256/bytes:64", 3 * 64},
      {"f/norm/impl:cudnn/columns:1024/bytes:8", 3 * 8},
  });

  EXPECT_THAT(sizes_in_turn(listing),
              ElementsAre("f/norm/impl:cudnn/columns:32/bytes:8", "f/norm/impl:cudnn/columns:256/bytes:8",
                          "f/norm/impl:cudnn/columns:32/bytes:64"));
}

TEST(SizesInTurn, AreThoseOfEachOperation) {
  const record::Listing listing = listing_of({
      {"f/copy/memory:pinned/bytes:64", 64},
      {"f/copy/memory:pinned/bytes:8", 8},
      {"f/copy/memory:pageable/bytes:8", 8},
      {"f/copy/memory:pageable/bytes:16", 16},
      {"f/launch", 0},
      {"f/wait/kernel_us:20", 0},
  });

  EXPECT_THAT(sizes_in_turn(listing), ElementsAre("f/copy/memory:pinned/bytes:8", "f/copy/memory:pinned/bytes:64",
                                                  "f/copy/memory:pageable/bytes:8", "f/copy/memory:pageable/bytes:16"));
}

TEST(SizesInTurn, MayBeCalledByTheNameOfALayer) {
  const record::Listing listing = listing_of({
      {"f/forward/layer:wide/precision:fp16/batch:1", 30},
      {"f/forward/layer:narrow/precision:fp16/batch:1", 10},
      {"f/forward/layer:narrow/precision:fp16/batch:32", 320},
      {"f/forward/layer:middling/precision:fp16/batch:1", 20},
  });

  EXPECT_THAT(sizes_in_turn(listing), ElementsAre("f/forward/layer:narrow/precision:fp16/batch:1",
                                                  "f/forward/layer:middling/precision:fp16/batch:1",
                                                  "f/forward/layer:narrow/precision:fp16/batch:32"));
}

TEST(SizesInTurn, AreTheTwoSmallestWhereAllChangeTogether) {
  const record::Listing listing = listing_of({
      {"f/epilogue/hidden:4096/tokens:8192", 100},
      {"f/epilogue/hidden:4096/tokens:2048", 50},
      {"f/epilogue/hidden:512/tokens:128", 1},
  });

  EXPECT_THAT(sizes_in_turn(listing),
              ElementsAre("f/epilogue/hidden:512/tokens:128", "f/epilogue/hidden:4096/tokens:2048"));
}

TEST(Complaints, AreNoneWhenAllWasRunOrSkippedWithAReason) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::ok), row("f/b", record::Status::skipped)};

  EXPECT_THAT(complaints(result, {"f/a", "f/b"}), IsEmpty());
  EXPECT_THAT(without_times(result), IsEmpty());
  EXPECT_THAT(skipped(result), ElementsAre("f/b: skipped: why"));
}

TEST(Complaints, NameWhatFailedAndWhatIsMissing) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::failed), row("f/b", record::Status::ok), row("f/c", record::Status::ok),
                 row("f/d", record::Status::skipped)};
  result.rows[1].series.clear();
  result.rows[2].series[0].samples_s = {1e-6, 0};
  result.rows[3].reason.clear();

  EXPECT_THAT(complaints(result, {"f/a", "f/b", "f/c", "f/d", "f/e"}),
              ElementsAre("f/e: 0 rows in the result, not 1", "f/a: failed: why", "f/d: skipped without a reason"));
  EXPECT_THAT(without_times(result),
              ElementsAre("f/b: ok, but without a sample", "f/c: ok, but with a sample that is no time"));
}

TEST(Complaints, DoNotTakeAFamilyThatSkippedEverything) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::skipped)};

  EXPECT_THAT(complaints(result, {"f/a"}), Contains(HasSubstr("nothing was run")));
}

TEST(Complaints, TakeAFamilyForSeveralGpusThatSkippedEverythingOnOne) {
  record::ResultSet result;
  result.rows = {row("f/a", record::Status::skipped)};
  result.rows[0].reason = "needs two GPUs or more; 1 is visible";

  EXPECT_THAT(complaints(result, {"f/a"}), ElementsAre());
}

}  // namespace
}  // namespace cupel::smoke
