#include "cupel/device/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "cupel/device/fake_nvml.hpp"
#include "cupel/device/telemetry.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::nvml {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NvmlSession, StopsWithTheLastDeviceThatUsesIt) {
  const Functions f = fake::functions();

  {
    const Device first = fake::device(f);
    const Device copy = first;
    EXPECT_EQ(fake::state().sessions, 1);
  }

  EXPECT_EQ(fake::state().sessions, 0);
}

TEST(NvmlSession, ThatIsRefusedSaysWhy) {
  const Functions f = fake::functions();
  fake::state().init_result = 9;

  try {
    const Session session(f);
    FAIL() << "the session started";
  } catch (const NvmlError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Driver Not Loaded"));
  }

  EXPECT_EQ(fake::state().sessions, 0);
}

TEST(NvmlSession, NeedsAnEntryThatFindsDevices) {
  Functions f = fake::functions();
  f.handle_by_pci_id = nullptr;
  f.handle_by_uuid = nullptr;

  EXPECT_THROW(Session{f}, NvmlError);
}

TEST(NvmlDevice, IsFoundByPciIdOrElseByUuid) {
  const auto session = std::make_shared<const Session>(fake::functions());
  const auto& known = fake::state();

  EXPECT_TRUE(Device::find(session, known.pci_id, ""));
  EXPECT_TRUE(Device::find(session, "00000000:99:00.0", known.uuid));
  EXPECT_FALSE(Device::find(session, "00000000:99:00.0", "GPU-other"));
  EXPECT_FALSE(Device::find(session, "", ""));
}

TEST(NvmlDevice, GivesBaseUnits) {
  const Device device = fake::device(fake::functions());

  EXPECT_DOUBLE_EQ(*device.clock_hz(ClockDomain::sm), 1980e6);
  EXPECT_DOUBLE_EQ(*device.clock_hz(ClockDomain::memory), 3201e6);
  EXPECT_DOUBLE_EQ(*device.power_w(), 350);
  EXPECT_DOUBLE_EQ(*device.energy_j(), 1);
  EXPECT_DOUBLE_EQ(*device.temperature_c(), 41);
  EXPECT_DOUBLE_EQ(*device.power_limit_w(), 700);
  EXPECT_DOUBLE_EQ(*device.power_limit_default_w(), 720);
  EXPECT_EQ(device.session().driver_version(), "580.159.04");
}

TEST(NvmlDevice, ReadsNothingFromAnEmptyTable) {
  Functions f;
  f.init = [] { return kSuccess; };
  f.handle_by_pci_id = fake::functions().handle_by_pci_id;
  const Device device = fake::device(f);

  EXPECT_EQ(device.clock_hz(ClockDomain::sm), std::nullopt);
  EXPECT_EQ(device.energy_j(), std::nullopt);
  EXPECT_EQ(device.temperature_c(), std::nullopt);
  EXPECT_EQ(device.event_reasons(), std::nullopt);
  EXPECT_EQ(device.throttle_s(), std::nullopt);
  EXPECT_EQ(device.process_ids(), std::nullopt);
  EXPECT_EQ(device.ecc(), std::nullopt);
  EXPECT_EQ(device.mig(), std::nullopt);
  EXPECT_EQ(device.persistence(), std::nullopt);
  EXPECT_EQ(device.session().driver_version(), "");
}

TEST(NvmlDevice, ReadsTheTemperatureOfOlderDriversToo) {
  Functions f = fake::functions();
  f.temperature = nullptr;

  EXPECT_DOUBLE_EQ(*fake::device(f).temperature_c(), 1041);
}

TEST(NvmlDevice, ALinkOfWidthZeroIsNoLink) {
  const Device device = fake::device(fake::functions());
  fake::state().pcie_width = 0;
  fake::state().pcie_generation = 0;

  EXPECT_EQ(device.pcie_width(), std::nullopt);
  EXPECT_EQ(device.pcie_generation(), std::nullopt);
  EXPECT_EQ(device.pcie_width_max(), 16);
}

TEST(NvmlDevice, KeepsTheThrottleCountersThatTheDriverHas) {
  const Device device = fake::device(fake::functions());
  fake::state().hw_thermal_ns = 2'500'000'000;

  const auto counters = device.throttle_s();

  ASSERT_TRUE(counters);
  EXPECT_THAT(*counters, ElementsAre(std::pair("hw_thermal", 2.5), std::pair("sw_power_cap", 0.0)));
}

