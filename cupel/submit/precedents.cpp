#include "cupel/submit/precedents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/record/record.hpp"
#include "cupel/submit/check.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::submit {
namespace {

using Lines = std::vector<std::string>;
using Origins = std::map<std::string, std::string>;  // of benchmarks

int cpus_of(const record::HostInfo& host) { return host.usable_cpus > 0 ? host.usable_cpus : host.logical_cpus; }

// "pipeline/load/workers:*" of "pipeline/load/workers:16".
std::string of_any_cpus(const std::string& name) {
  std::string of_any;
  for (std::string part : units::split(name, '/')) {
    for (const std::string_view number : {"workers:", "threads:"}) {
      if (part.starts_with(number)) part = std::string(number) + "*";
    }
    of_any += (of_any.empty() ? "" : "/") + part;
  }
  return of_any;
}

// Each profile holds the one before.
int rank(const std::string& profile) {
  constexpr std::array<std::string_view, 3> kProfiles = {"quick", "standard", "full"};
  return static_cast<int>(std::ranges::find(kProfiles, profile) - kProfiles.begin());
}

// A result, as it is held against precedents.
struct Sent {
  explicit Sent(const record::ResultSet& sent) : results(sent), itself(precedent_of("", sent)) {
    for (const auto& [name, _] : itself.benchmarks) {
      spellings.insert({name, of_any_cpus(name)});
      ++family_sizes[figures::family_of(name)];
    }
  }

  bool is_of_profile(const Precedent& known) const { return rank(known.profile) <= rank(itself.profile); }
  bool has_family_of(const std::string& name) const { return family_sizes.contains(figures::family_of(name)); }

  // The name by which the precedent's benchmark is asked for.
  std::string spelt(const Precedent& known, const std::string& name) const {
    const bool as_many_cpus = known.cpus > 0 && known.cpus == itself.cpus;
    return as_many_cpus ? name : of_any_cpus(name);
  }

  const record::ResultSet& results;
  Precedent itself;
  std::set<std::string> spellings;
  std::map<std::string, std::size_t> family_sizes;
};

// The order of revisions, as far as it is known.
class Order {
 public:
  explicit Order(const std::vector<std::string>& newest_first) : newest_first_(newest_first) {}

  // Whether `one` is known to be `other`, or earlier.
  bool is_not_after(const std::string& one, const std::string& other) const {
    if (one == other) return true;
    const auto earlier = std::ranges::find(newest_first_, one), later = std::ranges::find(newest_first_, other);
    return later < earlier && earlier != newest_first_.end();
  }

