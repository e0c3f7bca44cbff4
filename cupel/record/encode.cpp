#include "cupel/record/encode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "cupel/record/parse.hpp"
#include "cupel/record/text.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::record::detail {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

Value text(const std::string& content) { return Value{printable(content)}; }

Value whole(std::int64_t number) { return Value{number}; }

// An amount of which 0 means "not known" or "none".
void put_known(Object& object, const char* key, std::int64_t number) {
  if (number != 0) {
    put(object, key, whole(number));
  }
}

void put_number(Object& object, const char* key, double number) {
  if (std::isfinite(number)) {
    put(object, key, Value{number});
  }
}

void put_known(Object& object, const char* key, double number) {
  if (number != 0) {
    put_number(object, key, number);
  }
}

void put_optional(Object& object, const char* key, const std::optional<double>& number) {
  if (number) {
    put_number(object, key, *number);
  }
}

void put_optional(Object& object, const char* key, const std::optional<int>& number) {
  if (number) {
    put(object, key, whole(*number));
  }
}

void put_optional(Object& object, const char* key, const std::optional<bool>& flag) {
  if (flag) {
    put(object, key, Value{*flag});
  }
}

void put(Object& object, const char* key, const std::vector<std::string>& texts) {
  Array array;
  for (const std::string& content : texts) {
    array.push_back(text(content));
  }
  if (!array.empty()) {
    put(object, key, Value{std::move(array)});
  }
}

// Names that differ in control characters alone would become one key: the first keeps it.
void put_named(Object& object, const std::string& name, Value value) {
  std::string key = printable(name);
  if (find(object, key) == nullptr) {
    object.push_back({std::move(key), std::move(value)});
  }
}

void put_object(Object& object, const char* key, Object&& content) {
  if (!content.empty()) {
    put(object, key, Value{std::move(content)});
  }
}

// To the digits that a time can have: for the fields that are computed from samples.
double rounded(double value) {
  std::array<char, 32> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 9);
  double result = value;
  std::from_chars(digits.data(), written.ptr, result);
  return result;
}

// Puts the fields of a newer version back where the reader found them. A field whose surroundings are gone goes with
// them.
void merge_unknown(Value& root, const std::string& unknown) {
  if (unknown.empty()) {
    return;
  }
  Parsed fields = parse(unknown);
  Object* members = fields.value.as<Object>();
  if (members == nullptr || !fields.error.empty()) {
    return;
  }
  for (Member& member : *members) {
    const std::size_t slash = member.key.rfind('/');
    if (slash == std::string::npos) {
      continue;
    }
    Value* parent = at_pointer(root, std::string_view(member.key).substr(0, slash));
    Object* object = parent == nullptr ? nullptr : parent->as<Object>();
    const std::string key = pointer_key(std::string_view(member.key).substr(slash + 1));
    if (object != nullptr && find(*object, key) == nullptr) {
      object->push_back({key, std::move(member.value)});
    }
  }
}

Value encode_series(const Series& series) {
  Object object;
  put(object, "mode", text(to_string(series.mode)));
  put(object, "stop", text(to_string(series.stop)));
  if (series.engine) {
    put(object, "engine", text(to_string(*series.engine)));
  }
  put(object, "calls_per_sample", whole(series.calls_per_sample));
  put_number(object, "correction_s", series.correction_s);
  put_known(object, "resolution_s", series.resolution_s);
  put_known(object, "floor_s", series.floor_s);

  // A sample that is not finite cannot be written; its round is one shorter then.
  std::vector<std::int64_t> round_sizes = series.round_sizes;
  Numbers samples;
  samples.reserve(series.samples_s.size());
  std::size_t round = 0;
  std::int64_t left = round_sizes.empty() ? 0 : round_sizes[0];
  for (const double sample : series.samples_s) {
    while (left == 0 && round + 1 < round_sizes.size()) {
      left = round_sizes[++round];
    }
    --left;
    if (std::isfinite(sample)) {
      samples.push_back(sample);
    } else if (!round_sizes.empty()) {
      --round_sizes[round];
    }
  }
  if (!round_sizes.empty()) {
    put(object, "round_sizes", Value{Numbers(round_sizes.begin(), round_sizes.end())});
  }
  put(object, "samples_s", Value{std::move(samples)});
  return Value{std::move(object)};
}

