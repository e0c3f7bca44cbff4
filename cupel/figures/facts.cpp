#include "cupel/figures/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::figures {
namespace {

using units::Unit;

using Known = std::optional<std::string>;

constexpr std::size_t kBoardShown = 12;  // "GPU-" and the first eight digits: as much as --device takes

Known text(const std::string& value) { return value.empty() ? Known() : Known(value); }

Known number(std::int64_t value) { return value == 0 ? Known() : Known(std::to_string(value)); }

Known number(const std::optional<int>& value) { return value ? Known(std::to_string(*value)) : Known(); }

// "16", or of files that were joined "16; 32".
Known number(int value, const std::vector<int>& each) {
  constexpr auto words = [](int one) { return std::to_string(one); };
  return each.size() < 2 ? number(value) : Known(units::joined(each | std::views::transform(words), "; "));
}

Known flag(const std::optional<bool>& value, const char* yes = "on", const char* no = "off") {
  return value ? Known(*value ? yes : no) : Known();
}

Known in_unit(double value, Unit unit) { return value > 0 ? Known(units::format(value, unit)) : Known(); }

Known size(std::int64_t bytes) { return bytes > 0 ? Known(units::format_size(bytes)) : Known(); }

Known version(const record::Library& library) {
  return text(library.loaded.empty() ? library.compiled : library.loaded);
}

Known pcie(const std::optional<int>& generation, const std::optional<int>& width) {
  if (!width) return std::nullopt;
  return (generation ? "PCIe " + std::to_string(*generation) + ".0 " : "") + "x" + std::to_string(*width);
}

// Takes the facts of one subject.
class Lister {
 public:
  Lister(std::vector<Fact>& facts, Subject subject) : facts_(facts), subject_(subject) {}

  Fact& hard(std::string name, Known value) { return add(std::move(name), std::move(value), Hardness::hard); }
  Fact& soft(std::string name, Known value) { return add(std::move(name), std::move(value), Hardness::soft); }
  Fact& shown(std::string name, Known value) { return add(std::move(name), std::move(value), Hardness::none); }

 private:
  Fact& add(std::string name, Known value, Hardness hardness) {
    return facts_.emplace_back(Fact{subject_, std::move(name), std::move(value), hardness});
  }