 private:
  const std::vector<std::string>& newest_first_;
};

// All that a result is held against.
struct Past {
  const std::vector<Precedent>& precedents;
  Order order;
};

// The benchmarks that the result's revision certainly has, as `has` asks for them.
template <class Has>
Origins certain(const Sent& sent, const Past& past, const Has& has) {
  Origins before, after;
  for (const Precedent& precedent : past.precedents) {
    if (!sent.is_of_profile(precedent)) continue;
    const bool is_before = past.order.is_not_after(precedent.revision, sent.itself.revision);
    const bool is_after = past.order.is_not_after(sent.itself.revision, precedent.revision);
    for (const auto& [name, benchmark] : precedent.benchmarks) {
      if (!sent.has_family_of(name) || !has(precedent, benchmark)) continue;
      if (is_before) before.emplace(sent.spelt(precedent, name), precedent.origin);
      if (is_after) after.emplace(sent.spelt(precedent, name), precedent.origin);
    }
  }
  std::erase_if(before, [&](const auto& one) { return !after.contains(one.first); });
  return before;
}

Origins certainly_lacking(const Sent& sent, const Past& past) {
  Origins lacking = certain(sent, past, [](const auto&, const auto&) { return true; });
  std::erase_if(lacking, [&](const auto& one) { return sent.spellings.contains(one.first); });
  return lacking;
}

// The benchmarks that the precedent has and the result has not, whatever their revisions.
Origins lacking_of(const Sent& sent, const Precedent& precedent) {
  Origins lacking;
  for (const auto& [name, _] : precedent.benchmarks) {
    const std::string spelt = sent.spelt(precedent, name);
    if (sent.has_family_of(name) && !sent.spellings.contains(spelt)) lacking.emplace(spelt, precedent.origin);
  }
  return lacking;
}

// By the precedent of another revision that has the most.
Origins most_lacking(const Sent& sent, const std::vector<Precedent>& precedents) {
  Origins most;
  for (const Precedent& precedent : precedents) {
    if (!sent.is_of_profile(precedent) || precedent.revision == sent.itself.revision) continue;
    if (Origins lacking = lacking_of(sent, precedent); lacking.size() > most.size()) most = std::move(lacking);
  }
  return most;
}

std::string counted(const Origins& benchmarks) { return units::counted(std::ssize(benchmarks), "benchmark"); }

// "a, b, c and 83 more".
std::string named(const Origins& benchmarks) {
  constexpr std::size_t kShown = 3;
  const std::string shown = units::joined(benchmarks | std::views::keys | std::views::take(kShown));
  if (benchmarks.size() <= kShown) return shown;
  return fmt::format("{} and {} more", shown, benchmarks.size() - kShown);
}

// The benchmarks that were not measured, and were by a precedent on the same model.
Origins unmeasured(const Sent& sent, const std::vector<Precedent>& precedents) {
  Origins found;
  for (const Precedent& precedent : precedents) {
    for (const auto& [name, benchmark] : precedent.benchmarks) {
      const auto own = sent.itself.benchmarks.find(name);
      const bool is_not = own != sent.itself.benchmarks.end() && !own->second.is_measured;
      if (is_not && benchmark.is_measured && precedent.model == sent.itself.model)
        found.emplace(name, precedent.origin);
    }
  }
  return found;
}

// Refuses measured benchmarks that lack something which they certainly have.
template <class Lacks, class Has>
void refuse_rows(Lines& lines, const Sent& sent, const Past& past, std::string_view what, const Lacks& lacks,
                 const Has& has) {
  std::set<std::string> names;
  for (const record::Row& row : sent.results.rows) {
    if (row.status == record::Status::ok && lacks(row)) names.insert(row.name);
  }
  Origins lacking = certain(sent, past, has);
  std::erase_if(lacking, [&](const auto& one) { return !names.contains(one.first); });
  if (lacking.empty()) return;
  lines.push_back(fmt::format("has no {} of {} that have it by {}: {}; send the file as it was measured", what,
                              counted(lacking), lacking.begin()->second, named(lacking)));
}

void refuse_omissions(Lines& lines, const Sent& sent, const Past& past) {
  const Origins lacking = certainly_lacking(sent, past);
  if (lacking.empty()) return;
  lines.push_back(
      fmt::format("lacks {} that its revision has, by {}: {}; measure the whole family: what cannot run "
                  "keeps a row that says why",
                  counted(lacking), lacking.begin()->second, named(lacking)));
}

// No revision has dropped half of a family. Benchmarks of the same revision are asked for by name.
void refuse_fragments(Lines& lines, const Sent& sent, const Past& past) {
  for (const auto& [family, size] : sent.family_sizes) {
    for (const Precedent& precedent : past.precedents) {
      const auto is_of = [&](const auto& one) { return figures::family_of(one.first) == family; };
      const auto others = static_cast<std::size_t>(std::ranges::count_if(precedent.benchmarks, is_of));
      const bool is_complete = precedent.revision == sent.itself.revision || 2 * size >= others;
      if (is_complete || !sent.is_of_profile(precedent)) continue;
      lines.push_back(fmt::format("has {} of {} where {} has {}: less than half of the family; measure it whole",
                                  units::counted(static_cast<std::int64_t>(size), "benchmark"), family,
                                  precedent.origin, others));
      break;
    }
  }
}

// A precedent's limit as it is on another device of the same model; nothing where that cannot be told.
std::optional<record::Limit> limit_on(const record::DeviceInfo& device, const Precedent& precedent,
                                      record::Limit limit) {
  const auto link = [](const record::DeviceInfo& one) { return std::pair(one.pcie_generation_max, one.pcie_width); };
  if (limit.name == "device memory") {
    limit.per_second = device.memory_peak_bytes_per_s;
  } else if (limit.clock_hz.value_or(0) > 0) {
    limit.per_second *= device.sm_clock_max_hz / *limit.clock_hz;
  } else if (link(device) != link(precedent.device)) {
    return std::nullopt;
  }
  return limit;
}

// The precedent's limit of a row; nothing where none has one on the model.
std::optional<record::Limit> known_limit(const Sent& sent, const Precedent& precedent, const KnownBenchmark& one) {
  if (precedent.model != sent.itself.model || !one.limit) return std::nullopt;
  return limit_on(sent.itself.device, precedent, *one.limit);
}

// Makes a row what a precedent says of its work and limit. Returns whether the row said otherwise.
bool take_known_limit(record::Row& row, const Sent& sent, const Past& past) {
  constexpr double kRounding = 1.001;
  for (const Precedent& precedent : past.precedents) {
    const auto found = precedent.benchmarks.find(row.name);
    if (found == precedent.benchmarks.end()) continue;
    const std::optional<record::Limit> limit = known_limit(sent, precedent, found->second);
    if (!limit) continue;
    const bool is_as_known = row.workload == found->second.workload && row.limit &&
                             row.limit->quantity == limit->quantity &&
                             row.limit->per_second <= kRounding * limit->per_second;
    row.workload = found->second.workload;
    row.limit = limit;
    return !is_as_known;
  }
  return false;
}

// The rows that say otherwise of their work or limit than a precedent, as the precedent says it.
record::ResultSet with_known_limits(const Sent& sent, const Past& past) {
  record::ResultSet judged = {sent.results.context, {}};
  for (record::Row row : sent.results.rows) {
    if (take_known_limit(row, sent, past)) judged.rows.push_back(std::move(row));
  }
  return judged;
}

}  // namespace