Object encode_workload(const Workload& work) {
  Object object;
  put_known(object, "bytes_read", work.bytes_read);
  put_known(object, "bytes_written", work.bytes_written);
  put_known(object, "bytes_moved", work.bytes_moved);
  put_known(object, "flops", work.flops);
  put_known(object, "items", work.items);
  return object;
}

Object encode_limit(const Limit& limit) {
  Object object;
  put(object, "name", limit.name);
  put(object, "quantity", limit.quantity);
  put_number(object, "per_second", limit.per_second);
  put(object, "source", limit.source);
  put_optional(object, "clock_hz", limit.clock_hz);
  return object;
}

Object encode_counters(const std::map<std::string, Counter>& counters) {
  Object object;
  for (const auto& [name, counter] : counters) {
    if (!std::isfinite(counter.value)) {
      continue;
    }
    Object content;
    put_number(content, "value", counter.value);
    put(content, "unit", counter.unit);
    put(content, "better", text(to_string(counter.better)));
    put(content, "exact", Value{counter.exact});
    put_named(object, name, Value{std::move(content)});
  }
  return object;
}

Object encode_telemetry(const Telemetry& telemetry) {
  Object object;
  put_optional(object, "sm_clock_hz", telemetry.sm_clock_hz);
  put_optional(object, "sm_clock_under_load", telemetry.sm_clock_under_load);
  put_optional(object, "sm_clock_min_hz", telemetry.sm_clock_min_hz);
  put_optional(object, "memory_clock_hz", telemetry.memory_clock_hz);
  put_optional(object, "power_w", telemetry.power_w);
  put_optional(object, "energy_j", telemetry.energy_j);
  put_optional(object, "temperature_c", telemetry.temperature_c);
  put(object, "throttle_reasons", telemetry.throttle_reasons);
  Object seconds;
  for (const auto& [reason, time_s] : telemetry.throttle_s) {
    if (std::isfinite(time_s)) {
      put_named(seconds, reason, Value{time_s});
    }
  }
  put_object(object, "throttle_s", std::move(seconds));
  put_optional(object, "foreign_processes", telemetry.foreign_processes);
  put(object, "settled", Value{telemetry.settled});
  return object;
}

// Everything of a row that Google Benchmark has no word for.
Object encode_ours(const Row& row) {
  Object object;
  put(object, "family", row.family);
  put(object, "params", encode_params(row.params));
  put(object, "status", text(to_string(row.status)));
  put(object, "reason", row.reason);
  put(object, "process", whole(row.process));
  put(object, "advice", encode_advice(row.advice));
  put(object, "workload", Value{encode_workload(row.workload)});
  if (row.limit) {
    put(object, "limit", Value{encode_limit(*row.limit)});
  }
  put_object(object, "counters", encode_counters(row.counters));
  if (row.telemetry) {
    put(object, "telemetry", Value{encode_telemetry(*row.telemetry)});
  }
  put_known(object, "wall_s", row.wall_s);
  put_known(object, "timed_s", row.timed_s);
  put(object, "below_floor", Value{row.below_floor});
  put(object, "disturbed", Value{row.disturbed});
  if (row.cut_short) put(object, "cut_short", Value{true});
  put(object, "note", row.note);
  Array series;
  if (row.status == Status::ok) {
    for (const Series& one : row.series) {
      series.push_back(encode_series(one));
    }
  }
  put(object, "series", Value{std::move(series)});
  return object;
}

