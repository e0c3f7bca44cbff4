#include "cupel/figures/join.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/record/google_names.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::figures {
namespace {

using Names = std::set<std::string>;

// A file, or several joined, and the names of its benchmarks.
struct Part {
  NamedResults file;
  Names names;
};

Part part_of(NamedResults file) {
  Names names;
  for (const record::Row& row : file.results.rows) names.insert(row.name);
  return {std::move(file), std::move(names)};
}

bool are_alike(const record::Context& a, const record::Context& b) {
  return std::ranges::none_of(differences(a, b), [](const Difference& difference) {
    return difference.hardness == Hardness::hard || difference.name == "driver" || difference.name == "CPU";
  });
}

bool share_a_name(const Names& a, const Names& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

void add_missing(std::vector<std::string>& to, const std::vector<std::string>& from) {
  std::ranges::copy_if(from, std::back_inserter(to),
                       [&](const std::string& one) { return std::ranges::find(to, one) == to.end(); });
}

void join_libraries(std::vector<record::Library>& to, const std::vector<record::Library>& from) {
  for (const record::Library& library : from) {
    const auto known = std::ranges::find(to, library.name, &record::Library::name);
    if (known == to.end()) {
      to.push_back(library);
    } else if (known->loaded.empty()) {
      known->loaded = library.loaded;
      known->file = library.file;
    }
  }
}

void join_runs(record::RunInfo& to, const record::RunInfo& from) {
  to.joined_files += from.joined_files;
  to.started = std::min(to.started, from.started);
  to.finished = std::max(to.finished, from.finished);
  to.processes = std::min(to.processes, from.processes);
  if (from.whole_processes)
    to.whole_processes = std::min(*from.whole_processes, to.whole_processes.value_or(to.processes));
  to.interrupted = to.interrupted || from.interrupted;
  if (to.profile.find(from.profile) == std::string::npos) to.profile += " and " + from.profile;
  add_missing(to.families, from.families);
  add_missing(to.filters, from.filters);
  to.notes.insert(from.notes.begin(), from.notes.end());
}

void join_calibrations(record::Context& to, const record::Context& from) {
  if (!from.calibration) return;
  if (to.calibration) {
    to.further_calibrations.push_back(*from.calibration);
  } else {
    to.calibration = from.calibration;
  }
}

// Adds a board's UUID or a program's revision where it is new; commas part them.
void join_word(std::string& to, const std::string& from) {
  if (to.find(from) != std::string::npos) return;
  to += (to.empty() ? "" : ",") + from;
}

// Makes the number 0 where hosts differ in it, and names that of each.
void join_number(int& number, std::vector<int>& each, int other) {
  if (each.empty() && number == other) return;
  for (const int one : {std::exchange(number, 0), other}) {
    if (one > 0) units::add_once(each, one);
  }
  std::ranges::sort(each);
}

void join_hosts(record::HostInfo& to, const record::HostInfo& from) {
  join_number(to.logical_cpus, to.each_logical_cpus, from.logical_cpus);
  join_number(to.usable_cpus, to.each_usable_cpus, from.usable_cpus);
}

void join(Part& to, Part from) {
  std::ranges::move(from.file.files, std::back_inserter(to.file.files));
  to.names.merge(from.names);
  record::ResultSet& results = to.file.results;
  record::Context& context = results.context;
  const record::Context& other = from.file.results.context;
  if (context.device && other.device) join_word(context.device->uuid, other.device->uuid);
  join_hosts(context.host, other.host);
  join_word(context.build.git_revision, other.build.git_revision);
  context.build.git_dirty = context.build.git_dirty || other.build.git_dirty;
  join_runs(context.run, other.run);
  join_calibrations(context, other);
  join_libraries(context.libraries, other.libraries);
  std::ranges::move(from.file.results.rows, std::back_inserter(results.rows));
}

// Files that are processes of one program share all of this.
std::vector<std::pair<std::string, std::string>> origin_of(const record::Context& context) {
  const record::HostInfo& host = context.host;
  constexpr std::size_t kDay = 10;  // of an ISO 8601 date
  return {{"program", context.run.families.empty() ? "" : context.run.families.front()},
          {"machine", host.name},
          {"number of CPUs", host.logical_cpus > 0 ? std::to_string(host.logical_cpus) : ""},
          {"set of caches", host.caches},
          {"day", context.run.started.substr(0, kDay)},
          {"Google Benchmark", context.build.benchmark_version},
          {"build of Google Benchmark", context.build.benchmark_debug ? "debug" : ""}};
}

void require_one_origin(const NamedResults& first, const NamedResults& next) {
  const auto expected = origin_of(first.results.context), found = origin_of(next.results.context);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].second == found[i].second) continue;
    throw std::invalid_argument(next.files.front() + " is of another " + expected[i].first + " than " +
                                first.files.front() + ": '" + found[i].second + "', not '" + expected[i].second + "'");
  }
}

// Two processes do not end in the same second with the same times to the last digit.
void require_no_copy(const std::vector<NamedResults>& files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    const auto is_copy = [&](const NamedResults& other) {
      return !file->results.rows.empty() && other.results.rows == file->results.rows &&
             other.results.context.run.started == file->results.context.run.started;
    };
    const auto found = std::find_if(files.begin(), file, is_copy);
    if (found == file) continue;
    throw std::invalid_argument(file->files.front() + " is a copy of " + found->files.front() +
                                ": one process counts once");
  }
}

// One benchmark has one name in all files, however many of its spellings each of them has.
void name_together(record::ResultSet& results) {
  std::map<std::string, std::string> shown;
  for (const record::Row& row : results.rows) shown.emplace(row.printed_name, "");
  std::vector<std::string> names;
  for (const auto& [printed, name] : shown) names.push_back(printed);
  const std::vector<std::vector<std::string>> common = record::common_names({&names, 1});
  for (std::size_t i = 0; i < names.size(); ++i) shown[names[i]] = common.front()[i];
  for (record::Row& row : results.rows) {
    if (!row.printed_name.empty()) row.name = shown[row.printed_name];
  }
}

}  // namespace

record::ResultSet join_processes(std::vector<NamedResults> files) {
  for (const NamedResults& file : files) require_one_origin(files.front(), file);
  require_no_copy(files);
  record::ResultSet joined = std::move(files.front().results);
  joined.context.run.processes = static_cast<int>(files.size());
  for (std::size_t i = 1; i < files.size(); ++i) {
    record::RunInfo& run = joined.context.run;
    const record::RunInfo& from = files[i].results.context.run;
    run.started = std::min(run.started, from.started);
    run.interrupted = run.interrupted || from.interrupted;
    run.notes.insert(from.notes.begin(), from.notes.end());
    for (record::Row& row : files[i].results.rows) {
      row.process = static_cast<int>(i);
      joined.rows.push_back(std::move(row));
    }
  }
  name_together(joined);
  return joined;
}

std::vector<NamedResults> join_parts(std::vector<NamedResults> files) {
  std::vector<Part> parts;
  for (NamedResults& file : files) {
    Part part = part_of(std::move(file));
    const auto fits = [&](const Part& known) {
      return are_alike(known.file.results.context, part.file.results.context) && !share_a_name(known.names, part.names);
    };
    const auto found = std::ranges::find_if(parts, fits);
    if (found == parts.end()) {
      parts.push_back(std::move(part));
    } else {
      join(*found, std::move(part));
    }
  }
  std::vector<NamedResults> joined;
  for (Part& part : parts) joined.push_back(std::move(part.file));
  return joined;
}

}  // namespace cupel::figures
