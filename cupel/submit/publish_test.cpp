#include "cupel/submit/publish.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/record/record.hpp"

namespace cupel::submit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kUuid = "GPU-a589d1f6-b520-636e-11e2-51df3de01de6";
// printf %s GPU-a589d1f6-b520-636e-11e2-51df3de01de6 | sha256sum | head -c 32
constexpr const char* kHashed = "GPU-9d99984ee85b9d39893c17b03b9dcae4";

record::ResultSet measured_on_a_node() {
  record::ResultSet results;
  results.context.device.emplace().uuid = kUuid;
  record::RunInfo& run = results.context.run;
  run.node = "node-7";
  run.job = "17_3";
  run.notes["device"] = std::string("GPU 0 of 4: NVIDIA H200 (") + kUuid + ")";
  run.notes["conv"] = "did not run on node-7, nor on login.site.org; node-70 is another";
  run.notes["cache"] = "/home/ann/cache is full";
  results.rows.emplace_back().note = "as node-7 has it";
  return results;
}

TEST(Published, NamesNeitherNodeNorJobNorHostNorHomeNorBoard) {
  const record::ResultSet results = published(measured_on_a_node(), {"login.site.org"});

  const record::RunInfo& run = results.context.run;
  EXPECT_EQ(run.node, "");
  EXPECT_EQ(run.job, "");
  EXPECT_EQ(run.notes.at("device"), std::string("GPU 0 of 4: NVIDIA H200 (") + kHashed + ")");
  EXPECT_EQ(run.notes.at("conv"), "did not run on host, nor on host; node-70 is another");
  EXPECT_EQ(run.notes.at("cache"), "~/cache is full");
  EXPECT_EQ(results.context.device->uuid, kHashed);
  EXPECT_EQ(results.rows.front().note, "as host has it");
}

TEST(FileName, IsThatOfTheFamilies) {
  record::ResultSet results;
  results.rows.emplace_back().family = "gemm";
  EXPECT_EQ(file_name(results), "gemm.json.gz");
  results.rows.emplace_back().family = "conv";
  EXPECT_EQ(file_name(results), "conv-gemm.json.gz");
}

TEST(LeftIn, NamesAllThatIsTakenAway) {
  EXPECT_THAT(
      left_in(measured_on_a_node()),
      ElementsAre("/context/cupel/run/node: names a machine", "/context/cupel/run/job: names a job of a scheduler",
                  "/context/cupel/device/uuid: is not hashed",
                  "/context/cupel/run/notes/cache: has the path of a home folder"));
}

TEST(LeftIn, IsNothingOfWhatIsPublished) {
  EXPECT_THAT(left_in(published(measured_on_a_node(), {"login.site.org"})), IsEmpty());
}

}  // namespace
}  // namespace cupel::submit
