// The fields of a result file. Each struct of the record names its own once, in the order in which they are written;
// reading, writing, the schema's test and the random results of tests are made from these lists. Internal to
// cupel/record.
#pragma once

#include <string>
#include <utility>

#include "cupel/record/listing.hpp"
#include "cupel/record/record.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::record::detail {

/// Version of the format.
struct Schema {
  int major = kSchemaMajor;
  int minor = kSchemaMinor;
};

/// The fields that Google Benchmark's readers look for in a row. All of them say again what our own fields say.
struct GoogleRow {
  std::int64_t family_index = 0;  ///< ordinal of the row's name among the file's names
  std::int64_t per_family_instance_index = 0;
  std::string run_name;
  std::string run_type = "iteration";
  std::int64_t repetitions = 1;  ///< processes
  std::int64_t repetition_index = 0;
  std::int64_t threads = 1;
  std::int64_t iterations = 1;
  double real_time = 0;
  double cpu_time = 0;
  std::string time_unit = "us";
  std::optional<double> bytes_per_second, items_per_second, flops_per_second;
};

/// Likewise in the context. No host name, no user, no environment: files are published.
struct GoogleContext {
  std::string date;
  std::string executable = "cupel";
  int num_cpus = 0;
  std::optional<bool> cpu_scaling_enabled;
  std::string library_version;
  std::string library_build_type;
  int json_schema_version = 1;
};

void visit(auto& v, Is<Schema> auto& schema) {
  v("major", schema.major, kRequired);
  v("minor", schema.minor, kRequired);
}

void visit(auto& v, Is<GoogleRow> auto& row) {
  v("family_index", row.family_index);
  v("per_family_instance_index", row.per_family_instance_index);
  v("run_name", row.run_name);
  v("run_type", row.run_type);
  v("repetitions", row.repetitions);
  v("repetition_index", row.repetition_index);
  v("threads", row.threads);
  v("iterations", row.iterations);
  v("real_time", row.real_time);
  v("cpu_time", row.cpu_time);
  v("time_unit", row.time_unit);
  v("bytes_per_second", row.bytes_per_second, kAnySign);  // or a counter of that name
  v("items_per_second", row.items_per_second, kAnySign);
  v("flops_per_second", row.flops_per_second, kAnySign);
}

void visit(auto& v, Is<GoogleContext> auto& context) {
  v("date", context.date, kTime);
  v("executable", context.executable);
  v("num_cpus", context.num_cpus, kZeroIsAbsent);
  v("cpu_scaling_enabled", context.cpu_scaling_enabled);
  v("library_version", context.library_version);
  v("library_build_type", context.library_build_type);
  v("json_schema_version", context.json_schema_version);
}

void visit(auto& v, Is<std::pair<std::string, std::string>> auto& param) {
  v("name", param.first, kName);
  v("value", param.second, kRequired);
}

void visit(auto& v, Is<AdviceTag> auto& tag) {
  v("id", tag.id, kName);
  v("role", tag.role, kRequired);
  v("scenario", tag.scenario);
  v("variant", tag.variant);
}

void visit(auto& v, Is<Workload> auto& work) {
  v("bytes_read", work.bytes_read, kZeroIsAbsent);
  v("bytes_written", work.bytes_written, kZeroIsAbsent);
  v("bytes_moved", work.bytes_moved, kZeroIsAbsent);
  v("flops", work.flops, kZeroIsAbsent);
  v("items", work.items, kZeroIsAbsent);
}

void visit(auto& v, Is<Series> auto& series) {
  v("mode", series.mode, kRequired);
  v("stop", series.stop);
  v("engine", series.engine);
  v("calls_per_sample", series.calls_per_sample);
  v("correction_s", series.correction_s, kAnySign);
  v("resolution_s", series.resolution_s, kZeroIsAbsent);
  v("floor_s", series.floor_s, kZeroIsAbsent);
  v("round_sizes", series.round_sizes);
  v("samples_s", series.samples_s, kRequired);
  v("samples_by_rank_s", series.samples_by_rank_s);
}

