#include "cupel/runner/gate_program.hpp"
#include "cupel/runner/gate_start.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "cupel/files/errors.hpp"
#include "cupel/host/child.hpp"
#include "cupel/record/google_benchmark.hpp"
#include "cupel/record/google_names.hpp"
#include "cupel/runner/attempt.hpp"
#include "cupel/runner/families.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

constexpr double kForeignLimit_s = 600;
// Linux takes arguments of up to 128 KiB. A longer filter is left out, and rows that were not asked for are dropped.
constexpr std::size_t kLongestFilter = 100 << 10;

constexpr const char* kIsItOne = "is it a Google Benchmark program?";

// A program that passes over the flag runs, and prints what it measured: a result file, or Google Benchmark's table.
bool is_result(std::string_view listing) {
  listing.remove_prefix(std::min(listing.find_first_not_of(" \t\r\n"), listing.size()));
  const bool is_table = listing.starts_with('-') && listing.find("Iterations") != listing.npos;
  return listing.starts_with('{') || is_table;
}

// Why there is no listing. Throws std::invalid_argument where it is no program of the kind.
std::string cannot_list(const fs::path& executable, const host::ChildResult& child) {
  if (child.ending == host::Ending::not_started)
    throw std::invalid_argument(executable.string() + " " + host::ending_text(child));
  if (host::exited_with(child, 0)) {
    throw std::invalid_argument(executable.string() + " lists no benchmarks with --benchmark_list_tests: " + kIsItOne);
  }
  return fmt::format("{}: {}{}", executable.string(), listing_problem(child),
                     child.ending == host::Ending::timed_out ? std::string("; ") + kIsItOne : "");
}

constexpr std::string_view kMinTime = "--benchmark_min_time";  // in seconds, or as "10x" in iterations

// Google Benchmark from 1.8 on takes seconds with a suffix, and may come to refuse them without; before, it takes a
// bare number alone. Which of them, its version would say, but few programs name it, and none before it has run: what
// refuses a flag does so when it is to list, too.
std::vector<std::string> sampling_flags(const std::vector<std::string>& extra) {
  if (!asked_sampling(extra).empty()) return {""};
  return {fmt::format("{}={}s", kMinTime, kForeignSampling_s), fmt::format("{}={}", kMinTime, kForeignSampling_s), ""};
}

// Both flags at once: a program that takes only Google Benchmark's, and passes over those that it does not know, must
// not run all that it has.
std::optional<record::Listing> own_listing(GateProgram& program, const Settings& settings) {
  std::vector<std::string> arguments = child_flags(settings);
  arguments.insert(arguments.begin(), {"--cupel_list", "--benchmark_list_tests=true"});
  const host::ChildResult child = host::run_listing(program.executable, std::move(arguments), settings.timeout_s);
  if (child.ending == host::Ending::not_started || child.ending == host::Ending::timed_out ||
      child.ending == host::Ending::interrupted) {
    program.problem = cannot_list(program.executable, child);
    return std::nullopt;
  }
  if (!host::exited_with(child, 0) || child.output_cut) return std::nullopt;
  try {
    return record::listing_from_json(child.output_text, program.executable.string());
  } catch (const files::ReadError&) {
    return std::nullopt;
  }
}

std::vector<record::ListedBenchmark> benchmarks_in(const std::string& text) {
  std::vector<record::ListedBenchmark> benchmarks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) benchmarks.emplace_back().name = line;
  }
  return benchmarks;
}

void list_foreign(GateProgram& program, const Settings& settings, const std::vector<std::string>& extra) {
  program.foreign = true;
  host::ChildResult child;
  for (const std::string& flag : sampling_flags(extra)) {
    std::vector<std::string> arguments{"--benchmark_list_tests=true"};
    if (!flag.empty()) arguments.push_back(flag);
    child = host::run_listing(program.executable, std::move(arguments), settings.timeout_s);
    program.sampling_flag = flag;
    program.listed_s = child.wall_s;
    if (host::exited_with(child, 0) && is_result(child.output_text)) {
      throw std::invalid_argument(
          fmt::format("{} does not list its benchmarks: it answers --benchmark_list_tests with what it measured; {}",
                      program.executable.string(), kIsItOne));
    }
    if (host::exited_with(child, 0)) program.listing.benchmarks = benchmarks_in(child.output_text);
    if (child.ending != host::Ending::exited || !program.listing.benchmarks.empty()) break;
  }
  if (!host::exited_with(child, 0) || program.listing.benchmarks.empty()) {
    program.problem = cannot_list(program.executable, child);
  }
}

