#include "cupel/figures/fingerprint.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "cupel/record/google_benchmark.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::figures {
namespace {

using Known = std::optional<std::string>;

Known text(const std::string& value) { return value.empty() ? Known() : Known(value); }

Known number(std::int64_t value) { return value == 0 ? Known() : Known(std::to_string(value)); }

Known flag(const std::optional<bool>& value, const char* yes, const char* no) {
  return value ? Known(*value ? yes : no) : Known();
}

Known in_unit(double value, units::Unit unit) { return value > 0 ? Known(units::format(value, unit)) : Known(); }

Known size(std::int64_t bytes) { return bytes > 0 ? Known(units::format_size(bytes)) : Known(); }

Known version(const record::Library& library) {
  return text(library.loaded.empty() ? library.compiled : library.loaded);
}

Known library(const record::Context& context, std::string_view name) {
  for (const record::Library& library : context.libraries) {
    if (library.name == name) return version(library);
  }
  return std::nullopt;
}

Known cuda_version(int coded) { return coded == 0 ? Known() : Known(units::cuda_version(coded)); }

Known pcie(const record::DeviceInfo& device) {
  if (!device.pcie_width) return std::nullopt;
  const Known generation =
      device.pcie_generation_max ? Known("PCIe " + std::to_string(*device.pcie_generation_max) + ".0 ") : Known("");
  return *generation + "x" + std::to_string(*device.pcie_width);
}

void add_hard(std::vector<Key>& keys, const record::Context& context) {
  if (!context.device) {
    keys.push_back({"GPU", std::nullopt, Hardness::hard});
    keys.push_back({"CPU", text(context.host.cpu), Hardness::hard});
    return;
  }
  const record::DeviceInfo& device = *context.device;
  keys.push_back({"GPU", text(device.name), Hardness::hard});
  keys.push_back({"SMs", number(device.sm_count), Hardness::hard});
  keys.push_back({"memory", size(device.memory_bytes), Hardness::hard});
  keys.push_back({"memory bus",
                  device.memory_bus_bits == 0 ? Known() : Known(std::to_string(device.memory_bus_bits) + " bit"),
                  Hardness::hard});
  keys.push_back({"ECC", flag(device.ecc, "on", "off"), Hardness::hard});
  keys.push_back({"MIG", flag(device.mig, "on", "off"), Hardness::hard});
  keys.push_back({"power limit", device.power_limit_w ? in_unit(*device.power_limit_w, units::Unit::watts) : Known(),
                  Hardness::hard});
}

void add_device(std::vector<Key>& keys, const record::Context& context) {
  const record::DeviceInfo& device = *context.device;
  keys.push_back({"board", text(board_of(context))});
  keys.push_back({"driver", text(device.driver_version)});
  keys.push_back({"driver's CUDA", cuda_version(device.driver_cuda)});
  keys.push_back({"SM clock, maximum", in_unit(device.sm_clock_max_hz, units::Unit::hertz)});
  keys.push_back({"memory clock, maximum", in_unit(device.memory_clock_max_hz, units::Unit::hertz)});
  keys.push_back({"PCIe", pcie(device)});
  keys.push_back({"persistence mode", flag(device.persistence, "on", "off")});
}

// The libraries whose versions matter most first, then whatever else a file names.
void add_libraries(std::vector<Key>& keys, const record::Context& context) {
  constexpr std::pair<const char*, const char*> kKnown[] = {
      {"cudart", "CUDA runtime"}, {"cublas", "cuBLAS"}, {"cudnn", "cuDNN"}, {"nccl", "NCCL"}};
  for (const auto& [name, shown] : kKnown) keys.push_back({shown, library(context, name)});
  for (const record::Library& other : context.libraries) {
    const bool known =
        std::any_of(std::begin(kKnown), std::end(kKnown), [&](const auto& pair) { return other.name == pair.first; });
    if (!known) keys.push_back({other.name, version(other)});
  }
}

void add_host(std::vector<Key>& keys, const record::Context& context) {
  const record::HostInfo& host = context.host;
  if (context.device) keys.push_back({"CPU", text(host.cpu)});
  keys.push_back({"CPUs", number(host.logical_cpus)});
  keys.push_back({"NUMA nodes", number(host.numa_nodes)});
  keys.push_back({"kernel", text(host.kernel)});
  keys.push_back({"system", text(host.os)});
  keys.push_back({"governor", text(host.governor)});
  keys.push_back({kHost, text(host.name)});
  keys.push_back(
      {"CPU clock", host.clock_hz > 0 ? Known(units::format_fixed(host.clock_hz / 1e9, 1) + " GHz") : Known()});
  keys.push_back({"caches", text(host.caches)});
  keys.push_back({"frequency scaling", flag(host.scaling, "on", "off")});
  keys.push_back({"container", Known(host.container ? "yes" : "no")});
}

Known revision(const record::Build& build) {
  constexpr std::size_t kShown = 12;
  if (build.git_revision.empty()) return std::nullopt;
  return shortened(build.git_revision, kShown) + (build.git_dirty ? ", changed" : "");
}

void add_build(std::vector<Key>& keys, const record::Context& context) {
  const record::Build& build = context.build;
  keys.push_back({"cupel", text(build.version)});
  keys.push_back({"revision", revision(build)});
  keys.push_back({"build type", text(build.type)});
  keys.push_back({"C++ compiler", text(build.cxx_compiler)});
  keys.push_back({"CUDA compiler", text(build.cuda_compiler)});
  keys.push_back({"architectures", text(build.cuda_architectures)});
  keys.push_back({"Google Benchmark", text(build.benchmark_version)});
  keys.push_back({"Google Benchmark built as", Known(build.benchmark_debug ? "debug" : "release")});
  keys.push_back({"timer", text(context.run.timer)});
  const auto sampling = context.run.notes.find(record::kSampling);
  keys.push_back({kSamplingTime, sampling == context.run.notes.end() ? Known() : text(sampling->second)});
  const auto clock = context.run.notes.find(kClockRead);
  keys.push_back({"SM clock read", clock == context.run.notes.end() ? Known() : text(clock->second)});
  keys.push_back({"operands of products", Known(context.run.notes.contains("--zeros") ? "zeros" : "random numbers"),
                  Hardness::hard});
  if (context.calibration) keys.push_back({"L2 flush", text(context.calibration->flush)});
}

const Key* find(const std::vector<Key>& keys, const std::string& name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

Hardness hardness_of(const Key* a, const Key* b, bool both_known) {
  const std::string& name = (a != nullptr ? a : b)->name;
  if (!both_known && name != "GPU") return Hardness::soft;
  const bool hard = (a != nullptr && a->hardness == Hardness::hard) && (b != nullptr && b->hardness == Hardness::hard);
  return hard ? Hardness::hard : Hardness::soft;
}

void add_difference(std::vector<Difference>& found, const Key* a, const Key* b) {
  const Known before = a != nullptr ? a->value : Known(), after = b != nullptr ? b->value : Known();
  if (before == after) return;
  found.push_back({(a != nullptr ? a : b)->name, before, after, hardness_of(a, b, before && after)});
}

}  // namespace

std::string board_of(const record::Context& context) {
  constexpr std::size_t kShown = 12;  // "GPU-" and the first eight digits: as much as --device takes
  return context.device ? shortened(context.device->uuid, kShown) : "";
}

std::string shortened(const std::string& words, std::size_t longest) {
  std::string all;
  for (const std::string& word : units::split(words, ',')) all += (all.empty() ? "" : ", ") + word.substr(0, longest);
  return all;
}

std::vector<Key> fingerprint(const record::Context& context) {
  std::vector<Key> keys;
  add_hard(keys, context);
  if (context.device) add_device(keys, context);
  add_libraries(keys, context);
  add_host(keys, context);
  add_build(keys, context);
  return keys;
}

std::vector<Difference> differences(const record::Context& baseline, const record::Context& contender) {
  const std::vector<Key> before = fingerprint(baseline), after = fingerprint(contender);
  std::vector<Difference> found;
  for (const Key& key : before) add_difference(found, &key, find(after, key.name));
  for (const Key& key : after) {
    if (find(before, key.name) == nullptr) add_difference(found, nullptr, &key);
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Difference& difference) { return difference.hardness == Hardness::hard; });
  return found;
}