std::vector<double> finite(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values;
}

void put_rate(Object& object, const char* key, std::int64_t amount, double time_s) {
  if (amount > 0 && time_s > 0) {
    put_number(object, key, rounded(static_cast<double>(amount) / time_s));
  }
}

// What Google Benchmark's readers look for. cpu_time is not measured; compare.py wants it all the same, so it says
// again what real_time says.
void put_google_times(Object& object, const Row& row) {
  const double time_s = stats::interquartile_mean(finite(row.figure()->corrected_s()));
  const double time_us = rounded(time_s * kMicrosecondsPerSecond);
  put(object, "iterations", whole(1));
  put_number(object, "real_time", time_us);
  put_number(object, "cpu_time", time_us);
  put(object, "time_unit", text("us"));
  put_rate(object, "bytes_per_second", row.workload.bytes(), time_s);
  put_rate(object, "items_per_second", row.workload.items, time_s);
  put_rate(object, "flops_per_second", row.workload.flops, time_s);
}

// User counters stand beside Google Benchmark's own fields, unless they have the name of one.
void put_google_counters(Object& object, const Row& row) {
  for (const auto& [name, counter] : row.counters) {
    const std::string key = printable(name);
    if (std::isfinite(counter.value) && key != "cupel" && key != "label" && find(object, key) == nullptr) {
      object.push_back({key, Value{counter.value}});
    }
  }
}

Object encode_build(const Build& build) {
  Object object;
  put(object, "version", build.version);
  put(object, "git_revision", build.git_revision);
  put(object, "git_dirty", Value{build.git_dirty});
  put(object, "type", build.type);
  put(object, "cxx_compiler", build.cxx_compiler);
  put(object, "cuda_compiler", build.cuda_compiler);
  put(object, "cuda_architectures", build.cuda_architectures);
  put(object, "benchmark_version", build.benchmark_version);
  put(object, "benchmark_debug", Value{build.benchmark_debug});
  return object;
}

Object encode_run(const RunInfo& run) {
  Object object;
  put(object, "started", run.started);
  put(object, "finished", run.finished);
  put(object, "profile", run.profile);
  put(object, "seed", Value{run.seed});
  put(object, "processes", whole(run.processes));
  put(object, "rounds", whole(run.rounds));
  put(object, "timer", run.timer);
  put(object, "interrupted", Value{run.interrupted});
  put(object, "families", run.families);
  put(object, "filters", run.filters);
  Object notes;
  for (const auto& [about, note] : run.notes) {
    put_named(notes, about, text(note));
  }
  put_object(object, "notes", std::move(notes));
  return object;
}

Object encode_host(const HostInfo& host) {
  Object object;
  put(object, "cpu", host.cpu);
  put_known(object, "logical_cpus", std::int64_t{host.logical_cpus});
  put_known(object, "numa_nodes", std::int64_t{host.numa_nodes});
  put_known(object, "memory_bytes", host.memory_bytes);
  put(object, "os", host.os);
  put(object, "kernel", host.kernel);
  put(object, "governor", host.governor);
  put(object, "container", Value{host.container});
  return object;
}