std::vector<GateName> chosen_names(const GateProgram& program, const std::vector<std::string>& chosen) {
  const std::set<std::string> wanted(chosen.begin(), chosen.end());
  std::vector<GateName> names;
  for (const GateName& name : program.names) {
    if (wanted.count(name.shown) > 0) names.push_back(name);
  }
  return names;
}

// Releases before 1.5 print statistics of a program's own as benchmarks where they print no repetitions.
bool is_statistic_of(const std::string& name, const std::set<std::string>& listed) {
  return std::ranges::any_of(listed, [&](const std::string& one) { return name.starts_with(one + "_"); });
}

// Benchmarks that another program ran and does not list: nobody asked for them, and nobody would miss them. rows: all
// that it gave.
std::vector<record::Row> unlisted(const GateProgram& program, const std::vector<record::Row>& rows) {
  std::set<std::string> listed;
  for (const record::ListedBenchmark& one : program.listing.benchmarks) listed.insert(record::name_in_file(one.name));
  std::set<std::string> seen;
  std::vector<record::Row> failures;
  for (const record::Row& row : rows) {
    const std::string& name = row.printed_name;
    if (listed.contains(name) || is_statistic_of(name, listed) || !seen.insert(name).second) continue;
    record::Row& failure = failures.emplace_back();
    failure.name = failure.printed_name = name;
    failure.status = record::Status::failed;
    failure.reason = "the executable ran it and does not list it";
  }
  return failures;
}

// Puts a failure in place of what ran less often than the program lists it: of two registrations of one name nobody can
// tell which one it was.
void fail_what_ran_less_often(const GateProgram& program, const record::Registrations& ran,
                              std::vector<record::Row>& rows) {
  record::Registrations listed;
  for (const record::ListedBenchmark& one : program.listing.benchmarks) ++listed[record::name_in_file(one.name)];
  for (const auto& [name, times] : ran) {
    const auto found = listed.find(name);
    if (found == listed.end() || times >= found->second) continue;
    const auto is_it = [&](const record::Row& row) { return row.printed_name == name; };
    const auto first = std::ranges::find_if(rows, is_it);
    if (first == rows.end()) continue;
    first->status = record::Status::failed;
    first->reason = fmt::format("the executable lists it {} times and ran it {}", found->second,
                                times == 1 ? "once" : fmt::format("{} times", times));
    first->series.clear();
    rows.erase(std::remove_if(first + 1, rows.end(), is_it), rows.end());
  }
}

// Keeps the rows that were asked for, under their shown names.
GateStart result_of(const GateProgram& program, const std::vector<GateName>& names, int process,
                    const host::ChildResult& child, std::vector<record::Row> rows) {
  GateStart result;
  result.wall_s = child.wall_s;
  result.interrupted = child.ending == host::Ending::interrupted || child.ending == host::Ending::cancelled;
  std::map<std::string, std::string> shown;
  std::vector<std::string> missing;
  for (const GateName& name : names) {
    shown.emplace(program.foreign ? record::name_in_file(name.listed) : name.listed, name.shown);
    missing.push_back(name.shown);
  }
  const auto take = [&](record::Row& row) {
    row.process = process;
    row.family = program.family;
    std::erase(missing, row.name);
    result.rows.push_back(std::move(row));
  };
  std::vector<record::Row> failures;
  if (program.foreign) failures = unlisted(program, rows);
  for (record::Row& row : rows) {
    const auto found = shown.find(program.foreign ? row.printed_name : row.name);
    if (found == shown.end()) continue;
    row.name = found->second;
    take(row);
  }
  for (record::Row& row : failures) take(row);
  result.complete = missing.empty();
  if (!result.complete) result.running = missing.front();
  return result;
}

