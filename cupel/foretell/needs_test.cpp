#include "cupel/foretell/needs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/foretell/synthetic.hpp"

namespace cupel::foretell {
namespace {

using record::KernelKind;
using record::ListedBenchmark;
using record::StepProfile;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

ListedBenchmark listed(const std::string& name, const std::string& profile = "quick") {
  ListedBenchmark one;
  one.name = name;
  one.profile = profile;
  one.params = figure(name, 1).params;
  return one;
}

std::vector<std::string> names_for(const StepProfile& profile, const std::vector<ListedBenchmark>& there) {
  std::vector<std::string> names;
  for (const ListedBenchmark* row : needs(profile, there)) names.push_back(row->name);
  return names;
}

std::string convolution(const std::string& precision, const std::string& layout, int batch) {
  return "conv/forward/layer:a/precision:" + precision + "/layout:" + layout + "/batch:" + std::to_string(batch);
}

// All is on but what the test is about.
StepProfile tuned() {
  StepProfile profile = profile_of_10_ms();
  profile.switches = {.precision = "amp_fp16",
                      .layout = "nhwc",
                      .optimizer = "fused",
                      .launch = "graph",
                      .copies = "ahead",
                      .gradients = "replaced",
                      .memory = "planned"};
  return profile;
}

TEST(Needs, NothingForPiecesThatAreOn) {
  EXPECT_THAT(names_for(tuned(), {listed(convolution("fp32", "nchw", 1)), listed(convolution("tf32", "nchw", 1))}),
              IsEmpty());
}

TEST(Needs, ARowAndItsTwinInThePrecisionAndLayoutOfTheKernels) {
  StepProfile profile = tuned();
  profile.switches.precision = "fp32";
  profile.kernels = {{.kind = KernelKind::convolution_forward, .precision = "fp32", .layout = "nhwc", .calls = 1}};
  std::vector<ListedBenchmark> there;
  for (const char* layout : {"nchw", "nhwc"}) {
    for (const char* precision : {"fp32", "tf32", "fp8_e4m3"})
      there.push_back(listed(convolution(precision, layout, 1)));
  }

  EXPECT_THAT(names_for(profile, there),
              UnorderedElementsAre(convolution("fp32", "nhwc", 1), convolution("tf32", "nhwc", 1)));
}

TEST(Needs, TheBatchNearestToTheStepsFirst) {
  StepProfile profile = tuned();
  profile.switches.precision = "fp32";
  profile.batch = 200;
  profile.kernels = {{.kind = KernelKind::convolution_forward, .precision = "fp32", .layout = "nhwc", .calls = 1}};
  std::vector<ListedBenchmark> there;
  for (const int batch : {1, 256}) {
    for (const char* precision : {"fp32", "tf32"}) there.push_back(listed(convolution(precision, "nhwc", batch)));
  }

  const std::vector<std::string> names = names_for(profile, there);

  ASSERT_EQ(names.size(), 4u);
  EXPECT_THAT(std::vector(names.begin(), names.begin() + 2),
              UnorderedElementsAre(convolution("fp32", "nhwc", 256), convolution("tf32", "nhwc", 256)));
}

TEST(Needs, ProductsOfTheStepsSizeFirst) {
  StepProfile profile = tuned();
  profile.switches.precision = "fp32";
  profile.kernels = {{.kind = KernelKind::gemm, .precision = "fp32", .calls = 2, .time_s = 1e-3, .bytes = 2'000'000},
                     {.kind = KernelKind::gemm, .precision = "fp32", .calls = 1, .time_s = 1e-5, .bytes = 900'000'000}};
  std::vector<ListedBenchmark> there;
  for (const std::int64_t n : {8192, 4096, 512}) {
    for (const std::string precision : {"fp32", "tf32"}) {
      there.push_back(listed("gemm/square/precision:" + precision + "/n:" + std::to_string(n)));
      there.back().device_bytes = 12 * n * n;
    }
  }

  const std::vector<std::string> names = names_for(profile, there);

  ASSERT_EQ(names.size(), 6u);
  EXPECT_THAT(std::vector(names.begin(), names.begin() + 2),
              UnorderedElementsAre("gemm/square/precision:fp32/n:512", "gemm/square/precision:tf32/n:512"));
}

TEST(Needs, TheSizesOnEitherSideOfACopy) {
  StepProfile profile = tuned();
  profile.copies = {
      {.memory = record::HostMemory::pageable, .overlapped = true, .calls = 1, .bytes = 5000, .time_s = 1e-3}};
  std::vector<ListedBenchmark> there;
  for (const int bytes : {1000, 4000, 16000, 64000}) {
    there.push_back(listed("transfer/h2d/memory:pinned/bytes:" + std::to_string(bytes)));
  }

  EXPECT_THAT(names_for(profile, there),
              UnorderedElementsAre("transfer/h2d/memory:pinned/bytes:4000", "transfer/h2d/memory:pinned/bytes:16000"));
}

TEST(Needs, TheLastTwoOfSizesThatAreAllSmaller) {
  StepProfile profile = tuned();
  profile.copies = {
      {.memory = record::HostMemory::pageable, .overlapped = true, .calls = 1, .bytes = 5000, .time_s = 1e-3}};
  std::vector<ListedBenchmark> there;
  for (const int bytes : {10, 100, 1000}) {
    there.push_back(listed("transfer/h2d/memory:pinned/bytes:" + std::to_string(bytes)));
  }

  EXPECT_THAT(names_for(profile, there),
              ElementsAre("transfer/h2d/memory:pinned/bytes:1000", "transfer/h2d/memory:pinned/bytes:100"));
}

TEST(Needs, GoOnWhereTheProfileLacksWhatAPieceWants) {
  StepProfile profile = tuned();
  profile.parameters = 0;  // so that nothing is known of the optimizer
  profile.switches.optimizer = "foreach";
  profile.switches.copies = "pageable";
  profile.kernels = {{.kind = KernelKind::optimizer, .calls = 1, .time_s = 1e-3}};
  profile.copies = {
      {.memory = record::HostMemory::pageable, .overlapped = true, .calls = 1, .bytes = 5000, .time_s = 1e-3}};

  const std::string copy = "transfer/h2d/memory:pinned/bytes:4096",
                    fused = "optimizer/step/rule:sgd/model:resnet50/way:fused";
  EXPECT_THAT(names_for(profile, {listed(copy), listed(fused)}), ElementsAre(copy));
}

}  // namespace
}  // namespace cupel::foretell