Object encode_device(const DeviceInfo& device) {
  Object object;
  put(object, "name", device.name);
  put(object, "uuid", device.uuid);
  put(object, "pci_id", device.pci_id);
  put(object, "compute_major", whole(device.compute_major));
  put(object, "compute_minor", whole(device.compute_minor));
  put_known(object, "sm_count", std::int64_t{device.sm_count});
  put_known(object, "sm_clock_max_hz", device.sm_clock_max_hz);
  put_known(object, "memory_clock_max_hz", device.memory_clock_max_hz);
  put_known(object, "memory_bytes", device.memory_bytes);
  put_known(object, "memory_bus_bits", std::int64_t{device.memory_bus_bits});
  put_known(object, "memory_peak_bytes_per_s", device.memory_peak_bytes_per_s);
  put_known(object, "l2_bytes", device.l2_bytes);
  put_known(object, "shared_bytes_per_sm", device.shared_bytes_per_sm);
  put_known(object, "copy_engines", std::int64_t{device.copy_engines});
  put_optional(object, "pcie_generation", device.pcie_generation);
  put_optional(object, "pcie_generation_max", device.pcie_generation_max);
  put_optional(object, "pcie_width", device.pcie_width);
  put_optional(object, "pcie_width_max", device.pcie_width_max);
  put_optional(object, "ecc", device.ecc);
  put_optional(object, "mig", device.mig);
  put_optional(object, "persistence", device.persistence);
  put_optional(object, "power_limit_w", device.power_limit_w);
  put(object, "driver_version", device.driver_version);
  put_known(object, "driver_cuda", std::int64_t{device.driver_cuda});
  put_optional(object, "numa_node", device.numa_node);
  return object;
}

Value encode_event_pairs(const std::vector<EventPair>& pairs) {
  Array array;
  for (const EventPair& pair : pairs) {
    Object object;
    put(object, "process", whole(pair.process));
    put(object, "round", whole(pair.round));
    put_number(object, "kernel_s", pair.kernel_s);
    put_number(object, "copy_s", pair.copy_s);
    array.push_back(Value{std::move(object)});
  }
  return Value{std::move(array)};
}

Object encode_calibration(const Calibration& calibration) {
  Object object;
  put_number(object, "event_floor_kernel_s", calibration.event_floor_kernel_s);
  put_number(object, "event_floor_copy_s", calibration.event_floor_copy_s);
  put_optional(object, "shortest_kernel_s", calibration.shortest_kernel_s);
  put_optional(object, "shortest_copy_s", calibration.shortest_copy_s);
  put(object, "shortest_source", calibration.shortest_source);
  if (!calibration.event_pairs.empty()) {
    put(object, "event_pairs", encode_event_pairs(calibration.event_pairs));
  }
  put_number(object, "event_resolution_s", calibration.event_resolution_s);
  put(object, "flush", calibration.flush);
  put_known(object, "flush_bytes", calibration.flush_bytes);
  put_optional(object, "launch_spacing_s", calibration.launch_spacing_s);
  put_optional(object, "slowest_launch_spacing_s", calibration.slowest_launch_spacing_s);
  return object;
}

Value encode_libraries(const std::vector<Library>& libraries) {
  Array array;
  for (const Library& library : libraries) {
    Object object;
    put(object, "name", text(library.name));
    put(object, "compiled", library.compiled);
    put(object, "loaded", library.loaded);
    array.push_back(Value{std::move(object)});
  }
  return Value{std::move(array)};
}

Object encode_our_context(const Context& context) {
  Object object;
  Object schema;
  put(schema, "major", whole(kSchemaMajor));
  put(schema, "minor", whole(std::max(kSchemaMinor, context.schema_minor)));
  put_object(object, "schema", std::move(schema));
  put_object(object, "build", encode_build(context.build));
  put_object(object, "run", encode_run(context.run));
  put_object(object, "host", encode_host(context.host));
  if (context.device) {
    put(object, "device", Value{encode_device(*context.device)});
  }
  if (context.calibration) {
    put(object, "calibration", Value{encode_calibration(*context.calibration)});
  }
  if (!context.libraries.empty()) {
    put(object, "libraries", encode_libraries(context.libraries));
  }
  return object;
}

// The context, Google's fields first. No host name, no user, no environment: files are published.
Object encode_context(const Context& context) {
  Object object;
  put(object, "date", context.run.started);
  put(object, "executable", text("cupel"));
  put_known(object, "num_cpus", std::int64_t{context.host.logical_cpus});
  if (!context.host.governor.empty()) {
    put(object, "cpu_scaling_enabled", Value{context.host.governor != "performance"});
  }
  put(object, "library_version", context.build.benchmark_version);
  put(object, "library_build_type", text(context.build.benchmark_debug ? "debug" : "release"));
  put(object, "json_schema_version", whole(1));
  put(object, "cupel", Value{encode_our_context(context)});
  return object;
}

