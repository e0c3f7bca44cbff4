// cupel-probe as a program on a real device: what it sees there, and on one that it has no machine code for.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cupel/doctor/judge.hpp"
#include "cupel/doctor/probe_output.hpp"
#include "cupel/doctor/report.hpp"
#include "cupel/host/child.hpp"

namespace cupel {
namespace {

struct Answer {
  int code = -1;
  doctor::ProbeOutput output;
};

// program: as seen from the folder of this test.
host::ChildResult start(const char* program, std::vector<std::string> arguments) {
  host::ChildCommand command;
  command.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
  command.arguments = std::move(arguments);
  command.time_limit_s = 120;
  return host::run_child(command);
}

Answer run(const char* program, std::vector<std::string> arguments = {}) {
  const host::ChildResult ended = start(program, std::move(arguments));
  EXPECT_EQ(ended.ending, host::Ending::exited) << ended.error_text;
  std::printf("answered in %.2f s\n", ended.wall_s);
  return {ended.code, doctor::probe_output_from_json(ended.output_text)};
}

int compute(const doctor::ProbeOutput& output) {
  return output.context.device ? 10 * output.context.device->compute_major + output.context.device->compute_minor : 0;
}

TEST(ProbeProgramGpu, DescribesTheDeviceUnderLoad) {
  const Answer answer = run(CUPEL_PROBE);

  ASSERT_EQ(answer.code, 0) << answer.output.gpu.what;
  ASSERT_TRUE(answer.output.context.device);
  const doctor::GpuFacts& gpu = answer.output.gpu;
  EXPECT_EQ(gpu.pinned_trouble, "");
  EXPECT_EQ(gpu.nvml_trouble, "");
  EXPECT_GT(gpu.busy_sm_clock_hz.value_or(0), 0.5 * answer.output.context.device->sm_clock_max_hz);
  EXPECT_GT(gpu.busy_power_w.value_or(0), 0);

  doctor::Facts facts;
  facts.context = answer.output.context;
  facts.gpu = gpu;
  facts.host = host::read_host_facts();
  EXPECT_TRUE(doctor::usable_gpu(facts));
  std::printf("%s", doctor::as_text(doctor::judge(facts), 100).c_str());
}

// On a machine with one GPU that is the first.
TEST(ProbeProgramGpu, LooksAtTheDeviceThatIsChosenByNumberOrUuid) {
  const Answer first = run(CUPEL_PROBE);
  const int last = first.output.gpu.device_count - 1;

  const Answer by_number = run(CUPEL_PROBE, {"--device", std::to_string(last)});
  ASSERT_EQ(by_number.code, 0) << by_number.output.gpu.what;
  const std::string uuid = by_number.output.context.device->uuid;
  const Answer by_uuid = run(CUPEL_PROBE, {"--device", uuid});

  EXPECT_EQ(by_number.output.gpu.device, last);
  EXPECT_EQ(uuid == first.output.context.device->uuid, last == 0);
  EXPECT_EQ(by_uuid.output.context.device->uuid, uuid);
  EXPECT_EQ(by_uuid.output.context.device->pci_id, by_number.output.context.device->pci_id);
  EXPECT_GT(by_number.output.gpu.busy_power_w.value_or(0), 0);
  std::printf("GPU %d of %d: %s\n", last, last + 1, uuid.c_str());
}

TEST(ProbeProgramGpu, RefusesADeviceThatIsNotThereWithAllThatThereAre) {
  const auto ended = start(CUPEL_PROBE, {"--device", "999"});

  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.error_text.find("no GPU has the number 999; there are:\n  0  "), std::string::npos)
      << ended.error_text;
}

TEST(ProbeProgramGpu, WithoutCodeForTheDeviceSaysWhatToBuild) {
  const bool fits = compute(run(CUPEL_PROBE).output) / 10 == 7;  // machine code of 7.5 runs there

  const Answer answer = run(CUPEL_PROBE_75_real);

  EXPECT_EQ(answer.code, fits ? 0 : 3);
  EXPECT_EQ(answer.output.gpu.trouble, fits ? "none" : "wrong_architecture");
  std::printf("%s: %s\n", answer.output.gpu.what.c_str(), answer.output.gpu.cure.c_str());
}

TEST(ProbeProgramGpu, WithPtxAloneTellsThatTheDriverCompiledIt) {
  const Answer answer = run(CUPEL_PROBE_75_virtual);

  ASSERT_EQ(answer.code, 0) << answer.output.gpu.what;
  EXPECT_EQ(answer.output.gpu.code_architecture, compute(answer.output));
  EXPECT_EQ(answer.output.gpu.code_jit, compute(answer.output) != 75);
}

}  // namespace
}  // namespace cupel
