#include "cupel/report/html/environment_section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "cupel/figures/power_limit.hpp"
#include "cupel/report/html/text.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

using units::Unit;

class Adder {
 public:
  explicit Adder(Facts& facts) : facts_(facts) {}

  void text(const char* key, const std::string& value) {
    if (!value.empty()) facts_.facts.emplace_back(key, value);
  }
  void whole(const char* key, std::int64_t value) {
    if (value != 0) text(key, fmt::format("{}", value));
  }
  void size(const char* key, std::int64_t bytes) {
    if (bytes != 0) text(key, units::format_size(bytes));
  }
  void measure(const char* key, const std::optional<double>& value, Unit unit) {
    if (value && *value != 0) text(key, units::format(*value, unit));
  }
  void flag(const char* key, const std::optional<bool>& value) {
    if (value) text(key, *value ? "yes" : "no");
  }

 private:
  Facts& facts_;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

Facts run_facts(const record::RunInfo& run) {
  Facts facts{"Run", {}};
  Adder add(facts);
  add.text("started", run.started);
  add.text("finished", run.finished);
  add.flag("interrupted", run.interrupted);
  add.text("profile", run.profile);
  add.text("processes", run.whole_processes ? record::processes_text(run) : fmt::format("{}", run.processes));
  add.whole("rounds", run.rounds);
  add.text("timer", run.timer);
  add.text("seed", fmt::format("{}", run.seed));
  add.text("families", joined(run.families));
  add.text("filters", joined(run.filters));
  for (const auto& [key, note] : run.notes) facts.facts.emplace_back("note: " + key, note);
  return facts;
}

std::string link_text(const std::optional<int>& generation, const std::optional<int>& width) {
  if (!generation && !width) return "";
  return fmt::format("generation {}, x{}", generation ? fmt::format("{}", *generation) : "?",
                     width ? fmt::format("{}", *width) : "?");
}

Facts device_facts(const record::DeviceInfo& device) {
  Facts facts{"GPU", {}};
  Adder add(facts);
  add.text("name", device.name);
  add.text("UUID", device.uuid);
  add.text("PCI id", device.pci_id);
  add.text("compute capability", fmt::format("{}.{}", device.compute_major, device.compute_minor));
  add.whole("SMs", device.sm_count);
  add.measure("greatest SM clock", device.sm_clock_max_hz, Unit::hertz);
  add.measure("greatest memory clock", device.memory_clock_max_hz, Unit::hertz);
  add.size("memory", device.memory_bytes);
  add.text("memory bus", device.memory_bus_bits > 0 ? fmt::format("{} bit", device.memory_bus_bits) : "");
  add.measure("memory peak", device.memory_peak_bytes_per_s, Unit::bytes_per_second);
  add.size("L2", device.l2_bytes);
  add.size("shared memory of an SM", device.shared_bytes_per_sm);
  add.whole("copy engines", device.copy_engines);
  add.text("PCIe link", link_text(device.pcie_generation, device.pcie_width));
  add.text("PCIe link, greatest", link_text(device.pcie_generation_max, device.pcie_width_max));
  add.flag("ECC", device.ecc);
  add.flag("MIG", device.mig);
  add.flag("persistence mode", device.persistence);
  add.measure("power limit", device.power_limit_w, Unit::watts);
  add.text("driver", device.driver_version);
  add.text(
      "driver takes CUDA up to",
      device.driver_cuda > 0 ? fmt::format("{}.{}", device.driver_cuda / 1000, device.driver_cuda % 1000 / 10) : "");
  add.text("NUMA node", device.numa_node ? fmt::format("{}", *device.numa_node) : "");
  return facts;
}

Facts host_facts(const record::HostInfo& host) {
  Facts facts{"Host", {}};
  Adder add(facts);
  add.text("CPU", host.cpu);
  add.whole("logical CPUs", host.logical_cpus);
  add.whole("NUMA nodes", host.numa_nodes);
  add.size("memory", host.memory_bytes);
  add.text("system", host.os);
  add.text("kernel", host.kernel);
  add.text("governor", host.governor);
  add.flag("container", host.container);
  return facts;
}

Facts build_facts(const record::Context& context) {
  const record::Build& build = context.build;
  Facts facts{"Software", {}};
  Adder add(facts);
  add.text("cupel", build.version);
  add.text("revision", build.git_revision.empty() ? "" : build.git_revision + (build.git_dirty ? " (changed)" : ""));
  add.text("schema", fmt::format("{}.{}", context.schema_major, context.schema_minor));
  add.text("build type", build.type);
  add.text("C++ compiler", build.cxx_compiler);
  add.text("CUDA compiler", build.cuda_compiler);
  add.text("CUDA architectures", build.cuda_architectures);
  add.text("Google Benchmark", build.benchmark_version + (build.benchmark_debug ? " (debug build)" : ""));
  for (const record::Library& library : context.libraries) {
    const std::string loaded = library.loaded.empty() ? "not loaded" : library.loaded;
    const std::string built = library.compiled.empty() ? "" : ", built against " + library.compiled;
    facts.facts.emplace_back(library.name, loaded + built);
  }
  return facts;
}

Facts calibration_facts(const record::Calibration& calibration) {
  Facts facts{"What measuring costs", {}};
  Adder add(facts);
  add.measure("event pair around a kernel", calibration.event_floor_kernel_s, Unit::seconds);
  add.measure("event pair around a copy", calibration.event_floor_copy_s, Unit::seconds);
  add.measure("resolution of events", calibration.event_resolution_s, Unit::seconds);
  add.text("L2 is made cold by", calibration.flush);
  add.size("bytes for that", calibration.flush_bytes);
  add.measure("short kernels, one to the next", calibration.launch_spacing_s, Unit::seconds);
  add.measure("on the slowest stream tried", calibration.slowest_launch_spacing_s, Unit::seconds);
  return facts;
}

struct Extremes {
  std::optional<double> low, high;

