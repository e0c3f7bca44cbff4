#include "cupel/record/step_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/files/errors.hpp"
#include "cupel/record/member_count.hpp"

namespace cupel::record {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

// Everything that a profile may have.
StepProfile whole() {
  StepProfile p{.major = 1,
                .source = "cupel 1.0",
                .benchmark = "step/waterfall/drop:graph/net:resnet18_32/batch:128",
                .net = "resnet18_32",
                .device = "NVIDIA H200",
                .note = "one",
                .batch = 128,
                .parameters = 11'173'962,
                .launches = 300,
                .step_s = 0.0025,
                .enqueue_s = 0.001};
  p.switches = {.precision = "amp_bf16",
                .layout = "nhwc",
                .optimizer = "fused",
                .rule = "sgd",
                .launch = "eager",
                .copies = "ahead",
                .gradients = "replaced",
                .memory = "planned",
                .reads_loss_every = 0};
  p.kernels = {{.kind = KernelKind::gemm,
                .what = "fc",
                .precision = "bf16",
                .layout = "nhwc",
                .groups = 2,
                .calls = 2,
                .launches = 4,
                .time_s = 1e-5,
                .bytes = 1000,
                .flops = 2000}};
  p.copies = {{.direction = CopyDirection::h2d,
               .memory = HostMemory::pinned,
               .blocking = true,
               .overlapped = true,
               .calls = 2,
               .bytes = 4096,
               .time_s = 2e-6}};
  p.waits = {{WaitCause::loss, 1}};
  p.allocations = {.calls = 3, .bytes = 64, .given_back = true};
  return p;
}

std::string error_of(const json& profile) {
  try {
    step_profile_from_json(profile.dump(), "p.json");
  } catch (const files::ReadError& error) {
    return error.what();
  }
  return "none";
}

json whole_json() { return json::parse(to_json(whole())); }

TEST(StepProfile, IsReadAsItWasWritten) {
  const StepProfile read = step_profile_from_json(to_json(whole()), "p.json");

  EXPECT_EQ(to_json(read), to_json(whole()));
  EXPECT_EQ(read.kernels.at(0).kind, KernelKind::gemm);
  EXPECT_EQ(read.copies.at(0).memory, HostMemory::pinned);
  EXPECT_EQ(read.waits_for(WaitCause::loss), 1);
  EXPECT_EQ(read.switches.reads_loss_every, 0);
}

TEST(StepProfile, SaysInWhichFileAndWhereItIsWrong) {
  json profile = whole_json();
  profile["kernels"][0]["kind"] = "magic";
  EXPECT_THAT(error_of(profile), HasSubstr("p.json: field /kernels/0/kind: must be one of convolution_forward"));

  profile = whole_json();
  profile["copies"][0]["bytes"] = -1;
  EXPECT_THAT(error_of(profile), HasSubstr("p.json: field /copies/0/bytes"));

  profile = whole_json();
  profile.erase("launches");
  EXPECT_THAT(error_of(profile), HasSubstr("/launches"));

  profile = whole_json();
  profile["step_s"] = 0;
  EXPECT_THAT(error_of(profile), HasSubstr("/step_s: must be more than 0"));
}

TEST(StepProfile, OfAnotherMajorVersionOrOfSomethingElseIsRefused) {
  json profile = whole_json();
  profile["cupel_step_profile"] = 2;
  EXPECT_THAT(error_of(profile), HasSubstr("/cupel_step_profile: is 2"));

  EXPECT_EQ(error_of(json::object()), R"(p.json: field /cupel_step_profile: is missing: add "cupel_step_profile": )" +
                                          std::to_string(kStepProfileMajor));
  EXPECT_THAT(error_of(json::array()), HasSubstr("must be an object"));
}

TEST(StepProfile, KeepsWhatItDoesNotKnow) {
  json profile = whole_json();
  profile["new_field"] = 7;

  EXPECT_THAT(step_profile_from_json(profile.dump(), "p.json").unknown, HasSubstr("new_field"));
}

TEST(StepProfile, AddsUpLikeWorkAndKeepsUnlikeApart) {
  StepProfile profile;
  const StepKernels layer{.kind = KernelKind::norm, .what = "bn1", .calls = 1, .time_s = 1, .bytes = 100};
  StepKernels larger = layer;
  larger.bytes = 200;

  add(profile, layer);
  add(profile, layer);
  add(profile, larger);

  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[0].calls, 2);
  EXPECT_EQ(profile.kernels[0].bytes, 200);
  EXPECT_EQ(profile.time_s(KernelKind::norm), 3);
}

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> all;
  for (const auto& [key, value] : object.items()) all.push_back(key);
  return all;
}

TEST(StepProfile, WritesEveryMember) {
  const json written = whole_json();

  EXPECT_EQ(written.size() + 1, member_count<StepProfile>());  // `unknown` has none of its own
  EXPECT_EQ(written["kernels"][0].size(), member_count<StepKernels>());
  EXPECT_EQ(written["copies"][0].size(), member_count<StepCopies>());
  EXPECT_EQ(written["waits"][0].size(), member_count<StepWaits>());
  EXPECT_EQ(written["allocations"].size(), member_count<StepAllocations>());
  EXPECT_EQ(written["switches"].size(), member_count<StepSwitches>());
}

// The published schema against the fields that are written where all of them have something to say.
TEST(StepProfile, HasTheFieldsOfItsSchema) {
  const json schema = json::parse(std::ifstream(CUPEL_STEP_PROFILE_SCHEMA)), written = whole_json();

  EXPECT_THAT(keys(schema["properties"]), UnorderedElementsAreArray(keys(written)));
  EXPECT_THAT(keys(schema["$defs"]["kernels"]["properties"]), UnorderedElementsAreArray(keys(written["kernels"][0])));
  EXPECT_THAT(keys(schema["$defs"]["copies"]["properties"]), UnorderedElementsAreArray(keys(written["copies"][0])));
  EXPECT_THAT(keys(schema["$defs"]["waits"]["properties"]), UnorderedElementsAreArray(keys(written["waits"][0])));
  EXPECT_THAT(keys(schema["properties"]["allocations"]["properties"]),
              UnorderedElementsAreArray(keys(written["allocations"])));
  EXPECT_THAT(keys(schema["properties"]["switches"]["properties"]),
              UnorderedElementsAreArray(keys(written["switches"])));
  const json& kinds = schema["$defs"]["kernels"]["properties"]["kind"]["enum"];
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(KernelKind::other) + 1);
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(kinds[i], to_string(static_cast<KernelKind>(i)));
}

}  // namespace
}  // namespace cupel::record
