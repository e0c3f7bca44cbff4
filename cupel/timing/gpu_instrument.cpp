#include "cupel/timing/gpu_instrument.hpp"

#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "cupel/cuda/cuda.hpp"
#include "cupel/device/availability.hpp"
#include "cupel/device/choice.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/device/libraries.hpp"
#include "cupel/device/telemetry.hpp"
#include "cupel/harness/flags.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/record/context.hpp"
#include "cupel/record/telemetry.hpp"
#include "cupel/timing/cupti_referee.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

std::optional<nvml::Device> open_monitor() {
  std::string why_not;  // telemetry is then absent from the record, and `cupel doctor` says why
  return device::open_monitor(cuda::current_device(), why_not);
}

const std::optional<nvml::Device>& monitor() {
  static const std::optional<nvml::Device> device = open_monitor();
  return device;
}

}  // namespace

const record::DeviceInfo& this_device() {
  static const record::DeviceInfo info =
      device::read_device_info(cuda::current_device(), monitor() ? &*monitor() : nullptr);
  return info;
}

std::optional<double> declared_clock_hz() {
  const std::optional<nvml::Device> board = open_monitor();
  return board ? board->max_clock_hz(nvml::ClockDomain::sm) : std::nullopt;
}

std::optional<double> energy_j() { return monitor() ? monitor()->energy_j() : std::nullopt; }
std::optional<double> power_w() { return monitor() ? monitor()->power_w() : std::nullopt; }

struct GpuInstrument::State {
  std::optional<nvml::Reader> reader;                      // made at the first benchmark: there is a device then
  std::map<std::string, nvml::TelemetryLog> logs;          // by benchmark: its rounds add up
  std::map<std::string, std::set<std::string>> unsettled;  // by benchmark too
  std::string running;
  std::string first_of_several;  // what is measured where there was a choice and none was made
  std::optional<nvml::Reading> before;
};

GpuInstrument::GpuInstrument() : state_(std::make_unique<State>()) {}
GpuInstrument::~GpuInstrument() = default;

std::string GpuInstrument::unavailable() {
  // CUPTI hears of a context only if it was there first.
  if (harness::options().timer == "cupti") CuptiReferee::get();
  return device::availability(choose()).text();
}

// Where there is no device at all, availability() says why.
int GpuInstrument::choose() {
  const std::string& asked = harness::options().device;
  const std::vector<device::VisibleDevice> devices = device::visible_devices();
  if (devices.empty()) return 0;
  if (asked.empty() && devices.size() > 1) state_->first_of_several = device::device_text(0, devices);
  try {
    return device::chosen_device(asked, devices);
  } catch (const std::invalid_argument& error) {
    throw harness::UsageError(error.what());
  }
}

void GpuInstrument::describe(record::Context& context) {
  context.device = this_device();
  if (!state_->first_of_several.empty()) {
    std::fprintf(stderr, "measuring %s; --cupel_device chooses\n", state_->first_of_several.c_str());
    context.run.notes[record::kFirstOfSeveral] = state_->first_of_several;
  }
  context.libraries = device::libraries(device::Lookup::resident);
  if (!harness::options().once) context.calibration = Rig::get().calibration();
}

void GpuInstrument::begin_round(int round, record::Context& context) {
  if (harness::options().once) return;
  if (round > 0) Rig::get().read_event_pair(round);  // the rig has read that of the first one
  context.calibration = Rig::get().calibration();
}

record::ShortestWork GpuInstrument::measure_shortest_work() { return Rig::get().read_shortest_work(); }

void GpuInstrument::complete(record::Context& context) {
  context.libraries = device::libraries(device::Lookup::resident);
}

void GpuInstrument::before(const std::string& name) {
  state_->running = name;
  state_->before.reset();
  nvtxRangePushA(name.c_str());
}

void GpuInstrument::begin_sampling() {
  if (harness::options().once) return;
  // Sustained work brings the device to a clock of its own, so that there is none to wait for.
  if (!harness::options().sustained) Rig::get().settle();
  if (!state_->reader && monitor()) state_->reader.emplace(*monitor(), harness::options().sustained);
  if (state_->reader) state_->before = state_->reader->read();
}

bool GpuInstrument::after(record::Telemetry& telemetry) noexcept {
  nvtxRangePop();
  if (harness::options().once) return false;
  try {
    std::set<std::string>& unsettled = state_->unsettled[state_->running];
    unsettled.merge(Rig::get().take_unsettled());
    const auto [log, is_new] = state_->logs.try_emplace(state_->running, static_cast<unsigned>(getpid()));
    if (state_->before) log->second.add(*state_->before, state_->reader->read());
    for (const double hz : Rig::get().take_clocks_hz()) log->second.add_sm_clock_under_load(hz);
    log->second.add_sm_clock(Rig::get().clock().read_hz(Rig::get().stream()));
    log->second.fill(telemetry);
    telemetry.settled = unsettled.empty();
    telemetry.unsettled.assign(unsettled.begin(), unsettled.end());
  } catch (const std::exception&) {
    // A reading that fails stays absent; a fault of the device shows in the benchmark itself.
  }
  return nvml::disturbed(telemetry);
}

bool GpuInstrument::lost(const std::exception& error) noexcept {
  const auto* cuda_error = dynamic_cast<const cuda::CudaError*>(&error);
  if (cuda_error != nullptr && cuda_error->sticky()) return true;
  // A fault may hide behind another exception: ask the device itself.
  return cudaDeviceSynchronize() != cudaSuccess;
}

}  // namespace cupel::timing
