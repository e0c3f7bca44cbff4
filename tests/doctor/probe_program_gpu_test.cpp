// cupel-probe as a program on a real device: what it sees there, and on one that it has no machine code for.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "cupel/doctor/judge.hpp"
#include "cupel/doctor/probe_output.hpp"
#include "cupel/doctor/report.hpp"
#include "cupel/runner/child.hpp"

namespace cupel {
namespace {

struct Answer {
  int code = -1;
  doctor::ProbeOutput output;
};

// program: as seen from the folder of this test.
Answer run(const char* program) {
  runner::ChildCommand command;
  command.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
  command.time_limit_s = 120;
  const auto ended = runner::run_child(command);
  EXPECT_EQ(ended.ending, runner::Ending::exited) << ended.error_text;
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
  std::printf("%s", doctor::as_text(doctor::judge(facts)).c_str());
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
