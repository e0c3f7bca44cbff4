#include "cupel/record/entry.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "cupel/record/canonical.hpp"
#include "cupel/record/faults.hpp"
#include "cupel/record/visit.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/units/format.hpp"

namespace cupel::record::detail {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

// To the digits that a time can have: for the fields that are computed from samples.
double rounded(double value) { return units::rounded(value, 9); }

std::vector<double> finite(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values;
}

// A sample that is not finite cannot be written; its round is one shorter then, and nothing is kept of each rank.
void keep_finite(Series& series) {
  const auto all_finite = [](const std::vector<double>& samples_s) {
    return std::ranges::all_of(samples_s, [](double sample_s) { return std::isfinite(sample_s); });
  };
  if (!all_finite(series.samples_s) || !std::ranges::all_of(series.samples_by_rank_s, all_finite)) {
    series.samples_by_rank_s.clear();
  }
  std::size_t sample = 0;
  for (std::int64_t& size : series.round_sizes) {
    std::int64_t lost = 0;
    for (std::int64_t i = 0; i < size && sample < series.samples_s.size(); ++i) {
      lost += std::isfinite(series.samples_s[sample++]) ? 0 : 1;
    }
    size -= lost;
  }
  series.samples_s = finite(std::move(series.samples_s));
}

Row as_written(Row row) {
  if (row.status != Status::ok) row.series.clear();
  for (Series& series : row.series) keep_finite(series);
  std::erase_if(row.counters, [](const auto& counter) { return !std::isfinite(counter.second.value); });
  return row;
}

// Puts the fields of a newer version back where the reader found them. A field whose surroundings are gone goes with
// them.
void merge_unknown(Json& root, const std::string& unknown) {
  const Json fields = parse(unknown).value;
  if (!fields.is_object()) return;
  for (const auto& [key, value] : fields.items()) {
    const Json::json_pointer place(key);
    const auto parent = place.parent_pointer();
    if (root.contains(parent) && root[parent].is_object()) root[parent].emplace(place.back(), Json(value));
  }
}

// cpu_time is not measured; compare.py wants it all the same, so it says again what real_time says.
GoogleRow google_row(const Row& row, const Placement& placement) {
  const double time_s = stats::interquartile_mean(row.main_series()->corrected_s());
  const auto rate = [time_s](std::int64_t amount) {
    return amount > 0 && time_s > 0 ? std::optional(rounded(static_cast<double>(amount) / time_s)) : std::nullopt;
  };
  GoogleRow google;
  google.family_index = placement.family_index;
  google.run_name = row.name;
  google.repetitions = placement.repetitions;
  google.repetition_index = row.process;
  google.real_time = google.cpu_time = rounded(time_s * kMicrosecondsPerSecond);
  google.bytes_per_second = rate(row.workload.bytes());
  google.items_per_second = rate(row.workload.items);
  google.flops_per_second = rate(row.workload.flops);
  return google;
}

GoogleContext google_context(const Context& context) {
  GoogleContext google;
  google.date = context.run.started;
  google.num_cpus = context.host.logical_cpus;
  if (!context.host.governor.empty()) google.cpu_scaling_enabled = governor_fault(context.host).has_value();
  google.library_version = context.build.benchmark_version;
  google.library_build_type = context.build.benchmark_debug ? "debug" : "release";
  return google;
}

// User counters stand beside Google Benchmark's own fields, unless they have the name of one.
void put_counters(Json& entry, const Row& row) {
  for (const auto& [name, counter] : row.counters) {
    const std::string key = printable(name);
    if (key != "cupel" && key != "label") entry.emplace(key, Json(counter.value));
  }
}

std::int64_t processes(const ResultSet& results) {
  std::int64_t count = std::max(1, results.context.run.processes);
  for (const Row& row : results.rows) count = std::max(count, std::int64_t{row.process} + 1);
  return count;
}

Json our_context(const Context& context) {
  FieldWriter fields;
  fields("schema", Schema{kSchemaMajor, std::max(kSchemaMinor, context.schema_minor)});
  visit(fields, context);
  return fields.take();
}

void read_not_measured(const Json& value, const Path& path, Problems& problems, std::vector<PositionedRow>& rows) {
  Reading reading{problems};
  if (!check_list(value, path, reading)) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    PositionedRow& next = rows.emplace_back();
    next.row = read_row(value[i], Path(path, i), problems, &next.position);
  }
}

void read_our_context(const Json& value, const Path& path, Reading& reading, Context& context,
                      std::vector<PositionedRow>* not_measured) {
  FieldReader fields(value, path, reading);
  Schema schema;
  fields("schema", schema, kRequired);
  context.schema_minor = schema.minor;
  visit(fields, context);
  const Json* rows = fields.take("not_measured");
  fields.finish();
  if (rows != nullptr && not_measured != nullptr) {
    read_not_measured(*rows, Path(path, "not_measured"), reading.problems, *not_measured);
  }
}

// A visitor that tells whether a list has a field.
struct HasField {
  std::string_view wanted;
  bool found = false;