  void add(const std::optional<double>& value) {
    if (!value) return;
    low = low ? std::min(*low, *value) : *value;
    high = high ? std::max(*high, *value) : *value;
  }
  std::string text(Unit unit) const {
    if (!low) return "";
    return *low == *high ? units::format(*low, unit) : units::format(*low, unit) + " to " + units::format(*high, unit);
  }
};

Facts telemetry_facts(const record::ResultSet& results) {
  Facts facts{"While measuring", {}};
  Extremes clock, memory_clock, power, temperature;
  std::map<std::string, int> reasons;
  int rows = 0, disturbed = 0, unsettled = 0, shared = 0;
  for (const record::Row& row : results.rows) {
    disturbed += row.disturbed ? 1 : 0;
    if (!row.telemetry) continue;
    ++rows;
    clock.add(row.telemetry->sm_clock_hz);
    memory_clock.add(row.telemetry->memory_clock_hz);
    power.add(row.telemetry->power_w);
    temperature.add(row.telemetry->temperature_c);
    unsettled += row.telemetry->settled ? 0 : 1;
    shared += row.telemetry->foreign_processes.value_or(0) > 0 ? 1 : 0;
    for (const std::string& reason : row.telemetry->throttle_reasons) {
      if (reason != figures::kPowerLimitReason) ++reasons[reason];
    }
  }
  if (rows == 0) return facts;
  Adder add(facts);
  add.text("SM clock", clock.text(Unit::hertz));
  add.text("memory clock", memory_clock.text(Unit::hertz));
  add.text("highest power", power.text(Unit::watts));
  add.text("highest temperature", temperature.text(Unit::celsius));
  const auto of_rows = [&](int count) { return fmt::format("{} of {} results", count, results.rows.size()); };
  add.text("disturbed", of_rows(disturbed));
  add.text("clock not settled", of_rows(unsettled));
  add.text("other processes on the GPU", of_rows(shared));
  add.text("at the power limit", figures::power_limited_text(figures::power_limited(results)));
  for (const auto& [reason, count] : reasons) facts.facts.emplace_back("throttled: " + reason, of_rows(count));
  return facts;
}

const std::string* value_of(const Facts& facts, const std::string& key) {
  for (const auto& [name, value] : facts.facts) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Facts* part_of(const std::vector<Facts>& all, const std::string& title) {
  for (const Facts& facts : all) {
    if (facts.title == title) return &facts;
  }
  return nullptr;
}

// Elements of all lists, in the order of the first that has them.
template <typename List, typename Key>
std::vector<std::string> merged(const std::vector<List>& lists, const Key& key) {
  std::vector<std::string> keys;
  for (const List& list : lists) {
    for (const auto& element : list) {
      if (std::find(keys.begin(), keys.end(), key(element)) == keys.end()) keys.push_back(key(element));
    }
  }
  return keys;
}

std::string part_table(const std::string& title, const std::vector<std::vector<Facts>>& devices) {
  std::vector<std::vector<std::pair<std::string, std::string>>> lists;
  for (const std::vector<Facts>& facts : devices) {
    const Facts* part = part_of(facts, title);
    lists.push_back(part == nullptr ? decltype(part->facts){} : part->facts);
  }
  std::string out;
  for (const std::string& key : merged(lists, [](const auto& fact) { return fact.first; })) {
    std::string cells;
    bool differs = false;
    const std::string* first = nullptr;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const Facts* part = part_of(devices[i], title);
      const std::string* value = part == nullptr ? nullptr : value_of(*part, key);
      if (i == 0) first = value;
      differs |= (value == nullptr) != (first == nullptr) || (value != nullptr && *value != *first);
      cells += fmt::format("<td class=\"d{}\">{}</td>", i, value == nullptr ? "not known" : safe(*value, 300));
    }
    out += fmt::format("<tr><th scope=\"row\">{}{}</th>{}</tr>\n", safe(key),
                       differs ? " <span class=\"badge warn\">differs</span>" : "", cells);
  }
  return out;
}

}  // namespace

std::vector<Facts> facts_of(const record::ResultSet& results) {
  const record::Context& context = results.context;
  std::vector<Facts> all{run_facts(context.run)};
  if (context.device) all.push_back(device_facts(*context.device));
  all.push_back(host_facts(context.host));
  all.push_back(build_facts(context));
  if (context.calibration) all.push_back(calibration_facts(*context.calibration));
  all.push_back(telemetry_facts(results));
  return all;
}

std::string environment_section(const std::vector<Device>& devices) {
  std::vector<std::vector<Facts>> facts;
  for (const Device& device : devices) facts.push_back(facts_of(*device.results));
  std::string head = "<thead><tr><th scope=\"col\"></th>";
  for (std::size_t i = 0; i < devices.size(); ++i) {
    head += fmt::format("<th scope=\"col\" class=\"d{}\">{}<small>{}</small></th>", i, safe(devices[i].label),
                        safe(devices[i].file));
  }
  head += "</tr></thead>\n";
  std::string out;
  for (const std::string& title : merged(facts, [](const Facts& part) { return part.title; })) {
    const std::string rows = part_table(title, facts);
    if (rows.empty()) continue;
    out += fmt::format(
        "<h3>{}</h3>\n<div class=\"scroll\"><table class=\"data facts\">{}<tbody>{}</tbody></table></div>\n", title,
        head, rows);
  }
  return out;
}

}  // namespace cupel::report::html