// Four places for links: two are up, one is down, and the board does not use the last.
TEST(NvmlDevice, CountsTheLinksThatAreUpAndThoseThatAreDown) {
  Functions f = fake::functions();
  f.field_values = [](Handle, int count, FieldValue* fields) {
    for (FieldValue* field = fields; field != fields + count; ++field) {
      field->result = kSuccess;
      field->type = 1;
      field->value.as_unsigned = field->field == 91 ? 4 : 26562;
    }
    return kSuccess;
  };
  f.nvlink_state = [](Handle, unsigned link, unsigned* up) {
    *up = link < 2 ? 1 : 0;
    return link < 3 ? kSuccess : 3;
  };

  const auto links = fake::device(f).nvlinks();

  ASSERT_TRUE(links);
  EXPECT_EQ(links->up, 2);
  EXPECT_EQ(links->down, 1);
  EXPECT_DOUBLE_EQ(links->bytes_per_s, 26.562e9);
}

// As on an H200: no speed in common, and the first link is down.
TEST(NvmlDevice, AsksALinkThatIsUpForItsSpeed) {
  Functions f = fake::functions();
  f.field_values = [](Handle, int count, FieldValue* fields) {
    for (FieldValue* field = fields; field != fields + count; ++field) {
      field->result = field->field == 90 ? 3 : kSuccess;
      field->type = 1;
      field->value.as_unsigned = field->field == 91 ? 2 : field->scope == 1 ? 26562 : 0;
    }
    return kSuccess;
  };
  f.nvlink_state = [](Handle, unsigned link, unsigned* up) {
    *up = link;
    return kSuccess;
  };

  const auto links = fake::device(f).nvlinks();

  ASSERT_TRUE(links);
  EXPECT_EQ(links->up, 1);
  EXPECT_DOUBLE_EQ(links->bytes_per_s, 26.562e9);
}

TEST(NvmlDevice, WithoutLinksHasNone) { EXPECT_FALSE(fake::device(fake::functions()).nvlinks()); }

TEST(NvmlDevice, ListsMoreProcessesThanTheFirstGuess) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids.resize(200);
  std::iota(fake::state().process_ids.begin(), fake::state().process_ids.end(), 1000u);

  EXPECT_EQ(device.process_ids(), fake::state().process_ids);
}

// The board with its instances: ours, on which 1 runs, and others', on which 2 and 3 do.
Functions under_mig() {
  const Functions f = fake::functions();
  fake::state().mig = true;
  fake::state().process_ids = {1, 2, 3};
  fake::state().instance_process_ids = {1};
  return f;
}

std::optional<Device> found_by_cuda(const Functions& f, const std::string& uuid) {
  return Device::find(std::make_shared<const Session>(f), fake::state().pci_id, uuid);
}

TEST(NvmlDevice, ListsUnderMigTheProcessesOnItsInstanceAlone) {
  const auto device = found_by_cuda(under_mig(), "GPU-a0b1c2d3-0000-1111-2222-333344445555");

  EXPECT_EQ(device->process_ids(), std::vector<unsigned>{1});
  EXPECT_EQ(device->pcie_width(), 16) << "all else is the board's";
  EXPECT_EQ(foreign_processes(device->process_ids(), 1, true), 0);
}

TEST(NvmlDevice, ListsNoProcessesUnderMigWhereItsInstanceIsNotKnown) {
  Functions f = under_mig();
  EXPECT_EQ(found_by_cuda(f, "GPU-99999999-0000-1111-2222-333344445555")->process_ids(), std::nullopt);
  EXPECT_EQ(found_by_cuda(f, "")->process_ids(), std::nullopt);

  f.handle_by_uuid = nullptr;
  const auto device = found_by_cuda(f, "GPU-a0b1c2d3-0000-1111-2222-333344445555");
  EXPECT_EQ(device->process_ids(), std::nullopt);
  EXPECT_EQ(foreign_processes(device->process_ids(), 1, true), std::nullopt);
}

TEST(NvmlDevice, ListsTheProcessesOfTheBoardWithoutMig) {
  const Functions f = under_mig();
  fake::state().mig = false;

  EXPECT_EQ(found_by_cuda(f, fake::state().uuid)->process_ids(), (std::vector<unsigned>{1, 2, 3}));
}

TEST(NvmlReasons, AreNamedAndIdleIsNone) {
  EXPECT_THAT(reason_names(0), IsEmpty());
  EXPECT_THAT(reason_names(0x1 | 0x2), IsEmpty());
  EXPECT_THAT(reason_names(0x4 | 0x40 | 0x1), ElementsAre("sw_power_cap", "hw_thermal"));
}

TEST(NvmlDescribe, FillsWhatItKnowsAndLeavesTheRest) {
  record::DeviceInfo info;
  info.name = "kept";

  describe(fake::device(fake::functions()), info);

  EXPECT_EQ(info.name, "kept");
  EXPECT_EQ(info.driver_version, "580.159.04");
  EXPECT_EQ(info.memory_bus_bits, 6144);
  EXPECT_DOUBLE_EQ(info.memory_clock_max_hz, 3201e6);
  EXPECT_EQ(info.pcie_generation, 5);
  EXPECT_EQ(info.ecc, true);
  EXPECT_EQ(info.mig, false);
}

}  // namespace
}  // namespace cupel::nvml
