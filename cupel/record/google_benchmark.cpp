#include "cupel/record/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "cupel/record/fields.hpp"
#include "cupel/record/file.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::record {
namespace {

using namespace detail;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Google Benchmark's text as JSON: words that stand for no number become null, numbers lose the marks of a locale, and
// strings the bytes that should have been escaped.
class Repair {
 public:
  explicit Repair(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (more()) {
      if (text_[at_] == '"') {
        copy_string();
      } else if (is_letter(text_[at_]) || (text_[at_] == '-' && more(1) && is_letter(text_[at_ + 1]))) {
        copy_word();
      } else if (after_colon_ && (is_digit(text_[at_]) || text_[at_] == '-')) {
        copy_number();
      } else {
        after_colon_ = text_[at_] == ':' || (after_colon_ && is_space(text_[at_]));
        out_ += text_[at_++];
      }
    }
    return std::move(out_);
  }

 private:
  bool more(std::size_t ahead = 0) const { return at_ + ahead < text_.size(); }

  void copy_character() {
    out_ += static_cast<unsigned char>(text_[at_]) < 0x20 ? ' ' : text_[at_];
    ++at_;
  }

  void copy_string() {
    after_colon_ = false;
    out_ += text_[at_++];
    while (more() && text_[at_] != '"') {
      if (text_[at_] == '\\' && more(1)) copy_character();
      copy_character();
    }
    if (more()) out_ += text_[at_++];
  }

  void copy_word() {
    after_colon_ = false;
    const std::size_t start = at_++;
    while (more() && is_letter(text_[at_])) {
      ++at_;
    }
    if (!more()) {
      return;  // the file was cut short, perhaps in this word
    }
    const std::string_view word = text_.substr(start, at_ - start);
    out_ += is_not_finite(word) ? "null" : word;
  }

  static bool is_not_finite(std::string_view word) {
    std::string lower(word.substr(word.front() == '-' ? 1 : 0));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return lower == "nan" || lower == "inf" || lower == "infinity";
  }