  std::vector<Fact>& facts_;
  Subject subject_;
};

void add_gpu(Lister add, const record::DeviceInfo& device) {
  add.hard("GPU", text(device.name)).of_one_run = true;
  add.hard("SMs", number(device.sm_count));
  add.hard("memory", size(device.memory_bytes));
  add.hard("memory bus",
           device.memory_bus_bits == 0 ? Known() : Known(std::to_string(device.memory_bus_bits) + " bit"));
  add.hard("ECC", flag(device.ecc));
  add.hard("MIG", flag(device.mig));
  add.hard("power limit", in_unit(device.power_limit_w.value_or(0), Unit::watts));
  add.soft("board", text(shortened(device.uuid, kBoardShown)));
  add.soft("driver", text(device.driver_version)).of_one_run = true;
  add.soft("driver's CUDA", device.driver_cuda == 0 ? Known() : Known(units::cuda_version(device.driver_cuda)));
  add.soft("SM clock, maximum", in_unit(device.sm_clock_max_hz, Unit::hertz));
  add.soft("memory clock, maximum", in_unit(device.memory_clock_max_hz, Unit::hertz));
  add.soft("PCIe", pcie(device.pcie_generation_max, device.pcie_width));
  add.soft("persistence mode", flag(device.persistence));
  add.shown("UUID", text(device.uuid)).of_one_run = true;
  add.shown("PCI id", text(device.pci_id));
  add.shown("PCIe, as it was read", pcie(device.pcie_generation, device.pcie_width));
  add.shown("PCIe, greatest", pcie(device.pcie_generation_max, device.pcie_width_max));
  add.shown("power limit by default", in_unit(device.power_limit_default_w.value_or(0), Unit::watts));
  add.shown("compute capability", fmt::format("{}.{}", device.compute_major, device.compute_minor));
  add.shown("memory peak", in_unit(device.memory_peak_bytes_per_s, Unit::bytes_per_second));
  add.shown("L2", size(device.l2_bytes));
  add.shown("shared memory of an SM", size(device.shared_bytes_per_sm));
  add.shown("copy engines", number(device.copy_engines));
  add.shown("NUMA node", number(device.numa_node));
}

constexpr std::pair<const char*, const char*> kKnownLibraries[] = {
    {"cudart", "CUDA runtime"}, {"cublas", "cuBLAS"}, {"cudnn", "cuDNN"}, {"nccl", "NCCL"}};

// The libraries whose versions matter most first, then whatever else a file names.
void add_libraries(Lister add, const std::vector<record::Library>& libraries) {
  for (const auto& [name, shown] : kKnownLibraries) {
    const auto found = std::ranges::find(libraries, name, &record::Library::name);
    add.soft(shown, found == libraries.end() ? Known() : version(*found));
  }
  for (const record::Library& library : libraries) {
    const std::string name = fact_of_library(library.name);
    if (name == library.name) add.soft(name, version(library));
    if (!library.file.empty()) add.shown(name + " loaded from", library.file);
    if (library.compiled.empty()) continue;
    add.shown(name + " built against", library.compiled + (library.loaded.empty() ? ", and not loaded" : ""));
  }
}

// on_gpu: whether a GPU was measured, which else the processor stands for.
void add_host(Lister add, const record::HostInfo& host, bool on_gpu) {
  (on_gpu ? add.soft("CPU", text(host.cpu)) : add.hard("CPU", text(host.cpu))).of_one_run = true;
  add.soft("CPUs", number(host.logical_cpus, host.each_logical_cpus));
  add.soft("usable CPUs", number(host.usable_cpus, host.each_usable_cpus));
  add.soft("NUMA nodes", number(host.numa_nodes));
  add.soft("kernel", text(host.kernel)).of_one_run = true;
  add.soft("system", text(host.os));
  add.soft("governor", text(host.governor));
  add.soft(kHost, text(host.name));
  add.soft("CPU clock", host.clock_hz > 0 ? Known(units::format_fixed(host.clock_hz / 1e9, 1) + " GHz") : Known());
  add.soft("caches", text(host.caches));
  add.soft("frequency scaling", flag(host.scaling));
  add.soft("container", flag(host.container, "yes", "no"));
  add.shown("host memory", size(host.memory_bytes));
}

Known revision(const record::Build& build) {
  constexpr std::size_t kShown = 12;
  if (build.git_revision.empty()) return std::nullopt;
  return shortened(build.git_revision, kShown) + (build.git_dirty ? ", changed" : "");
}

void add_build(Lister add, const record::Context& context) {
  const record::Build& build = context.build;
  add.soft("cupel", text(build.version)).of_one_run = true;
  add.soft("revision", revision(build)).of_one_run = true;
  add.soft("build type", text(build.type)).of_one_run = true;
  add.soft("compiled without optimisation", text(units::joined(context.run.unoptimised)));
  add.soft("C++ compiler", text(build.cxx_compiler)).of_one_run = true;
  add.soft("CUDA compiler", text(build.cuda_compiler)).of_one_run = true;
  add.soft("architectures", text(build.cuda_architectures)).of_one_run = true;
  add.soft("Google Benchmark", text(build.benchmark_version));
  add.soft("Google Benchmark built as", build.benchmark_debug ? "debug" : "release");
  add.shown("schema", fmt::format("{}.{}", context.schema_major, context.schema_minor));
}

Known note(const record::RunInfo& run, const char* name) {
  const auto found = run.notes.find(name);
  return found == run.notes.end() ? Known() : text(found->second);
}

void add_run(Lister add, const record::Context& context) {
  const record::RunInfo& run = context.run;
  add.soft("timer", text(run.timer));
  add.soft(kSamplingTime, note(run, record::kSampling));
  add.soft("SM clock read", note(run, kClockRead));
  add.hard("operands of products", run.notes.contains("--zeros") ? "zeros" : "random numbers");
  if (context.calibration) add.soft("L2 flush", text(context.calibration->flush));
  add.shown("started", text(run.started));
  add.shown("finished", text(run.finished));
  add.shown("interrupted", flag(run.interrupted, "yes", "no"));
  add.shown("node", text(run.node)).of_one_run = true;
  add.shown("job", text(run.job));
  add.shown("restarts", number(run.restarts));
  add.shown("profile", text(run.profile));
  add.shown("processes", run.whole_processes ? record::processes_text(run) : std::to_string(run.processes));
  add.shown("rounds", number(run.rounds));
  add.shown("seed", std::to_string(run.seed));
  add.shown("families", text(units::joined(run.families)));
  add.shown("filters", text(units::joined(run.filters)));
  for (const auto& [name, said] : run.notes) {
    if (name != kClockRead && name != record::kSampling) add.shown("note: " + name, text(said));
  }
}

void add_costs(Lister add, const record::Calibration& calibration) {
  const auto seconds = [](const auto& value) {
    return in_unit(std::optional<double>(value).value_or(0), Unit::seconds);
  };
  add.shown("event pair around a kernel", seconds(calibration.event_floor_kernel_s));
  add.shown("event pair around a copy", seconds(calibration.event_floor_copy_s));
  add.shown("of which an empty kernel takes", seconds(calibration.shortest_kernel_s));
  add.shown("and a copy of 4 bytes", seconds(calibration.shortest_copy_s));
  add.shown("by", text(calibration.shortest_source));
  add.shown("resolution of events", seconds(calibration.event_resolution_s));
  add.shown("L2 is made cold by", text(calibration.flush));
  add.shown("bytes for that", size(calibration.flush_bytes));
  add.shown("short kernels, one to the next", seconds(calibration.launch_spacing_s));
  add.shown("on the slowest stream tried", seconds(calibration.slowest_launch_spacing_s));
}

Known between(const Extremes& seen, Unit unit) {
  if (!seen.low) return std::nullopt;
  return units::range_text(units::format(*seen.low, unit), units::format(*seen.high, unit));
}

void add_meanwhile(Lister add, const record::ResultSet& results) {
  const TelemetrySummary seen = telemetry_summary(results);
  if (seen.rows == 0) return;
  const auto of_rows = [&](int count) { return fmt::format("{} of {} results", count, results.rows.size()); };
  add.shown("SM clock", between(seen.sm_clock_hz, Unit::hertz));
  if (seen.says_how)
    add.shown("SM clock read while the work ran", of_rows(seen.under_load) + ", else before and after it");
  add.shown("memory clock", between(seen.memory_clock_hz, Unit::hertz));
  add.shown("highest power", between(seen.power_w, Unit::watts));
  add.shown("highest temperature", between(seen.temperature_c, Unit::celsius));
  add.shown("throttled, or the GPU shared", of_rows(seen.disturbed));
  add.shown("not settled", of_rows(seen.unsettled));
  add.shown("other processes on the GPU", of_rows(seen.shared));
  add.shown("at the power limit", text(power_limited_text(power_limited(results))));
  for (const auto& [reason, count] : seen.throttled) add.shown("throttled: " + reason, of_rows(count));
}

}  // namespace