void visit(auto& v, Is<Limit> auto& limit) {
  v("name", limit.name, kName);
  v("quantity", limit.quantity);
  v("per_second", limit.per_second);
  v("source", limit.source);
  v("clock_hz", limit.clock_hz);
}

void visit(auto& v, Is<Counter> auto& counter) {
  v("value", counter.value, Rule{.required = true, .any_sign = true});
  v("unit", counter.unit);
  v("better", counter.better);
  v("exact", counter.exact);
}

void visit(auto& v, Is<Telemetry> auto& telemetry) {
  v("sm_clock_hz", telemetry.sm_clock_hz);
  v("sm_clock_under_load", telemetry.sm_clock_under_load);
  v("sm_clock_min_hz", telemetry.sm_clock_min_hz);
  v("memory_clock_hz", telemetry.memory_clock_hz);
  v("power_w", telemetry.power_w);
  v("energy_j", telemetry.energy_j);
  v("temperature_c", telemetry.temperature_c, kAnySign);
  v("throttle_reasons", telemetry.throttle_reasons);
  v("throttle_s", telemetry.throttle_s, kAnySign);
  v("foreign_processes", telemetry.foreign_processes);
  v("settled", telemetry.settled);
  v("unsettled", telemetry.unsettled);
}

/// Visits the fields under `cupel`; the name stands beside it.
void visit(auto& v, Is<Row> auto& row) {
  v("family", row.family);
  v("printed_name", row.printed_name);
  v("clock", row.clock);
  v("params", row.params, kAlways);
  v("status", row.status, kRequired);
  v("reason", row.reason);
  v("process", row.process);
  v("advice", row.advice, kAlways);
  v("workload", row.workload);
  v("limit", row.limit);
  v("counters", row.counters);
  v("telemetry", row.telemetry);
  v("wall_s", row.wall_s, kZeroIsAbsent);
  v("timed_s", row.timed_s, kZeroIsAbsent);
  v("below_floor", row.below_floor);
  v("disturbed", row.disturbed);
  v("cut_short", row.cut_short, kZeroIsAbsent);
  v("unusual", row.unusual);
  v("note", row.note);
  v("series", row.series, kAlways);
}

void visit(auto& v, Is<Build> auto& build) {
  v("version", build.version);
  v("git_revision", build.git_revision);
  v("git_dirty", build.git_dirty);
  v("type", build.type);
  v("cxx_compiler", build.cxx_compiler);
  v("cuda_compiler", build.cuda_compiler);
  v("cuda_architectures", build.cuda_architectures);
  v("benchmark_version", build.benchmark_version);
  v("benchmark_debug", build.benchmark_debug);
}

void visit(auto& v, Is<RunInfo> auto& run) {
  v("started", run.started, kTime);
  v("finished", run.finished, kTime);
  v("profile", run.profile);
  v("seed", run.seed);
  v("processes", run.processes);
  v("rounds", run.rounds);
  v("timer", run.timer);
  v("interrupted", run.interrupted);
  v("node", run.node);
  v("job", run.job);
  v("restarts", run.restarts, kZeroIsAbsent);
  v("families", run.families);
  v("filters", run.filters);
  v("executables", run.executables);
  v("unoptimised", run.unoptimised);
  v("notes", run.notes);
}

void visit(auto& v, Is<HostInfo> auto& host) {
  v("cpu", host.cpu);
  v("logical_cpus", host.logical_cpus, kZeroIsAbsent);
  v("usable_cpus", host.usable_cpus, kZeroIsAbsent);
  v("numa_nodes", host.numa_nodes, kZeroIsAbsent);
  v("memory_bytes", host.memory_bytes, kZeroIsAbsent);
  v("os", host.os);
  v("kernel", host.kernel);
  v("governor", host.governor);
  v("container", host.container);
}