  // In an object, a comma between two digits is no comma of JSON: a key would follow it. It groups the digits of a
  // whole number and marks the decimals of one with an exponent, as all other numbers of Google Benchmark have.
  void copy_number() {
    after_colon_ = false;
    const std::size_t start = at_;
    while (more() && (is_digit(text_[at_]) || std::string_view("+-.eE").find(text_[at_]) != std::string_view::npos ||
                      (text_[at_] == ',' && more(1) && is_digit(text_[at_ + 1])))) {
      ++at_;
    }
    std::string number(text_.substr(start, at_ - start));
    const bool scientific = number.find_first_of("eE") != std::string::npos;
    if (scientific && number.find('.') == std::string::npos) std::ranges::replace(number, ',', '.');
    std::erase(number, ',');
    out_ += number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool after_colon_ = false;  // a member's value comes next
  std::string out_;
};

std::vector<std::string> segments(const std::string& name) {
  std::vector<std::string> found;
  std::istringstream text(name + '/');
  for (std::string segment; std::getline(text, segment, '/');) found.push_back(segment);
  return found;
}

bool says_how_it_was_measured(std::string_view segment) {
  constexpr std::array kFlags = {"manual_time", "real_time", "process_time"};
  constexpr std::array kNumbers = {"iterations:", "repeats:", "min_time:", "min_warmup_time:"};
  const auto starts = [segment](std::string_view key) {
    return segment.starts_with(key) && segment.size() > key.size() && is_digit(segment[key.size()]);
  };
  return std::ranges::count(kFlags, segment) > 0 || std::ranges::any_of(kNumbers, starts);
}

double seconds_per(const std::string& unit, const FieldReader& fields) {
  static const std::map<std::string, double> kUnits = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  if (!kUnits.contains(unit)) fields.refuse("time_unit", "must be one of ns, us, ms, s");
  return kUnits.at(unit);
}

// A string of somebody else's program: made fit to print rather than refused.
std::string foreign_text(const Json* value) {
  return value != nullptr && value->is_string() ? printable(value->get_ref<const std::string&>()) : std::string();
}

bool foreign_flag(const Json* value) { return value != nullptr && value->is_boolean() && value->get<bool>(); }

// One element of `benchmarks`: one repetition of one benchmark, or an aggregate of all of them.
struct Repetition {
  std::string name;
  std::string aggregate;              // median or mean; empty: not one
  std::optional<std::int64_t> index;  // among the repetitions, where the file says it
  Status status = Status::ok;
  std::string reason;
  std::string label;
  std::int64_t iterations = 1;
  double time_s = 0;
  std::map<std::string, double> counters;
};

void read_status(FieldReader& fields, Repetition& repetition) {
  if (foreign_flag(fields.take("error_occurred"))) {
    repetition.status = Status::failed;
  } else if (foreign_flag(fields.take("skipped"))) {
    repetition.status = Status::skipped;
  }
  for (const char* key : {"error_message", "skip_message"}) {
    if (const std::string reason = foreign_text(fields.take(key)); !reason.empty()) repetition.reason = reason;
  }
}

void read_times(FieldReader& fields, Repetition& repetition) {
  std::string unit = "ns";
  fields("time_unit", unit);
  const double scale = seconds_per(unit, fields);
  fields("iterations", repetition.iterations);
  repetition.iterations = std::max<std::int64_t>(1, repetition.iterations);
  double time = std::nan("");
  fields("real_time", time, kAnySign);
  if (!std::isfinite(time) || time < 0) {
    repetition.status = Status::failed;
    repetition.reason = time < 0 ? "the file has a negative time for it" : "the file has no time for it";
  }
  repetition.time_s = time * scale;
  double cpu_time = std::nan("");
  fields("cpu_time", cpu_time, kAnySign);
  if (std::isfinite(cpu_time)) repetition.counters["cpu_time_s"] = cpu_time * scale;
}

// Any other number of a row is a counter.
bool is_counter(const std::string& key, const Json& value) {
  constexpr std::array kRowNumbers = {"family_index", "per_family_instance_index",
                                      "repetitions",  "repetition_index",
                                      "threads",      "iterations",
                                      "real_time",    "cpu_time"};
  return value.is_number() && std::ranges::count(kRowNumbers, key) == 0;
}

// Nothing for what is no time of the benchmark: spreads, fitted complexity.
std::optional<Repetition> read_repetition(const Json& value, const Path& path, Problems& problems) {
  Reading reading{problems};
  FieldReader fields(value, path, reading);
  Repetition repetition;
  repetition.name = foreign_text(fields.take("name", kRequired));
  if (repetition.name.empty()) fields.refuse("name", "must be a string that is not empty");
  const std::string type = foreign_text(fields.take("run_type"));
  if (!type.empty() && type != "iteration") {
    repetition.aggregate = foreign_text(fields.take("aggregate_name"));
    if (repetition.aggregate != "median" && repetition.aggregate != "mean") return std::nullopt;
    const std::string run_name = foreign_text(fields.take("run_name"));
    if (!run_name.empty()) repetition.name = run_name;
  }
  if (const Json* index = fields.take("repetition_index"); index != nullptr && index->is_number_integer()) {
    repetition.index = index->get<std::int64_t>();
  }
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
  return name == "cpu_time_s" ? "s" : "";
}

// All repetitions of one benchmark as one row.
class Benchmark {
 public:
  explicit Benchmark(std::string whole_name) : whole_name_(std::move(whole_name)) {}

  const std::string& whole_name() const { return whole_name_; }

  void add(const Repetition& repetition) {
    if (!repetition.aggregate.empty()) {
      if (!aggregate_ || repetition.aggregate == "median") aggregate_ = repetition;
      return;
    }
    ++repetitions_;
    if (repetition.index && !indices_.insert(*repetition.index).second) {
      status_ = Status::skipped;
      reason_ = "several benchmarks of the file have this name: their times cannot be told apart";
    }
    if (repetition.status != Status::ok && status_ == Status::ok) {
      status_ = repetition.status;
      reason_ = repetition.reason;
    }
    keep(repetition);
  }

  /// Where the file has no repetitions but an aggregate of them, that is the only sample.
  void finish() {
    if (repetitions_ > 0 || !aggregate_) return;
    status_ = aggregate_->status;
    reason_ = aggregate_->reason;
    keep(*aggregate_);
    series_.calls_per_sample = 1;
    const std::string says = "the " + aggregate_->aggregate + " of repetitions that the file does not have";
    label_ += (label_.empty() ? "" : "; ") + says;
  }

