#include "cupel/record/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/files/input_file.hpp"
#include "cupel/record/decode.hpp"
#include "cupel/record/google_names.hpp"
#include "cupel/record/google_text.hpp"
#include "cupel/units/date.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::record {
namespace {

using namespace detail;

constexpr const char* kCpuTime = "cpu_time_s";

double seconds_per(const std::string& unit, const FieldReader& fields) {
  static const std::map<std::string, double> kUnits = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  if (!kUnits.contains(unit)) fields.refuse("time_unit", "must be one of ns, us, ms, s");
  return kUnits.at(unit);
}

// A string of somebody else's program: made fit to print rather than refused.
std::string foreign_text(const Json* value) {
  return value != nullptr && value->is_string() ? printable(value->get_ref<const std::string&>()) : std::string();
}

// Google Benchmark writes true; what writes its files anew may write 1 or "true". Without the flag its message says it.
bool foreign_flag(const Json* value, const std::string& message) {
  if (value == nullptr || value->is_null()) return !message.empty();
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string()) return !value->get_ref<const std::string&>().empty() && *value != "false" && *value != "0";
  return !value->is_number() || *value != 0;
}

// The fields by which a row says its registration and its number of repetitions. Files from before 1.5 have none of
// them, later releases more and more.
struct Place {
  std::optional<std::int64_t> family, instance, threads;

  // Tells whether both may be of one registration.
  bool fits(const Place& other) const {
    const auto equal = [](const auto& a, const auto& b) { return !a || !b || *a == *b; };
    return equal(family, other.family) && equal(instance, other.instance) && equal(threads, other.threads);
  }
};

// One element of `benchmarks`: one repetition of one benchmark, or an aggregate of all of them.
struct Repetition {
  std::string name;
  bool has_type = false;  // it says whether it is an aggregate, as it does from 1.5 on
  std::string aggregate;  // its name; empty: not one
  Place place;
  std::optional<std::int64_t> index, count;  // which of how many repetitions
  Status status = Status::ok;
  std::string reason;
  std::string label;
  std::int64_t iterations = 1;
  double time_s = 0;
  std::map<std::string, double> counters;

  // An aggregate that stands for the repetitions where the file has none.
  bool is_location() const { return aggregate == "median" || aggregate == "mean"; }
};

// A row that says both has failed.
void read_status(FieldReader& fields, Repetition& repetition) {
  const std::string error = foreign_text(fields.take("error_message")), why = foreign_text(fields.take("skip_message"));
  const bool has_failed = foreign_flag(fields.take("error_occurred"), error);
  const bool was_skipped = foreign_flag(fields.take("skipped"), why);
  if (has_failed) {
    repetition.status = Status::failed;
  } else if (was_skipped) {
    repetition.status = Status::skipped;
  }
  repetition.reason = has_failed && !error.empty() ? error : why;
}

// Seconds that no benchmark takes: sums and squares of times below it are finite.
constexpr double kNoTime_s = 1e100;

void read_times(FieldReader& fields, Repetition& repetition) {
  std::string unit = "ns";
  fields("time_unit", unit);
  const double scale = seconds_per(unit, fields);
  fields("iterations", repetition.iterations);
  repetition.iterations = std::max<std::int64_t>(1, repetition.iterations);
  double time = std::nan("");
  fields("real_time", time, kAnySign);
  repetition.time_s = time * scale;
  if (!(repetition.time_s > 0 && repetition.time_s < kNoTime_s) &&
      (repetition.aggregate.empty() || repetition.is_location())) {
    repetition.status = Status::failed;
    repetition.reason = time < 0                 ? "the file has a negative time for it"
                        : repetition.time_s == 0 ? "the file has a time of 0 for it"
                        : repetition.time_s > 0  ? "the file has a time for it that cannot be"
                                                 : "the file has no time for it";
  }
  double cpu_time = std::nan("");
  fields("cpu_time", cpu_time, kAnySign);
  if (std::isfinite(cpu_time)) repetition.counters[kCpuTime] = cpu_time * scale;
}