std::vector<Fact> facts(const record::DeviceInfo& device) {
  std::vector<Fact> all;
  add_gpu({all, Subject::gpu}, device);
  return all;
}

std::vector<Fact> facts(const record::Context& context) {
  std::vector<Fact> all;
  if (context.device) {
    all = facts(*context.device);
  } else {
    Lister(all, Subject::gpu).hard("GPU", std::nullopt).of_one_run = true;
  }
  add_libraries({all, Subject::software}, context.libraries);
  add_host({all, Subject::host}, context.host, context.device.has_value());
  add_build({all, Subject::software}, context);
  add_run({all, Subject::run}, context);
  return all;
}

std::vector<Fact> facts(const record::ResultSet& results) {
  std::vector<Fact> all = facts(results.context);
  if (results.context.calibration) add_costs({all, Subject::costs}, *results.context.calibration);
  add_meanwhile({all, Subject::meanwhile}, results);
  return all;
}

std::string fact_of_library(const std::string& name) {
  for (const auto& [known, shown] : kKnownLibraries) {
    if (name == known) return shown;
  }
  return name;
}

std::string value_of(const std::vector<Fact>& facts, const std::string& name) {
  const auto found = std::ranges::find(facts, name, &Fact::name);
  return found == facts.end() ? "" : found->value.value_or("");
}

std::string other_run(const record::Context& there, const record::Context& here, bool needs_device) {
  const std::vector<Fact> now = facts(here);
  for (const Fact& was : facts(there)) {
    const bool is_device = was.subject == Subject::gpu;
    if (!was.of_one_run || (is_device && !needs_device)) continue;
    const auto said = [&](const std::string& value, const record::Context& context) {
      return value.empty() && is_device && !context.device ? "none" : value;
    };
    const std::string before = said(was.value.value_or(""), there), after = said(value_of(now, was.name), here);
    if (before.empty() || after.empty() || before == after) continue;
    return fmt::format("{}: {} there, {} here", was.name, before, after);
  }
  return "";
}

std::string board_of(const record::Context& context) {
  return context.device ? shortened(context.device->uuid, kBoardShown) : "";
}

std::string shortened(const std::string& words, std::size_t longest) {
  std::string all;
  for (const std::string& word : units::split(words, ',')) all += (all.empty() ? "" : ", ") + word.substr(0, longest);
  return all;
}

}  // namespace cupel::figures