  /// A repetition that failed fails the benchmark: the others' times are not of the same work.
  Row row(const std::string& name, const std::string& family) const {
    Row row;
    row.name = name;
    row.family = family;
    row.status = status_;
    row.reason = reason_;
    row.note = label_;
    row.params = units::parameters_of(name);
    if (status_ == Status::ok) row.series = {series_};
    for (const auto& [counter, values] : counters_) {
      double mean = 0;
      for (const double value : values) mean += value / static_cast<double>(values.size());
      row.counters[counter] = {mean, counter_unit(counter), Better::none, false};
    }
    return row;
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

  std::string whole_name_;
  std::int64_t repetitions_ = 0;
  std::set<std::int64_t> indices_;
  std::optional<Repetition> aggregate_;
  Status status_ = Status::ok;
  std::string reason_;
  std::string label_;
  Series series_;
  std::map<std::string, std::vector<double>> counters_;
};

// An allow-list, as for our own files: no host name.
Context read_foreign_context(const Json& value, const Path& path, Problems& problems) {
  Context context;
  Reading reading{problems};
  FieldReader fields(value, path, reading);
  context.run.started = foreign_text(fields.take("date"));
  const std::string executable = foreign_text(fields.take("executable"));
  const std::string file = executable.substr(executable.rfind('/') + 1);
  if (!file.empty()) context.run.families = {file};
  fields("num_cpus", context.host.logical_cpus);
  context.build.benchmark_version = foreign_text(fields.take("library_version"));
  context.build.benchmark_debug = foreign_text(fields.take("library_build_type")) == "debug";
  return context;
}

class ForeignReader {
 public:
  ResultSet read(std::string_view text) {
    const std::string repaired = Repair(to_utf8(text)).run();
    if (repaired.empty() && !text.empty()) throw Invalid{"/: parse error: there is no JSON in it"};
    const RowSink sink = [this](const Json&, const Json& row, std::size_t index) { return take(row, index); };
    const Parsed parsed = parse(repaired, sink, Duplicates::first_counts);
    if (!parsed.error.empty() && !(parsed.cut_short && rows_ > 0)) {
      throw Invalid{parsed.error};
    }
    return results(parsed);
  }

 private:
  bool take(const Json& row, std::size_t index) {
    const Path top;
    const Path list(top, "benchmarks");
    ++rows_;
    if (const std::optional<Repetition> repetition = read_repetition(row, Path(list, index), problems_))
      add(*repetition);
    return true;
  }

  void add(const Repetition& repetition) {
    const auto [found, is_new] = index_.emplace(repetition.name, benchmarks_.size());
    if (is_new) {
      benchmarks_.emplace_back(repetition.name);
      ++uses_[canonical_name(repetition.name)];
    }
    benchmarks_[found->second].add(repetition);
  }

  ResultSet results(const Parsed& parsed) {
    const Path top;
    for (const char* key : {"context", "benchmarks"}) {
      if (!parsed.value.contains(key)) problems_.add(Path(top, key), "is missing: not a Google Benchmark file");
    }
    ResultSet results;
    results.context = read_foreign_context(parsed.value["context"], Path(top, "context"), problems_);
    if (!parsed.error.empty()) {
      results.context.run.interrupted = true;
      results.context.run.notes["file"] = "cut short after " + std::to_string(rows_) + " complete rows";
    }
    const std::vector<std::string>& families = results.context.run.families;
    for (Benchmark& benchmark : benchmarks_) {
      benchmark.finish();
      const std::string canonical = canonical_name(benchmark.whole_name());
      const std::string& name = uses_.at(canonical) == 1 ? canonical : benchmark.whole_name();
      results.rows.push_back(benchmark.row(name, families.empty() ? "" : families.front()));
    }
    if (results.rows.empty() && rows_ > 0) {
      problems_.add(Path(top, "benchmarks"), "holds aggregates only, and neither means nor medians");
    }
    return results;
  }

  Problems problems_{false};
  std::vector<Benchmark> benchmarks_;         // in the order of the file
  std::map<std::string, std::size_t> index_;  // of each whole name
  std::map<std::string, int> uses_;           // of each canonical name
  std::size_t rows_ = 0;
};

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string canonical;
  for (const std::string& segment : segments(std::string(name))) {
    if (!says_how_it_was_measured(segment)) canonical += (canonical.empty() ? "" : "/") + segment;
  }
  return canonical.empty() ? std::string(name) : canonical;
}

ResultSet from_google_benchmark(std::string_view text, const std::string& origin) {
  try {
    return ForeignReader().read(text);
  } catch (const Invalid& invalid) {
    throw ReadError(printable(origin) + ": " + invalid.problem);
  }
}

ResultSet read_google_benchmark(const std::filesystem::path& path, const std::string& origin) {
  return from_google_benchmark(read_file(path, kLargestForeign), origin);
}

}  // namespace cupel::record