// Any other number of a row is a counter.
bool is_counter(const std::string& key, const Json& value) {
  constexpr std::array kRowNumbers = {"family_index", "per_family_instance_index",
                                      "repetitions",  "repetition_index",
                                      "threads",      "iterations",
                                      "real_time",    "cpu_time"};
  return value.is_number() && std::ranges::count(kRowNumbers, key) == 0;
}

std::optional<std::int64_t> whole_number(FieldReader& fields, const char* key) {
  const Json* value = fields.take(key);
  return value != nullptr && value->is_number_integer() ? std::optional(value->get<std::int64_t>()) : std::nullopt;
}

// Fitted complexity, which before 1.5 has no type that tells it from a time. A counter may have its key, too, but has a
// time beside it.
bool is_complexity(const Json& row) {
  return (row.contains("big_o") || row.contains("rms")) && !row.contains("real_time");
}

// Returns nothing for a row that says that it is no time of the benchmark.
std::optional<Repetition> read_repetition(const Json& value, const Path& path, Problems& problems) {
  Reading reading{problems};
  FieldReader fields(value, path, reading);
  Repetition repetition;
  repetition.name = foreign_text(fields.take("name", kRequired));
  if (repetition.name.empty()) fields.refuse("name", "must be a string that is not empty");
  const std::string type = foreign_text(fields.take("run_type"));
  repetition.has_type = !type.empty();
  if (type != "iteration" && is_complexity(value)) return std::nullopt;
  if (type == "aggregate") {
    // An aggregate without a name or without a benchmark's name is kept as a benchmark of its own, so that it is seen.
    repetition.aggregate = foreign_text(fields.take("aggregate_name"));
    const std::string run_name = foreign_text(fields.take("run_name"));
    if (!repetition.aggregate.empty() && !run_name.empty()) repetition.name = run_name;
  }
  repetition.place = {whole_number(fields, "family_index"), whole_number(fields, "per_family_instance_index"),
                      whole_number(fields, "threads")};
  repetition.index = whole_number(fields, "repetition_index");
  repetition.count = whole_number(fields, "repetitions");
  repetition.label = foreign_text(fields.take("label"));
  read_status(fields, repetition);
  if (repetition.status == Status::ok) read_times(fields, repetition);
  for (const auto& [key, number] : value.items()) {
    if (is_counter(key, number)) repetition.counters.emplace(printable(key), number.get<double>());
  }
  return repetition;
}

std::string counter_unit(const std::string& name) {
  if (name == "bytes_per_second") return "bytes/s";
  if (name == "items_per_second") return "items/s";
  return name == kCpuTime ? "s" : "";
}

// More of a rate is better. Nothing says which way is of other counters.
Better better_of(const std::string& unit) { return unit.ends_with("/s") ? Better::higher : Better::none; }

// One benchmark as a program registered it: its repetitions are the samples of one row.
class Registered {
 public:
  explicit Registered(const Repetition& first) : whole_name_(first.name), place_(first.place) {}

  const std::string& whole_name() const { return whole_name_; }
  std::int64_t repetitions() const { return repetitions_; }
  bool has_aggregates() const { return !aggregates_.empty(); }
  bool has_a_time() const { return repetitions_ > 0 || location_; }
  std::int64_t iterations() const { return series_.calls_per_sample; }

  /// Tells whether the row may be a registration of its own: another registration of the same name has another place,
  /// repeats an index or an aggregate, follows the aggregates, or is one more than were asked for.
  bool takes(const Repetition& next) const {
    if (!place_.fits(next.place)) return false;
    if (!next.aggregate.empty()) return !aggregates_.contains(next.aggregate);
    if (has_aggregates() || (next.index && indices_.contains(*next.index))) return false;
    if (next.count && repetitions_ >= *next.count) return false;
    const bool both_ran = next.status == Status::ok && !series_.samples_s.empty();
    return next.has_type || !both_ran || next.iterations == series_.calls_per_sample;
  }

