// cupel-probe [--device N|UUID]: looks at the GPU and prints what it saw as JSON: a result file without rows, with the
// doctor's facts in its context. Judges nothing. Exit code 0, 2 when there is no such device, or 3 when none can be
// used (the JSON then says why).
#include <cuda_runtime.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/device/availability.hpp"
#include "cupel/device/choice.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/device/libraries.hpp"
#include "cupel/device/look_kernels.hpp"
#include "cupel/device/nccl_build.hpp"
#include "cupel/device/telemetry.hpp"
#include "cupel/doctor/probe_output.hpp"
#include "cupel/host/host_info.hpp"
#include "cupel/host/shared_library.hpp"

namespace cupel {
namespace {

constexpr int kWrongUse = 2;
constexpr int kNoDevice = 3;
constexpr std::size_t kCopyBytes = std::size_t{64} << 20;

std::string compute_mode() {
  switch (cuda::attribute(cudaDevAttrComputeMode)) {
    case cudaComputeModeDefault:
      return "default";
    case cudaComputeModeProhibited:
      return "prohibited";
    default:
      return "exclusive_process";
  }
}

/// Arithmetic on all SMs and copies up the link, for long enough that both have left their idle state, and some copies
/// more than are waited for, so that the link is busy when this returns.
class Load {
 public:
  Load(const void* host, void* device, int sm_count) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kRampUp = std::chrono::milliseconds(300);  // clocks and link need up to 0.2 s
    constexpr unsigned long long kArithmeticNs = 450'000'000;
    constexpr int kStillUnderWay = 16;  // 20 ms at 55 GB/s; NVML answers in less
    cuda::check(device::launch_busy(sm_count, kArithmeticNs, arithmetic_));
    for (const auto start = Clock::now(); Clock::now() - start < kRampUp;) {
      cuda::check(cudaMemcpyAsync(device, host, kCopyBytes, cudaMemcpyHostToDevice, copies_));
      copies_.synchronize();
    }
    for (int i = 0; i < kStillUnderWay; ++i) {
      cuda::check(cudaMemcpyAsync(device, host, kCopyBytes, cudaMemcpyHostToDevice, copies_));
    }
  }

