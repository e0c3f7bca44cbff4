#include "cupel/record/decode.hpp"

#include <initializer_list>
#include <numeric>

#include "cupel/record/text.hpp"

namespace cupel::record::detail {

// The overloads of decode() are static rather than in an unnamed namespace: the templates of fields.hpp find them by
// argument-dependent lookup, which does not look into one.

template <typename E>
static void read_enum(Fields& fields, std::string_view key, std::initializer_list<E> values, E& target, bool required) {
  const Value* value = required ? fields.require(key) : fields.take(key);
  if (value == nullptr) {
    return;
  }
  const Path path(fields.path(), key);
  std::string text;
  if (value->as<std::string>() != nullptr) {
    text = *value->as<std::string>();
  }
  std::string known;
  for (const E candidate : values) {
    if (text == to_string(candidate)) {
      target = candidate;
      return;
    }
    known += known.empty() ? "" : ", ";
    known += to_string(candidate);
  }
  fields.reading().problems.add(path, "must be one of " + known);
}

static void read_required_text(Fields& fields, std::string_view key, std::string& target) {
  fields.read_required(key, target);
  if (const Value* value = fields.take(key); value != nullptr && value->as<std::string>() != nullptr) {
    if (value->as<std::string>()->empty()) {
      fields.reading().problems.add(Path(fields.path(), key), "must not be empty");
    }
  }
}

static void check_rounds(const Series& series, const Path& path, Reading& reading) {
  if (series.round_sizes.empty()) {
    return;
  }
  std::uint64_t total = 0;
  for (const std::int64_t size : series.round_sizes) {
    total += std::min<std::uint64_t>(static_cast<std::uint64_t>(size), series.samples_s.size() + 1);
  }
  if (total != series.samples_s.size()) {
    reading.problems.add(Path(path, "round_sizes"), "must add up to the number of samples_s");
  }
}

static void check_samples(const Series& series, const Path& path, Reading& reading) {
  for (std::size_t i = 0; i < series.samples_s.size(); ++i) {
    if (series.samples_s[i] < 0) {
      reading.problems.add(Path(Path(path, "samples_s"), i), "must not be negative");
    }
  }
}

static void decode(const Value& value, const Path& path, Reading& reading, Series& series) {
  Fields fields(value, path, reading);
  read_enum(fields, "mode", {Mode::cold, Mode::hot, Mode::host, Mode::sustained}, series.mode, true);
  read_enum(fields, "stop", {Stop::precision, Stop::tick, Stop::count, Stop::wall, Stop::fixed}, series.stop, false);
  if (fields.take("engine") != nullptr) {
    read_enum(fields, "engine", {Engine::kernel, Engine::copy}, series.engine.emplace(), false);
  }
  fields.read("calls_per_sample", series.calls_per_sample);
  if (series.calls_per_sample < 1) {
    reading.problems.add(Path(path, "calls_per_sample"), "must be at least 1");
  }
  fields.read("correction_s", series.correction_s);
  fields.read_amount("resolution_s", series.resolution_s);
  fields.read_amount("floor_s", series.floor_s);
  fields.read("round_sizes", series.round_sizes);
  fields.read_required("samples_s", series.samples_s);
  check_samples(series, path, reading);
  check_rounds(series, path, reading);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Workload& work) {
  Fields fields(value, path, reading);
  fields.read("bytes_read", work.bytes_read);
  fields.read("bytes_written", work.bytes_written);
  fields.read("bytes_moved", work.bytes_moved);
  fields.read("flops", work.flops);
  fields.read("items", work.items);
  fields.finish();
  constexpr std::int64_t kLargest = INT64_MAX / 4;  // so that their sum is a number too
  if (work.bytes_read > kLargest || work.bytes_written > kLargest || work.bytes_moved > kLargest) {
    reading.problems.add(path, "holds a number of bytes that is too large");
  }
}

static void decode(const Value& value, const Path& path, Reading& reading, Limit& limit) {
  Fields fields(value, path, reading);
  read_required_text(fields, "name", limit.name);
  fields.read("quantity", limit.quantity);
  fields.read_amount("per_second", limit.per_second);
  fields.read("source", limit.source);
  fields.read_amount("clock_hz", limit.clock_hz);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Counter& counter) {
  Fields fields(value, path, reading);
  fields.read_required("value", counter.value);
  fields.read("unit", counter.unit);
  read_enum(fields, "better", {Better::lower, Better::higher, Better::none}, counter.better, false);
  fields.read("exact", counter.exact);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Telemetry& telemetry) {
  Fields fields(value, path, reading);
  fields.read_amount("sm_clock_hz", telemetry.sm_clock_hz);
  fields.read("sm_clock_under_load", telemetry.sm_clock_under_load);
  fields.read_amount("sm_clock_min_hz", telemetry.sm_clock_min_hz);
  fields.read_amount("memory_clock_hz", telemetry.memory_clock_hz);
  fields.read_amount("power_w", telemetry.power_w);
  fields.read_amount("energy_j", telemetry.energy_j);
  fields.read("temperature_c", telemetry.temperature_c);
  fields.read("throttle_reasons", telemetry.throttle_reasons);
  fields.read("throttle_s", telemetry.throttle_s);
  fields.read("foreign_processes", telemetry.foreign_processes);
  fields.read("settled", telemetry.settled);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Build& build) {
  Fields fields(value, path, reading);
  fields.read("version", build.version);
  fields.read("git_revision", build.git_revision);
  fields.read("git_dirty", build.git_dirty);
  fields.read("type", build.type);
  fields.read("cxx_compiler", build.cxx_compiler);
  fields.read("cuda_compiler", build.cuda_compiler);
  fields.read("cuda_architectures", build.cuda_architectures);
  fields.read("benchmark_version", build.benchmark_version);
  fields.read("benchmark_debug", build.benchmark_debug);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, RunInfo& run) {
  Fields fields(value, path, reading);
  fields.read("started", run.started);
  fields.read("finished", run.finished);
  fields.read("profile", run.profile);
  fields.read("seed", run.seed);
  fields.read("processes", run.processes);
  fields.read("rounds", run.rounds);
  fields.read("timer", run.timer);
  fields.read("interrupted", run.interrupted);
  fields.read("families", run.families);
  fields.read("filters", run.filters);
  fields.read("notes", run.notes);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, HostInfo& host) {
  Fields fields(value, path, reading);
  fields.read("cpu", host.cpu);
  fields.read("logical_cpus", host.logical_cpus);
  fields.read("numa_nodes", host.numa_nodes);
  fields.read("memory_bytes", host.memory_bytes);
  fields.read("os", host.os);
  fields.read("kernel", host.kernel);
  fields.read("governor", host.governor);
  fields.read("container", host.container);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, DeviceInfo& device) {
  Fields fields(value, path, reading);
  fields.read("name", device.name);
  fields.read("uuid", device.uuid);
  fields.read("pci_id", device.pci_id);
  fields.read("compute_major", device.compute_major);
  fields.read("compute_minor", device.compute_minor);
  fields.read("sm_count", device.sm_count);
  fields.read_amount("sm_clock_max_hz", device.sm_clock_max_hz);
  fields.read_amount("memory_clock_max_hz", device.memory_clock_max_hz);
  fields.read("memory_bytes", device.memory_bytes);
  fields.read("memory_bus_bits", device.memory_bus_bits);
  fields.read_amount("memory_peak_bytes_per_s", device.memory_peak_bytes_per_s);
  fields.read("l2_bytes", device.l2_bytes);
  fields.read("shared_bytes_per_sm", device.shared_bytes_per_sm);
  fields.read("copy_engines", device.copy_engines);
  fields.read("pcie_generation", device.pcie_generation);
  fields.read("pcie_generation_max", device.pcie_generation_max);
  fields.read("pcie_width", device.pcie_width);
  fields.read("pcie_width_max", device.pcie_width_max);
  fields.read("ecc", device.ecc);
  fields.read("mig", device.mig);
  fields.read("persistence", device.persistence);
  fields.read_amount("power_limit_w", device.power_limit_w);
  fields.read("driver_version", device.driver_version);
  fields.read("driver_cuda", device.driver_cuda);
  fields.read("numa_node", device.numa_node);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, EventPair& pair) {
  Fields fields(value, path, reading);
  fields.read("process", pair.process);
  fields.read("round", pair.round);
  fields.read_amount("kernel_s", pair.kernel_s);
  fields.read_amount("copy_s", pair.copy_s);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Calibration& calibration) {
  Fields fields(value, path, reading);
  fields.read_amount("event_floor_kernel_s", calibration.event_floor_kernel_s);
  fields.read_amount("event_floor_copy_s", calibration.event_floor_copy_s);
  fields.read_amount("shortest_kernel_s", calibration.shortest_kernel_s);
  fields.read_amount("shortest_copy_s", calibration.shortest_copy_s);
  fields.read("shortest_source", calibration.shortest_source);
  fields.read("event_pairs", calibration.event_pairs);
  fields.read_amount("event_resolution_s", calibration.event_resolution_s);
  fields.read("flush", calibration.flush);
  fields.read("flush_bytes", calibration.flush_bytes);
  fields.read_amount("launch_spacing_s", calibration.launch_spacing_s);
  fields.read_amount("slowest_launch_spacing_s", calibration.slowest_launch_spacing_s);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, Library& library) {
  Fields fields(value, path, reading);
  read_required_text(fields, "name", library.name);
  fields.read("compiled", library.compiled);
  fields.read("loaded", library.loaded);
  fields.finish();
}

static void decode(const Value& value, const Path& path, Reading& reading, std::pair<std::string, std::string>& param) {
  Fields fields(value, path, reading);
  read_required_text(fields, "name", param.first);
  fields.read_required("value", param.second);
  fields.finish();
}

struct Schema {
  int major = 0;
  int minor = 0;
};

static void decode(const Value& value, const Path& path, Reading& reading, Schema& schema) {
  Fields fields(value, path, reading);
  fields.read_required("major", schema.major);
  fields.read_required("minor", schema.minor);
  fields.finish();
}

static void check_measured(const Row& row, const Path& path, Reading& reading) {
  if (row.status != Status::ok && !row.series.empty()) {
    reading.problems.add(Path(path, "series"), std::string("must be empty when status is ") + to_string(row.status));
  }
}

static void decode_ours(const Value& value, const Path& path, Reading& reading, Row& row) {
  Fields fields(value, path, reading);
  fields.read("family", row.family);
  if (const Value* params = fields.take("params")) {
    decode_params(*params, Path(path, "params"), reading, row.params);
  }
  read_enum(fields, "status", {Status::ok, Status::skipped, Status::failed}, row.status, true);
  fields.read("reason", row.reason);
  fields.read("process", row.process);
  fields.read("advice", row.advice);
  fields.read("workload", row.workload);
  fields.read("limit", row.limit);
  fields.read("counters", row.counters);
  fields.read("telemetry", row.telemetry);
  fields.read_amount("wall_s", row.wall_s);
  fields.read_amount("timed_s", row.timed_s);
  fields.read("below_floor", row.below_floor);
  fields.read("disturbed", row.disturbed);
  fields.read("cut_short", row.cut_short);
  fields.read("note", row.note);
  fields.read("series", row.series);
  check_measured(row, path, reading);
  fields.finish();
}

// Fields of Google Benchmark that say again what ours say, or nothing.
constexpr const char* kGoogleRowFields[] = {"family_index",     "per_family_instance_index",
                                            "run_name",         "run_type",
                                            "repetitions",      "repetition_index",
                                            "threads",          "iterations",
                                            "real_time",        "cpu_time",
                                            "time_unit",        "bytes_per_second",
                                            "items_per_second", "flops_per_second"};
constexpr const char* kGoogleContextFields[] = {"date",
                                                "executable",
                                                "num_cpus",
                                                "cpu_scaling_enabled",
                                                "library_version",
                                                "library_build_type",
                                                "json_schema_version"};

static void check_google_times(Fields& fields) {
  for (const char* key : {"real_time", "cpu_time"}) {
    double time = 0;
    fields.read_amount(key, time);
  }
  std::string unit;
  fields.read("time_unit", unit);
}

static void decode_our_context(const Value& value, const Path& path, Reading& reading, Context& context,
                               std::vector<PositionedRow>* rows) {
  Fields fields(value, path, reading);
  Schema schema;
  fields.read_required("schema", schema);
  context.schema_major = kSchemaMajor;
  context.schema_minor = schema.minor;
  fields.read("build", context.build);
  fields.read("run", context.run);
  fields.read("host", context.host);
  fields.read("device", context.device);
  fields.read("calibration", context.calibration);
  fields.read("libraries", context.libraries);
  const Value* not_measured = fields.take("not_measured");
  fields.finish();
  if (not_measured == nullptr || rows == nullptr) {
    return;
  }
  const Path list(path, "not_measured");
  const Array* array = not_measured->as<Array>();
  if (array == nullptr) {
    const Numbers* numbers = not_measured->as<Numbers>();
    if (numbers == nullptr || !numbers->empty()) {
      reading.problems.add(list, "must be a list of objects");
    }
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    PositionedRow& next = rows->emplace_back();
    next.row = decode_row((*array)[i], Path(list, i), reading.problems, &next.position);
  }
}

static Reading reading_from(const Path& root, Problems& problems) { return {problems, {}, root.text().size()}; }

void decode(const Value& value, const Path& path, Reading& reading, AdviceTag& tag) {
  Fields fields(value, path, reading);
  read_required_text(fields, "id", tag.id);
  read_enum(fields, "role", {Role::before, Role::after, Role::variant}, tag.role, true);
  fields.read("scenario", tag.scenario);
  fields.read("variant", tag.variant);
  fields.finish();
}

void decode_params(const Value& value, const Path& path, Reading& reading,
                   std::vector<std::pair<std::string, std::string>>& params) {
  decode(value, path, reading, params);
}

std::string unknown_text(Reading& reading) {
  return reading.unknown.empty() ? std::string() : dump_line(Value{std::move(reading.unknown)});
}

Row decode_row(const Value& value, const Path& path, Problems& problems, std::int64_t* position) {
  Row row;
  Reading reading = reading_from(path, problems);
  Fields fields(value, path, reading);
  read_required_text(fields, "name", row.name);
  if (const Value* ours = fields.require("cupel")) {
    decode_ours(*ours, Path(path, "cupel"), reading, row);
  }
  check_google_times(fields);
  for (const char* key : kGoogleRowFields) {
    fields.ignore(key);
  }
  for (const auto& [name, counter] : row.counters) {
    fields.ignore(name);
  }
  if (position != nullptr) {
    fields.read("position", *position);
  }
  fields.finish();
  row.unknown = unknown_text(reading);
  return row;
}

Context decode_context(const Value& value, const Path& path, Problems& problems, std::vector<PositionedRow>* rows) {
  Context context;
  Reading reading = reading_from(Path(""), problems);
  Fields fields(value, path, reading);
  if (const Value* ours = fields.require("cupel")) {
    decode_our_context(*ours, Path(path, "cupel"), reading, context, rows);
  }
  for (const char* key : kGoogleContextFields) {
    fields.ignore(key);
  }
  fields.finish();
  context.unknown = unknown_text(reading);
  return context;
}

int schema_major(const Object& root) {
  const Path top("");
  const Path context_path(top, "context");
  const Path cupel_path(context_path, "cupel");
  const Path schema_path(cupel_path, "schema");
  Problems problems(false);
  const Value* context = find(root, "context");
  const Object* fields = context == nullptr ? nullptr : context->as<Object>();
  if (fields == nullptr) {
    problems.add(context_path, "is missing: not a result file");
  }
  const Value* cupel = find(*fields, "cupel");
  const Object* ours = cupel == nullptr ? nullptr : cupel->as<Object>();
  if (ours == nullptr) {
    problems.add(cupel_path, "is missing: not written by cupel");
  }
  const Value* schema = find(*ours, "schema");
  if (schema == nullptr) {
    problems.add(schema_path, "is missing");
  }
  Reading reading{problems, {}, 0};
  Schema version;
  decode(*schema, schema_path, reading, version);
  return version.major;
}

}  // namespace cupel::record::detail