void visit(auto& v, Is<DeviceInfo> auto& device) {
  v("name", device.name);
  v("uuid", device.uuid);
  v("pci_id", device.pci_id);
  v("compute_major", device.compute_major);
  v("compute_minor", device.compute_minor);
  v("sm_count", device.sm_count, kZeroIsAbsent);
  v("sm_clock_max_hz", device.sm_clock_max_hz, kZeroIsAbsent);
  v("memory_clock_max_hz", device.memory_clock_max_hz, kZeroIsAbsent);
  v("memory_bytes", device.memory_bytes, kZeroIsAbsent);
  v("memory_bus_bits", device.memory_bus_bits, kZeroIsAbsent);
  v("memory_peak_bytes_per_s", device.memory_peak_bytes_per_s, kZeroIsAbsent);
  v("l2_bytes", device.l2_bytes, kZeroIsAbsent);
  v("shared_bytes_per_sm", device.shared_bytes_per_sm, kZeroIsAbsent);
  v("copy_engines", device.copy_engines, kZeroIsAbsent);
  v("pcie_generation", device.pcie_generation);
  v("pcie_generation_max", device.pcie_generation_max);
  v("pcie_width", device.pcie_width);
  v("pcie_width_max", device.pcie_width_max);
  v("ecc", device.ecc);
  v("mig", device.mig);
  v("persistence", device.persistence);
  v("power_limit_w", device.power_limit_w);
  v("power_limit_default_w", device.power_limit_default_w);
  v("driver_version", device.driver_version);
  v("driver_cuda", device.driver_cuda, kZeroIsAbsent);
  v("numa_node", device.numa_node);
}

void visit(auto& v, Is<EventPair> auto& pair) {
  v("process", pair.process);
  v("round", pair.round);
  v("kernel_s", pair.kernel_s);
  v("copy_s", pair.copy_s);
}

void visit(auto& v, Is<Calibration> auto& calibration) {
  v("event_floor_kernel_s", calibration.event_floor_kernel_s);
  v("event_floor_copy_s", calibration.event_floor_copy_s);
  v("shortest_kernel_s", calibration.shortest_kernel_s);
  v("shortest_copy_s", calibration.shortest_copy_s);
  v("shortest_source", calibration.shortest_source);
  v("event_pairs", calibration.event_pairs);
  v("event_resolution_s", calibration.event_resolution_s);
  v("flush", calibration.flush);
  v("flush_bytes", calibration.flush_bytes, kZeroIsAbsent);
  v("launch_spacing_s", calibration.launch_spacing_s);
  v("slowest_launch_spacing_s", calibration.slowest_launch_spacing_s);
}

void visit(auto& v, Is<Library> auto& library) {
  v("name", library.name, kName);
  v("compiled", library.compiled);
  v("loaded", library.loaded);
  v("file", library.file);
}

/// Visits the fields under `cupel`, after the version of the schema.
void visit(auto& v, Is<Context> auto& context) {
  v("build", context.build);
  v("run", context.run);
  v("host", context.host);
  v("device", context.device);
  v("calibration", context.calibration);
  v("libraries", context.libraries);
}

void visit(auto& v, Is<ListedBenchmark> auto& benchmark) {
  v("name", benchmark.name, kRequired);
  v("params", benchmark.params, kAlways);
  v("advice", benchmark.advice, kAlways);
  v("needs_device", benchmark.needs_device);
  v("device_bytes", benchmark.device_bytes);
  v("host_bytes", benchmark.host_bytes);
  v("seconds", benchmark.seconds);
  v("least_seconds", benchmark.least_seconds);
  v("profile", benchmark.profile);
}

void visit(auto& v, Is<Listing> auto& listing) {
  v("family", listing.family, kRequired);
  v("needs_device", listing.needs_device);
  v("max_wall_s", listing.max_wall_s);
  v("benchmarks", listing.benchmarks, kRequired);
}

}  // namespace cupel::record::detail