  void operator()(std::string_view key, const auto&, Rule = {}) { found = found || key == wanted; }
};

bool is_google_field(std::string_view key) {
  HasField has{key};
  const GoogleRow google;
  visit(has, google);
  return has.found || key == "name";
}

// Reads the numbers beside Google Benchmark's own fields, which the row says again under `cupel`, in the order of their
// names.
std::vector<std::string_view> read_counter_names(CanonicalFields& fields) {
  std::vector<std::string_view> names;
  while (fields.has_more() && fields.key() != "cupel") {
    double said_again = 0;
    fields(names.emplace_back(fields.key()), said_again, kAnySign);
  }
  return names;
}

bool are_counters_of(const Row& row, const std::vector<std::string_view>& names) {
  const auto is_one = [&row](std::string_view name) {
    return row.counters.contains(std::string(name)) && !is_google_field(name);
  };
  return std::ranges::all_of(names, is_one) && std::ranges::adjacent_find(names, std::greater_equal()) == names.end();
}

}  // namespace

Taken read_canonical_row(std::string_view given, Row& row) {
  CanonicalText text(given);
  CanonicalFields fields(text);
  fields("name", row.name, kName);
  GoogleRow google;
  visit(fields, google);
  const std::vector<std::string_view> counters = read_counter_names(fields);
  fields("cupel", row, kRequired);
  fields.finish();
  text.expect(',');
  const bool is_row = text.is_next('{') && are_counters_of(row, counters);
  if (!is_row) text.refuse();
  return {is_row ? text.taken() : 0, text.ran_out()};
}

Row read_row(const Json& value, const Path& path, Problems& problems, std::int64_t* position) {
  Row row;
  Reading reading{problems, &path};
  FieldReader fields(value, path, reading);
  fields("name", row.name, kName);
  fields("cupel", row, kRequired);
  for (const auto& [name, counter] : row.counters) fields.take(name);
  GoogleRow google;
  visit(fields, google);
  if (position != nullptr) fields("position", *position);
  fields.finish();
  row.unknown = reading.unknown_text();
  return row;
}

Context read_context(const Json& value, const Path& path, Problems& problems,
                     std::vector<PositionedRow>* not_measured) {
  Context context;
  Reading reading{problems};
  FieldReader fields(value, path, reading);
  if (const Json* ours = fields.take("cupel", kRequired)) {
    read_our_context(*ours, Path(path, "cupel"), reading, context, not_measured);
  }
  GoogleContext google;
  visit(fields, google);
  fields.finish();
  context.unknown = reading.unknown_text();
  return context;
}

int schema_major(const Json& root) {
  const Path top, context(top, "context"), cupel(context, "cupel"), schema(cupel, "schema");
  Problems problems(false);
  if (!root.contains("context") || !root["context"].is_object()) problems.add(context, "is missing: not a result file");
  const Json& fields = root["context"];
  if (!fields.contains("cupel") || !fields["cupel"].is_object())
    problems.add(cupel, "is missing: not written by cupel");
  const Json& ours = fields["cupel"];
  if (!ours.contains("schema")) problems.add(schema, "is missing");
  Schema version;
  Reading reading{problems};
  decode(ours["schema"], schema, reading, version);
  return version.major;
}

bool is_measured(const Row& row) {
  return row.status == Status::ok && row.main_series() != nullptr &&
         std::ranges::any_of(row.main_series()->samples_s, [](double sample) { return std::isfinite(sample); });
}

Json write_row(const Row& given, const Placement& placement) {
  const Row row = as_written(given);
  FieldWriter fields;
  fields("name", row.name, kName);
  if (is_measured(row)) {
    const GoogleRow google = google_row(row, placement);
    visit(fields, google);
  }
  Json entry = fields.take();
  if (is_measured(row)) put_counters(entry, row);
  entry["cupel"] = encode(row);
  merge_unknown(entry, row.unknown);
  return entry;
}

Json::array_t write_rows(const ResultSet& results, const std::function<void(Json&&)>& take) {
  Json::array_t not_measured;
  std::unordered_map<std::string, std::int64_t> families;  // ordinal of each name, in order of first appearance
  const std::int64_t repetitions = processes(results);
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const Row& row = results.rows[i];
    const auto family = families.emplace(row.name, static_cast<std::int64_t>(families.size())).first->second;
    Json entry = write_row(row, {family, repetitions});
    if (is_measured(row)) {
      take(std::move(entry));
    } else {
      entry["position"] = i;
      not_measured.push_back(std::move(entry));
    }
  }
  return not_measured;
}

Json write_root(const Context& context, Json::array_t&& not_measured) {
  Json root;
  Json& written = root["context"] = encode(google_context(context));
  written["cupel"] = our_context(context);
  written["cupel"]["not_measured"] = std::move(not_measured);
  // Pointers in `unknown` start at the file's root.
  merge_unknown(root, context.unknown);
  return root;
}

Json write_context(const Context& context) {
  Json written = write_root(context, {})["context"];
  written["cupel"].erase("not_measured");
  return written;
}

}  // namespace cupel::record::detail