GateStart start_once(const GateProgram& program, const std::vector<GateName>& names, int process,
                     const Settings& settings, const std::vector<std::string>& extra, const fs::path& scratch,
                     const std::function<bool()>& watch) {
  const fs::path out = scratch / "benchmark_out.json";
  std::error_code ignored;
  fs::remove(out, ignored);
  std::vector<std::string> arguments = extra;
  arguments.insert(arguments.end(), {"--benchmark_out=" + out.string(), "--benchmark_out_format=json"});
  if (!program.sampling_flag.empty()) arguments.push_back(program.sampling_flag);
  if (names.size() < program.listing.benchmarks.size()) {
    std::vector<std::string> listed;
    for (const GateName& name : names) listed.push_back(name.listed);
    const std::string filter = exact_filter(listed);
    if (filter.size() <= kLongestFilter) arguments.push_back("--benchmark_filter=" + filter);
  }
  const double limit_s = settings.timeout_s.value_or(kForeignLimit_s);
  const host::ChildResult child = host::run_child(
      {.program = program.executable, .arguments = arguments, .time_limit_s = limit_s, .accounts_cpu_wait = true},
      watch);

  std::optional<record::ResultSet> results;
  std::string problem = "the executable gave no result for it";
  try {
    record::Registrations ran;
    results = record::read_google_benchmark(out, "its result", ran);
    if (!results->context.run.interrupted) fail_what_ran_less_often(program, ran, results->rows);
  } catch (const files::ReadError& error) {
    problem = host::last_line(error.what());
  }
  GateStart result =
      result_of(program, names, process, child, results ? std::move(results->rows) : std::vector<record::Row>());
  const bool is_cut_short = results && results->context.run.interrupted;
  if (results) {
    result.context = std::move(results->context);
    result.context->run.notes[record::kSampling] = sampling_text(program, extra);
  }
  if (child.cpu_wait) {
    for (record::Row& row : result.rows) {
      row.counters[record::kCpuWait] = {*child.cpu_wait, "1", record::Better::none, false};
    }
  }
  result.ended_well = host::exited_with(child, 0) && results && !is_cut_short;
  if (result.complete) {
    result.bad_ending = host::bad_ending(child, {0});
    if (result.bad_ending.empty() && is_cut_short) result.bad_ending = "cut short in the middle of its result";
  } else {
    if (is_cut_short) problem = "its result is cut short";
    if (child.code != 0) problem = fmt::format("ended early with exit code {}", child.code);
    result.reason = host::with_last_words(host::ending_text(child, problem), child);
    result.refused_sampling = !program.sampling_flag.empty() && result.rows.empty() &&
                              child.ending == host::Ending::exited && child.code != 0;
  }
  return result;
}

// A program may list with a flag that it then refuses to run with.
GateStart start_foreign(const GateProgram& program, const std::vector<GateName>& names, int process,
                        const Settings& settings, const std::vector<std::string>& extra, const fs::path& scratch,
                        const std::function<bool()>& watch) {
  GateStart with = start_once(program, names, process, settings, extra, scratch, watch);
  if (!with.refused_sampling) return with;
  GateProgram plain = program;
  plain.sampling_flag.clear();
  GateStart without = start_once(plain, names, process, settings, extra, scratch, watch);
  without.refused_sampling = !without.rows.empty();
  return without;
}

GateStart start_own(const GateProgram& program, const std::vector<GateName>& names, int process,
                    const Settings& settings, const fs::path& scratch, const std::function<bool()>& watch) {
  const PlannedFamily family{program.family, program.executable, program.listing.benchmarks};
  std::vector<std::string> listed;
  for (const GateName& name : names) listed.push_back(name.listed);
  Attempt attempted = attempt({family, process, listed, settings, scratch},
                              [&](const fs::path&, const std::string&) { return !watch || watch(); });
  GateStart result = result_of(program, names, process, attempted.child, std::move(attempted.journal.rows));
  result.no_device = host::exited_with(attempted.child, record::kChildNoDevice);
  result.complete |= result.no_device;
  result.ended_well = attempted.complete();
  result.context = std::move(attempted.journal.context);
  if (result.complete) {
    result.bad_ending = attempted.bad_ending();
  } else {
    const auto running = std::ranges::find(names, attempted.journal.running, &GateName::listed);
    result.running = running == names.end() ? "" : running->shown;
    result.reason = attempted.reason();
  }
  return result;
}

}  // namespace