bool is_watched(const record::Row& row) { return row.telemetry && row.telemetry->sm_clock_hz; }

Precedent precedent_of(const std::string& origin, const record::ResultSet& results) {
  const record::Context& context = results.context;
  Precedent precedent{origin,
                      context.build.git_revision,
                      context.run.profile,
                      cpus_of(context.host),
                      figures::model_of(context),
                      context.device.value_or(record::DeviceInfo()),
                      {}};
  for (const record::Row& row : results.rows) {
    KnownBenchmark& benchmark = precedent.benchmarks[row.name];
    benchmark.is_measured |= row.status == record::Status::ok;
    benchmark.is_watched |= is_watched(row);
    benchmark.workload = row.workload;
    if (row.limit) benchmark.limit = row.limit;
  }
  return precedent;
}

std::vector<std::string> Precedents::refusals(const record::ResultSet& results) const {
  const Sent sent(results);
  const Past past{known_, Order(revisions_)};
  Lines lines;
  refuse_omissions(lines, sent, past);
  refuse_fragments(lines, sent, past);
  refuse_rows(
      lines, sent, past, "telemetry", [](const record::Row& row) { return !is_watched(row); },
      [](const Precedent&, const KnownBenchmark& benchmark) { return benchmark.is_watched; });
  refuse_rows(
      lines, sent, past, "limit", [](const record::Row& row) { return !row.limit; },
      [&](const Precedent& one, const KnownBenchmark& benchmark) { return known_limit(sent, one, benchmark); });
  std::ranges::move(impossible_rates(with_known_limits(sent, past)), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> Precedents::doubts(const record::ResultSet& results) const {
  const Sent sent(results);
  Lines doubts;
  if (const Origins most = most_lacking(sent, known_); !most.empty()) {
    doubts.push_back(fmt::format("lacks {} that {} has, by another revision, which may have others: {}", counted(most),
                                 most.begin()->second, named(most)));
  }
  if (const Origins skipped = unmeasured(sent, known_); !skipped.empty()) {
    doubts.push_back(fmt::format("did not measure {} that {} has of the same model: {}", counted(skipped),
                                 skipped.begin()->second, named(skipped)));
  }
  return doubts;
}

}  // namespace cupel::submit
