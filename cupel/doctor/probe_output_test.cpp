#include "cupel/doctor/probe_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cupel/doctor/fixtures.hpp"
#include "cupel/record/json.hpp"

namespace cupel::doctor {
namespace {

using nlohmann::json;

ProbeOutput of_the_server() {
  const Facts facts = fixtures::server_in_order();
  return {facts.context, *facts.gpu};
}

TEST(ProbeOutput, ComesBackAsItWasWritten) {
  ProbeOutput written = of_the_server();
  written.gpu.busy_throttle_reasons = {"sw_power_cap"};
  written.gpu.foreign_processes = std::nullopt;
  written.gpu.peer_pairs = 7;
  written.gpu.nvlinks_up = 18;
  written.gpu.nccl_cuda = 13000;

  const ProbeOutput read = probe_output_from_json(to_json(written));

  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_EQ(read.context.device->name, "NVIDIA H200");
  EXPECT_EQ(read.context.libraries.size(), written.context.libraries.size());
  EXPECT_EQ(read.gpu.busy_throttle_reasons, written.gpu.busy_throttle_reasons);
  EXPECT_EQ(read.gpu.foreign_processes, std::nullopt);
  EXPECT_EQ(read.gpu.peer_pairs, 7);
  EXPECT_EQ(read.gpu.nvlinks_up, 18);
  EXPECT_EQ(read.gpu.nccl_cuda, 13000);
  EXPECT_EQ(read.gpu.nvlinks_down, std::nullopt);
  EXPECT_EQ(read.gpu.busy_pcie_width, 16);
}

TEST(ProbeOutput, IsAResultFileThatOthersRead) {
  const record::ResultSet read = record::from_json(to_json(of_the_server()), "probe");

  EXPECT_EQ(read.context.device->uuid, of_the_server().context.device->uuid);
  EXPECT_TRUE(read.rows.empty());
}

TEST(ProbeOutput, WithoutADeviceSaysWhy) {
  const Facts facts = fixtures::old_driver();

  const ProbeOutput read = probe_output_from_json(to_json({facts.context, *facts.gpu}));

  EXPECT_FALSE(read.context.device);
  EXPECT_EQ(read.gpu.trouble, "driver_too_old");
  EXPECT_EQ(read.gpu.cure, facts.gpu->cure);
}

TEST(ProbeOutput, ThatIsNoneIsRefused) {
  EXPECT_THROW(probe_output_from_json(""), files::ReadError);
  EXPECT_THROW(probe_output_from_json("Segmentation fault"), files::ReadError);
  EXPECT_THROW(probe_output_from_json("{}"), files::ReadError);
  EXPECT_THROW(probe_output_from_json(record::to_json({of_the_server().context, {}})), files::ReadError);
}

TEST(ProbeOutput, LeavesAFactOfAnUnexpectedTypeAtItsDefault) {
  json file = json::parse(to_json(of_the_server()));
  json& facts = file["context"]["cupel"]["doctor"];
  facts["device_count"] = "eight";
  facts["busy_pcie_width"] = json::array();
  facts["architectures"] = 90;
  facts["later"] = 1;

  const ProbeOutput read = probe_output_from_json(file.dump());

  EXPECT_EQ(read.gpu.device_count, 0);
  EXPECT_EQ(read.gpu.busy_pcie_width, std::nullopt);
  EXPECT_TRUE(read.gpu.architectures.empty());
  EXPECT_EQ(read.gpu.runtime_cuda, 13000);
}

}  // namespace
}  // namespace cupel::doctor