std::string exact_filter(const std::vector<std::string>& names) {
  std::string filter = "^(";
  for (const std::string& name : names) {
    if (filter.size() > 2) filter += '|';
    for (const char c : name) {
      // POSIX extended, as Google Benchmark reads it: there ']' and '}' must not be escaped.
      if (std::string_view(".[{()\\*+?^$|").find(c) != std::string_view::npos) filter += '\\';
      filter += c;
    }
  }
  return filter + ")$";
}

std::string asked_sampling(const std::vector<std::string>& extra) {
  const std::string begin = fmt::format("{}=", kMinTime);
  for (const std::string& argument : extra) {
    if (argument.starts_with(begin)) return argument.substr(begin.size());
  }
  const char* variable = std::getenv("BENCHMARK_MIN_TIME");
  return variable == nullptr ? "" : variable;
}

std::string sampling_text(const GateProgram& program, const std::vector<std::string>& extra) {
  if (!program.sampling_flag.empty()) return fmt::format("{} s", kForeignSampling_s);
  const std::string asked = asked_sampling(extra);
  return asked.empty() ? "as the program has it" : asked;
}

namespace {

constexpr double kGoogleSampling_s = 0.5;  // Google Benchmark's own

// The number behind "/min_time:" or "/repeats:" in a name.
std::optional<double> number_in(const std::string& name, const std::string& key) {
  const std::size_t found = name.find("/" + key + ":");
  if (found == std::string::npos) return std::nullopt;
  const std::string rest = name.substr(found + key.size() + 2);
  return units::number<double>(rest.substr(0, rest.find('/')));
}

}  // namespace

double expected_seconds(const GateProgram& program, const GateName& name) {
  if (!program.foreign) {
    const auto found = std::ranges::find(program.listing.benchmarks, name.listed, &record::ListedBenchmark::name);
    return found == program.listing.benchmarks.end() ? 0 : expected_s(*found);
  }
  if (number_in(name.listed, "iterations")) return 0;
  const double sampling_s = program.sampling_flag.empty() ? kGoogleSampling_s : kForeignSampling_s;
  const double repeats = std::max(1.0, number_in(name.listed, "repeats").value_or(1));
  return repeats * kWithSearch * number_in(name.listed, "min_time").value_or(sampling_s);
}

double start_seconds(const GateProgram& program) {
  return std::max(program.listing.needs_device ? kDeviceStart_s : kHostStart_s, program.listed_s);
}

GateProgram inspect(const fs::path& executable, const Settings& settings, const std::vector<std::string>& extra) {
  GateProgram program;
  program.executable = fs::absolute(executable);
  program.family = program.executable.filename().string();
  if (std::optional<record::Listing> listing = own_listing(program, settings)) {
    program.listing = std::move(*listing);
    program.family = program.listing.family;
  } else if (program.problem.empty()) {
    list_foreign(program, settings, extra);
  }
  for (const record::ListedBenchmark& benchmark : program.listing.benchmarks) {
    program.names.push_back({benchmark.name, program.foreign ? record::name_in_file(benchmark.name) : benchmark.name});
  }
  return program;
}

GateStart start(const GateProgram& program, const std::vector<std::string>& chosen, int process,
                const Settings& settings, const std::vector<std::string>& extra, const fs::path& scratch,
                const std::function<bool()>& watch) {
  const std::vector<GateName> names = chosen_names(program, chosen);
  return program.foreign ? start_foreign(program, names, process, settings, extra, scratch, watch)
                         : start_own(program, names, process, settings, scratch, watch);
}

}  // namespace cupel::runner