// Ordinal of each name, in order of first appearance.
class Families {
 public:
  std::int64_t index(const std::string& name) {
    return ordinals_.emplace(name, static_cast<std::int64_t>(ordinals_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, std::int64_t> ordinals_;
};

std::int64_t processes(const ResultSet& results) {
  std::int64_t count = std::max(1, results.context.run.processes);
  for (const Row& row : results.rows) {
    count = std::max(count, std::int64_t{row.process} + 1);
  }
  return count;
}

}  // namespace

void put(Object& object, const char* key, const std::string& content) {
  if (!content.empty()) {
    put(object, key, text(content));
  }
}

void put(Object& object, const char* key, Value value) { object.push_back({key, std::move(value)}); }

Value encode_params(const std::vector<std::pair<std::string, std::string>>& params) {
  Array array;
  for (const auto& [name, value] : params) {
    Object object;
    put(object, "name", text(name));
    put(object, "value", text(value));
    array.push_back(Value{std::move(object)});
  }
  return Value{std::move(array)};
}

Value encode_advice(const std::vector<AdviceTag>& tags) {
  Array array;
  for (const AdviceTag& tag : tags) {
    Object object;
    put(object, "id", text(tag.id));
    put(object, "role", text(to_string(tag.role)));
    put(object, "scenario", tag.scenario);
    put(object, "variant", tag.variant);
    array.push_back(Value{std::move(object)});
  }
  return Value{std::move(array)};
}

bool is_measured(const Row& row) {
  if (row.status != Status::ok || row.figure() == nullptr) {
    return false;
  }
  const std::vector<double>& samples = row.figure()->samples_s;
  return std::any_of(samples.begin(), samples.end(), [](double sample) { return std::isfinite(sample); });
}

Value encode(const Context& context) {
  // Pointers in `unknown` start at the file's root.
  Object root;
  put(root, "context", Value{encode_context(context)});
  Value file{std::move(root)};
  merge_unknown(file, context.unknown);
  return std::move(*find(*file.as<Object>(), "context"));
}

Value encode(const Row& row, const Placement& placement) {
  Object object;
  put(object, "name", text(row.name));
  if (is_measured(row)) {
    put(object, "family_index", whole(placement.family_index));
    put(object, "per_family_instance_index", whole(0));
    put(object, "run_name", text(row.name));
    put(object, "run_type", text("iteration"));
    put(object, "repetitions", whole(placement.repetitions));
    put(object, "repetition_index", whole(row.process));
    put(object, "threads", whole(1));
    put_google_times(object, row);
    put_google_counters(object, row);
  }
  put(object, "cupel", Value{encode_ours(row)});
  Value value{std::move(object)};
  merge_unknown(value, row.unknown);
  return value;
}

Value encode(const ResultSet& results) {
  Array measured;
  Array not_measured;
  Families families;
  const std::int64_t repetitions = processes(results);
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const Row& row = results.rows[i];
    Value value = encode(row, {families.index(row.name), repetitions});
    if (is_measured(row)) {
      measured.push_back(std::move(value));
    } else {
      put(*value.as<Object>(), "position", whole(static_cast<std::int64_t>(i)));
      not_measured.push_back(std::move(value));
    }
  }

  Object root;
  Object context = encode_context(results.context);
  put(*find(context, "cupel")->as<Object>(), "not_measured", Value{std::move(not_measured)});
  put(root, "context", Value{std::move(context)});
  put(root, "benchmarks", Value{std::move(measured)});
  Value file{std::move(root)};
  merge_unknown(file, results.context.unknown);
  return file;
}

}  // namespace cupel::record::detail
