#include "cupel/figures/join.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "cupel/figures/fingerprint.hpp"

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

void join(Part& to, Part from) {
  std::ranges::move(from.file.files, std::back_inserter(to.file.files));
  to.names.merge(from.names);
  record::ResultSet& results = to.file.results;
  record::Context& context = results.context;
  const record::Context& other = from.file.results.context;
  if (context.device && other.device) join_word(context.device->uuid, other.device->uuid);
  if (context.host.logical_cpus != other.host.logical_cpus) context.host.logical_cpus = 0;
  join_word(context.build.git_revision, other.build.git_revision);
  context.build.git_dirty = context.build.git_dirty || other.build.git_dirty;
  join_runs(context.run, other.run);
  join_calibrations(context, other);
  join_libraries(context.libraries, other.libraries);
  std::ranges::move(from.file.results.rows, std::back_inserter(results.rows));
}

}  // namespace

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