  void add(const Repetition& repetition) {
    if (!repetition.aggregate.empty()) {
      aggregates_.insert(repetition.aggregate);
      if (repetition.is_location() && (!location_ || repetition.aggregate == "median")) location_ = repetition;
      return;
    }
    ++repetitions_;
    if (repetition.index) indices_.insert(*repetition.index);
    are_told_apart_ = are_told_apart_ || repetition.index || repetition.count;
    if (repetition.status == Status::skipped) ++skipped_;
    const bool is_worse = repetition.status == Status::failed ? status_ != Status::failed : status_ == Status::ok;
    if (repetition.status != Status::ok && is_worse) {
      status_ = repetition.status;
      reason_ = repetition.reason;
    }
    keep(repetition);
  }

  /// Where the file has no repetitions but an aggregate of them, that is the only sample. Whatever releases divide
  /// by, the times are of one iteration.
  void finish(const std::optional<bool>& divides_by_threads) {
    if (!has_a_time()) {
      status_ = Status::failed;
      reason_ = "the file has neither repetitions of it nor their mean or median";
    } else if (repetitions_ == 0) {
      status_ = location_->status;
      reason_ = location_->reason;
      keep(*location_);
      series_.calls_per_sample = 1;
      note("the " + location_->aggregate + " of repetitions that the file does not have");
    }
    if (status_ == Status::skipped && !series_.samples_s.empty()) {
      note(std::to_string(skipped_) + " of " + units::counted(repetitions_, "repetition") + " skipped: " + reason_);
      status_ = Status::ok;
      reason_.clear();
    }
    const std::int64_t threads = place_.threads.value_or(threads_of(whole_name_));
    if (threads > 1 && divides_by_threads.value_or(false)) undivide(threads);
    is_meaning_known_ = threads <= 1 || divides_by_threads.has_value();
  }

  /// Where nothing tells repetitions from benchmarks of one name, each is one. A repetition that failed fails the
  /// benchmark: the others' times are not of the same work. One that was skipped is left out, and the note says so.
  std::vector<Row> rows(const std::string& name, const std::string& family, const std::string& release) const {
    Row row;
    row.name = name;
    row.printed_name = whole_name_;
    row.clock = clock_of(whole_name_);
    if (!is_meaning_known_) row.clock += "of threads, by Google Benchmark " + release;
    row.family = family;
    row.status = status_;
    row.reason = reason_;
    row.note = label_;
    row.params = units::parameters_of(name);
    for (const auto& [counter, values] : counters_) {
      double mean = 0;
      for (const double value : values) mean += value / static_cast<double>(values.size());
      const std::string unit = counter_unit(counter);
      row.counters[counter] = {mean, unit, better_of(unit), false};
    }
    if (status_ != Status::ok) return {row};
    if (repetitions_ <= 1 || are_told_apart_ || has_aggregates()) {
      row.series = {series_};
      return {row};
    }
    std::vector<Row> several;
    for (const double sample_s : series_.samples_s) {
      Series single = series_;
      single.samples_s = {sample_s};
      several.push_back(row);
      several.back().series = {single};
    }
    return several;
  }

 private:
  void keep(const Repetition& repetition) {
    if (repetition.status != Status::ok) return;
    if (series_.samples_s.empty()) {
      series_.calls_per_sample = repetition.iterations;
      label_ = repetition.label;
    }
    series_.samples_s.push_back(repetition.time_s);
    for (const auto& [name, value] : repetition.counters) {
      counters_[name].push_back(value);
    }
  }

  void note(const std::string& says) { label_ += (label_.empty() ? "" : "; ") + says; }

  void undivide(std::int64_t threads) {
    const auto factor = static_cast<double>(threads);
    for (double& sample_s : series_.samples_s) sample_s *= factor;
    if (whole_name_.find("/process_time") != std::string::npos) {
      for (double& time_s : counters_[kCpuTime]) time_s *= factor;
    }
    note("the file's time, which this release divides by the threads, times " + std::to_string(threads));
  }