bool any_hard(const std::vector<Difference>& differences) {
  return std::ranges::any_of(differences,
                             [](const Difference& difference) { return difference.hardness == Hardness::hard; });
}

std::string to_string(const Difference& difference) {
  return difference.name + ": " + difference.baseline.value_or("unknown") + " -> " +
         difference.contender.value_or("unknown");
}

void note_clock_read(record::Context& context, bool under_load) {
  context.run.notes[kClockRead] =
      under_load ? "while the work ran, where that is 0.2 ms and more" : "before and after the work";
}

record::Context noted_context(const record::ResultSet& results) {
  record::Context context = results.context;
  const auto has_clock = [](const record::Row& row) { return row.telemetry && row.telemetry->sm_clock_hz; };
  const auto says_when = [](const record::Row& row) { return row.telemetry && row.telemetry->sm_clock_under_load; };
  if (std::ranges::any_of(results.rows, has_clock)) {
    note_clock_read(context, std::ranges::any_of(results.rows, says_when));
  }
  return context;
}

Facts facts_of(const record::Context& context) {
  Facts facts;
  for (const Key& key : fingerprint(context)) {
    if (key.value) facts[key.name] = *key.value;
  }
  return facts;
}

std::string model_of(const record::Context& context) {
  std::string model;
  for (const Key& key : fingerprint(context)) {
    const bool names_it = key.name == "GPU" || key.name == "SMs" || key.name == "memory" || key.name == "memory bus" ||
                          (key.name == "CPU" && key.hardness == Hardness::hard);
    if (!names_it || !key.value) continue;
    const bool needs_name = key.name != "GPU" && key.name != "CPU";
    model += (model.empty() ? "" : ", ") + *key.value + (needs_name ? " " + key.name : "");
  }
  return model.empty() ? "unknown model" : model;
}

Facts facts_of_most(std::span<const Facts* const> machines) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const Facts* facts : machines) {
    for (const auto& [name, value] : *facts) ++counts[name][value];
  }
  Facts most;
  for (const auto& [name, values] : counts) {
    for (const auto& [value, count] : values) {
      if (2 * count > machines.size()) most[name] = value;
    }
  }
  return most;
}

std::vector<std::string> differing(const Facts& most, const Facts& one) {
  std::vector<std::string> found;
  for (const auto& [name, value] : most) {
    const auto other = one.find(name);
    const std::string says = other == one.end() ? "unknown" : other->second;
    if (says != value) found.push_back(name + ": " + value + " -> " + says);
  }
  return found;
}

}  // namespace cupel::figures
