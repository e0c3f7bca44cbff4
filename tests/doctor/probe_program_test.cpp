// cupel-probe as a program where no device can be used: everywhere, because the devices are hidden from it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "cupel/doctor/probe_output.hpp"
#include "cupel/host/child.hpp"

namespace cupel {
namespace {

TEST(ProbeProgram, WithoutAVisibleDeviceEndsWith3AndSaysWhy) {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  host::ChildCommand command;
  command.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / CUPEL_PROBE;
  command.time_limit_s = 60;

  const auto ended = host::run_child(command);

  ASSERT_EQ(ended.ending, host::Ending::exited) << ended.error_text;
  EXPECT_EQ(ended.code, 3) << ended.error_text;
  const doctor::ProbeOutput output = doctor::probe_output_from_json(ended.output_text);
  EXPECT_TRUE(output.gpu.trouble == "no_driver" || output.gpu.trouble == "no_device") << output.gpu.trouble;
  EXPECT_FALSE(output.gpu.what.empty());
  EXPECT_FALSE(output.gpu.cure.empty());
  EXPECT_FALSE(output.context.device.has_value());
  EXPECT_GT(output.context.host.logical_cpus, 0);
  EXPECT_FALSE(output.context.libraries.empty());
}

TEST(ProbeProgram, EndsWith2OnArgumentsThatItDoesNotTake) {
  host::ChildCommand command;
  command.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / CUPEL_PROBE;
  command.arguments = {"--devise", "0"};
  command.time_limit_s = 60;

  const auto ended = host::run_child(command);

  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.error_text.find("--device N|UUID"), std::string::npos) << ended.error_text;
}

}  // namespace
}  // namespace cupel