 private:
  cuda::Stream arithmetic_, copies_;
};

void read_busy(const nvml::Device& monitor, doctor::GpuFacts& facts) {
  facts.busy_pcie_generation = monitor.pcie_generation();
  facts.busy_pcie_width = monitor.pcie_width();
  const nvml::Reading reading = nvml::read(monitor);
  facts.busy_sm_clock_hz = reading.sm_clock_hz;
  facts.busy_memory_clock_hz = reading.memory_clock_hz;
  facts.busy_temperature_c = reading.temperature_c;
  facts.busy_power_w = reading.power_w;
  facts.busy_throttle_reasons = nvml::reason_names(reading.reasons.value_or(0));
  facts.foreign_processes =
      nvml::foreign_processes(reading.process_ids, static_cast<unsigned>(getpid()), /*own_context=*/true);
}

/// Reads the device while it works.
void look_under_load(const nvml::Device& monitor, const cuda::PinnedBuffer<char>& host, int sm_count,
                     doctor::GpuFacts& facts) {
  cuda::DeviceBuffer<char> device(kCopyBytes);
  const Load load(host.data(), device.data(), sm_count);
  read_busy(monitor, facts);
  cuda::check(cudaDeviceSynchronize());
}

// Both ways: a collective needs both.
int peer_pairs(int count) {
  const auto may_access = [](int from, int to) {
    int may = 0;
    cuda::check(cudaDeviceCanAccessPeer(&may, from, to));
    return may != 0;
  };
  int pairs = 0;
  for (int one = 0; one < count; ++one) {
    for (int other = one + 1; other < count; ++other) pairs += may_access(one, other) && may_access(other, one) ? 1 : 0;
  }
  return pairs;
}

// Looks at all GPUs: a collective is as slow as its slowest link.
void look_at_links(doctor::GpuFacts& facts) {
  for (int device = 0; device < facts.device_count; ++device) {
    std::string why_not;
    const auto monitor = device::open_monitor(device, why_not);
    const auto links = monitor ? monitor->nvlinks() : std::nullopt;
    if (!links) continue;
    facts.nvlinks_up = facts.nvlinks_up.value_or(0) + links->up;
    facts.nvlinks_down = facts.nvlinks_down.value_or(0) + links->down;
  }
}

/// Page-locked memory may be refused where everything else works.
cuda::PinnedBuffer<char> page_locked(doctor::GpuFacts& facts) {
  try {
    cuda::PinnedBuffer<char> buffer(kCopyBytes);
    std::memset(buffer.data(), 1, buffer.size());
    return buffer;
  } catch (const cuda::CudaError& error) {
    facts.pinned_trouble = error.what();
    return {};
  }
}

void look(record::Context& context, doctor::GpuFacts& facts) {
  const int number = cuda::current_device();
  const auto monitor = device::open_monitor(number, facts.nvml_trouble);
  const nvml::Device* nvml = monitor ? &*monitor : nullptr;
  context.device = device::read_device_info(number, nvml);
  facts.peer_pairs = peer_pairs(facts.device_count);
  look_at_links(facts);
  facts.compute_mode = compute_mode();
  device::LoadedCode code;
  cuda::check(device::loaded_code(code));
  facts.code_architecture = code.binary;
  facts.code_jit = code.jit;
  const cuda::PinnedBuffer<char> host = page_locked(facts);
  if (nvml != nullptr && host.size() > 0) look_under_load(*nvml, host, context.device->sm_count, facts);
}

// The CUDA version that the library was built with which a collective would load; nothing where there is none.
std::optional<int> nccl_cuda() {
  host::SharedLibrary nccl("NCCL", {"libnccl.so.2"});
  try {
    nccl.handle();
  } catch (const host::Unavailable&) {
    return std::nullopt;
  }
  return device::nccl_file_built_with(nccl.file());
}

// Where there are none, to ask for the first says why.
int device_asked_for(const std::string& asked) {
  const std::vector<device::VisibleDevice> devices = device::visible_devices();
  return devices.empty() ? 0 : device::chosen_device(asked, devices);
}

doctor::ProbeOutput probe(const std::string& asked) {
  const int number = device_asked_for(asked);
  doctor::ProbeOutput output;
  output.context.build = host::this_build();
  output.context.host = host::read_host_info();
  const device::Answer answer = device::ask(number);
  const device::Availability found = device::judge(answer);
  doctor::GpuFacts& facts = output.gpu;
  facts.trouble = device::to_string(found.trouble);
  facts.what = found.what;
  facts.cure = found.cure;
  facts.device = number;
  facts.device_count = answer.count;
  facts.driver_cuda = answer.driver_cuda;
  facts.runtime_cuda = answer.runtime_cuda;
  facts.architectures = answer.architectures;
  if (found.ok()) look(output.context, facts);
  output.context.libraries = device::libraries(device::Lookup::load);
  facts.nccl_cuda = nccl_cuda();
  return output;
}

}  // namespace
}  // namespace cupel

int main(int argc, char** argv) {
  const bool asks = argc == 3 && std::string_view(argv[1]) == "--device";
  if (argc != 1 && !asks) {
    std::fprintf(stderr, "%s: usage: cupel-probe [--device N|UUID]\n", argv[0]);
    return cupel::kWrongUse;
  }
  try {
    const auto output = cupel::probe(asks ? argv[2] : "");
    const std::string text = cupel::doctor::to_json(output);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
      std::perror("cupel-probe: stdout");
      return EXIT_FAILURE;
    }
    return output.gpu.trouble == "none" ? EXIT_SUCCESS : cupel::kNoDevice;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return cupel::kWrongUse;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cupel-probe: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