  std::string whole_name_;
  Place place_;
  std::int64_t repetitions_ = 0, skipped_ = 0;
  std::set<std::int64_t> indices_;
  bool are_told_apart_ = false;  // repetitions say that they are some
  std::set<std::string> aggregates_;
  std::optional<Repetition> location_;
  bool is_meaning_known_ = true;
  Status status_ = Status::ok;
  std::string reason_;
  std::string label_;
  Series series_;
  std::map<std::string, std::vector<double>> counters_;
};

// The rows of one name in a file.
struct Entries {
  std::int64_t rows = 0, repetitions = 1;
  bool have_aggregates = false;

  void add(const Repetition& row) {
    ++rows;
    repetitions = std::max(repetitions, row.count.value_or(1));
    have_aggregates = have_aggregates || !row.aggregate.empty();
  }

  std::int64_t registrations() const { return have_aggregates ? rows : (rows + repetitions - 1) / repetitions; }
};

// "L1 Data 32 KiB, L2 Unified 1 MiB", each level once.
std::string caches_text(const Json* caches) {
  std::string text;
  std::set<std::string> seen;
  if (caches == nullptr || !caches->is_array()) return text;
  for (const Json& cache : *caches) {
    if (!cache.is_object()) continue;
    const auto number = [&](const char* key) {
      const auto found = cache.find(key);
      return found != cache.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    const auto type = cache.find("type");
    const std::string name = "L" + std::to_string(number("level")) +
                             (type != cache.end() && type->is_string() ? " " + foreign_text(&*type) : std::string());
    if (number("size") <= 0 || !seen.insert(name).second) continue;
    text += (text.empty() ? "" : ", ") + name + " " + units::format_size(number("size"));
  }
  return text;
}

// The machine's name and how it is built. Numbers that cannot be are not known.
HostInfo read_foreign_host(FieldReader& fields) {
  constexpr std::int64_t kMostCpus = 1 << 20;
  HostInfo host;
  host.name = foreign_text(fields.take("host_name"));
  const std::int64_t cpus = whole_number(fields, "num_cpus").value_or(0);
  if (cpus > 0 && cpus <= kMostCpus) host.logical_cpus = static_cast<int>(cpus);
  host.clock_hz = 1e6 * static_cast<double>(std::max<std::int64_t>(0, whole_number(fields, "mhz_per_cpu").value_or(0)));
  host.caches = caches_text(fields.take("caches"));
  if (const Json* scaling = fields.take("cpu_scaling_enabled"); scaling != nullptr && scaling->is_boolean())
    host.scaling = scaling->get<bool>();
  return host;
}

Context read_foreign_context(const Json& value, const Path& path, Problems& problems) {
  Context context;
  Reading reading{problems};
  FieldReader fields(value, path, reading);
  context.run.started = foreign_text(fields.take("date"));
  if (!units::utc_of(context.run.started)) context.run.started.clear();  // a time that there is not is none
  const std::string executable = foreign_text(fields.take("executable"));
  const std::string file = executable.substr(executable.rfind('/') + 1);
  if (!file.empty()) context.run.families = {file};
  context.host = read_foreign_host(fields);
  context.build.benchmark_version = foreign_text(fields.take("library_version"));
  context.build.benchmark_debug = foreign_text(fields.take("library_build_type")) == "debug";
  return context;
}

class ForeignReader {
 public:
  ResultSet read(std::string_view text) {
    if (const std::string_view wide = wide_encoding(text); !wide.empty()) {
      throw Invalid{"is " + std::string(wide) + ", and JSON is UTF-8: write it with --benchmark_out=FILE"};
    }
    const std::string json = repaired(text);
    if (json.empty() && !text.empty()) throw Invalid{"there is no JSON in it"};
    const RowSink sink{.tree = [this](const Json&, const Json& row, std::size_t index) { return take(row, index); },
                       .text = {}};
    const Parsed parsed = parse(json, sink, Duplicates::first_counts);
    if (!parsed.error.empty() && !(parsed.cut_short && rows_ > 0)) {
      throw Invalid{parsed.error};
    }
    if (parsed.error.empty()) refuse_other_elements(parsed.value);
    return results(parsed);
  }

  Registrations registrations() const {
    Registrations all;
    for (const auto& [name, entries] : entries_) all[name] = entries.registrations();
    return all;
  }

 private:
  bool take(const Json& row, std::size_t index) {
    const Path top;
    const Path list(top, "benchmarks");
    ++rows_;
    std::optional<Repetition> repetition = read_repetition(row, Path(list, index), problems_);
    if (!repetition) return true;
    settle_doubt(&*repetition);
    entries_[repetition->name].add(*repetition);
    if (!repetition->has_type && take_aggregate(*repetition)) return true;
    add(*repetition);
    before_last_ = std::move(last_);
    last_ = std::move(*repetition);
    return true;
  }

  // True if it was one, or may be.
  bool take_aggregate(const Repetition& repetition) {
    const std::string aggregate = aggregate_by_name(repetition);
    if (aggregate.empty()) return ends_aggregates(repetition);
    Repetition one = repetition;
    one.aggregate = aggregate;
    one.name = registered_.back().whole_name();
    if (std::ranges::count(kUsual, aggregate) > 0) {
      add(one);
    } else {
      doubted_ = repetition;
      doubted_as_ = one;
    }
    return true;
  }

  // A program may add statistics of its own, whose names are not known here. "a_big" behind the aggregates of "a" is a
  // benchmark if it is repeated or has aggregates itself. next: null at the end.
  void settle_doubt(const Repetition* next) {
    if (!doubted_) return;
    const std::string& name = doubted_->name;
    const bool goes_on = next != nullptr && (next->name == name || next->name.starts_with(name + "_"));
    add(goes_on ? *doubted_ : doubted_as_);
    doubted_.reset();
  }

  // Rows have been taken out of the list.
  void refuse_other_elements(const Json& root) {
    const auto list = root.is_object() ? root.find("benchmarks") : root.end();
    if (!root.is_object() || list == root.end()) return;
    const Path top;
    if (!list->is_array()) problems_.add(Path(top, "benchmarks"), std::string("must be a list, is ") + kind(*list));
    if (!list->empty()) problems_.add(Path(top, "benchmarks"), "holds what is no benchmark: " + line(list->front()));
  }

  // Before 1.5 an aggregate says so by its name alone: "a_mean" behind the repetitions of "a". Those of a program's own
  // come after the usual ones and have the iterations of the repetitions. Empty where it is none.
  std::string aggregate_by_name(const Repetition& repetition) const {
    if (registered_.empty()) return "";
    const Registered& last = registered_.back();
    const std::string& name = last.whole_name();
    if (last.repetitions() < 2 || !repetition.name.starts_with(name + "_")) return "";
    const std::string aggregate = repetition.name.substr(name.size() + 1);
    if (aggregate == kUsual.front()) return aggregate;
    const bool may_be = std::ranges::count(kUsual, aggregate) > 0 || repetition.iterations == last.iterations();
    return last.has_aggregates() && may_be ? aggregate : "";
  }

  // Where such a file has aggregates alone, "a_mean" and "a_median" were taken for benchmarks until "a_stddev" came.
  // True if that is what the row is.
  bool ends_aggregates(const Repetition& stddev) {
    constexpr std::string_view kMean = "_mean", kMedian = "_median", kStddev = "_stddev";
    if (!stddev.aggregate.empty() || !stddev.name.ends_with(kStddev)) return false;
    const std::string name = stddev.name.substr(0, stddev.name.size() - kStddev.size());
    const auto is = [&](const Repetition& row, std::string_view suffix) {
      return !row.has_type && row.aggregate.empty() && row.name == name + std::string(suffix);
    };
    const bool has_median = is(last_, kMedian);
    if (!is(has_median ? before_last_ : last_, kMean)) return false;
    Repetition location = last_;
    location.aggregate = has_median ? "median" : "mean";
    forget(last_.name);
    if (has_median) forget(before_last_.name);
    location.name = name;
    add(location);
    return true;
  }

  // The last benchmark, which was none.
  void forget(const std::string& name) {
    registered_.pop_back();
    index_.at(name).pop_back();
    if (index_.at(name).empty()) index_.erase(name);
  }

  void add(const Repetition& repetition) {
    std::vector<std::size_t>& all = index_[repetition.name];
    const auto found = std::ranges::find_if(all, [&](std::size_t i) { return registered_[i].takes(repetition); });
    const std::size_t place = found == all.end() ? registered_.size() : *found;
    if (found == all.end()) {
      registered_.emplace_back(repetition);
      all.push_back(place);
    }
    registered_[place].add(repetition);
  }

  ResultSet results(const Parsed& parsed) {
    const Path top;
    for (const char* key : {"context", "benchmarks"}) {
      if (!parsed.value.contains(key))
        problems_.add(Path(top, key), "is missing: this is no result of cupel, nor of a Google Benchmark program");
    }
    settle_doubt(nullptr);
    ResultSet results;
    results.context = read_foreign_context(parsed.value["context"], Path(top, "context"), problems_);
    if (!parsed.error.empty()) {
      results.context.run.interrupted = true;
      results.context.run.notes["file"] = "cut short after " + units::counted(rows_, "complete row");
    }
    add_rows(results);
    if (rows_ > 0 && std::ranges::none_of(registered_, &Registered::has_a_time)) {
      problems_.add(Path(top, "benchmarks"), "holds aggregates only, and neither means nor medians");
    }
    return results;
  }

  void add_rows(ResultSet& results) {
    const std::string& release = results.context.build.benchmark_version;
    const std::optional<bool> divides = divides_by_threads(release);
    const std::vector<std::string>& families = results.context.run.families;
    const std::string family = families.empty() ? "" : families.front();
    std::vector<std::string> names;
    for (const auto& [name, all] : index_) names.push_back(name);
    const std::vector<std::string> shown = common_names({&names, 1}).front();
    std::map<std::string, std::string> shown_as;
    for (std::size_t i = 0; i < names.size(); ++i) shown_as[names[i]] = shown[i];
    for (Registered& one : registered_) {
      one.finish(divides);
      std::ranges::move(one.rows(shown_as.at(one.whole_name()), family, release), std::back_inserter(results.rows));
    }
  }

  static constexpr std::array<std::string_view, 3> kUsual = {"mean", "median", "stddev"};

  Problems problems_{false};
  std::vector<Registered> registered_;                     // in the order of the file
  std::map<std::string, std::vector<std::size_t>> index_;  // of each whole name
  std::map<std::string, Entries> entries_;                 // of each whole name
  Repetition last_, before_last_;
  std::optional<Repetition> doubted_;  // as a benchmark
  Repetition doubted_as_;              // and as an aggregate
  std::size_t rows_ = 0;
};

}  // namespace

namespace {

ResultSet read_by(ForeignReader& reader, std::string_view text, const std::string& origin) {
  try {
    return reader.read(text);
  } catch (const Invalid& invalid) {
    throw files::ReadError(printable(origin) + ": " + invalid.problem);
  }
}

}  // namespace

ResultSet from_google_benchmark(std::string_view text, const std::string& origin) {
  ForeignReader reader;
  return read_by(reader, text, origin);
}

ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin,
                                Registrations& registrations) {
  ForeignReader reader;
  ResultSet results = read_by(reader, files::read_file(path, kLargestForeign), origin);
  registrations = reader.registrations();
  return results;
}

ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin) {
  return from_google_benchmark(files::read_file(path, kLargestForeign), origin);
}

}  // namespace cupel::record
