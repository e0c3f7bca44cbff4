#include "cupel/fleet/expect.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "cupel/figures/suite.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::fleet {
namespace {

constexpr std::size_t kMostNames = 1'000'000;

[[noreturn]] void refuse(std::string_view part, const char* why) {
  throw std::invalid_argument("'" + std::string(part) + "': " + why);
}

std::size_t number_of(std::string_view text, std::string_view part) {
  const std::optional<std::size_t> number = units::number<std::size_t>(text);
  if (!number) refuse(part, "between brackets stand numbers and ranges");
  return *number;
}

std::string padded(std::size_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

// From "1-3,07" 1, 2, 3, 07.
std::vector<std::string> numbers_of(std::string_view ranges, std::string_view part) {
  std::vector<std::string> numbers;
  for (std::size_t begin = 0; begin <= ranges.size();) {
    const std::size_t end = std::min(ranges.find(',', begin), ranges.size());
    const std::string_view range = ranges.substr(begin, end - begin), from = range.substr(0, range.find('-'));
    const std::string_view to = from.size() == range.size() ? from : range.substr(from.size() + 1);
    const std::size_t first = number_of(from, part), last = number_of(to, part);
    if (last < first) refuse(part, "a range runs backwards");
    if (last - first >= kMostNames) refuse(part, "more than a million names");
    for (std::size_t number = first; number <= last; ++number) numbers.push_back(padded(number, from.size()));
    begin = end + 1;
  }
  return numbers;
}

// One name, or what its brackets stand for: the last turns fastest.
std::vector<std::string> names_of(std::string_view part) {
  std::vector<std::string> names{""};
  for (std::string_view rest = part; !rest.empty();) {
    const std::size_t open = rest.find('['), close = rest.find(']');
    if (close != std::string_view::npos && (open == std::string_view::npos || close < open))
      refuse(part, "a bracket closes that was not opened");
    if (open != std::string_view::npos && close == std::string_view::npos) refuse(part, "a bracket is not closed");
    const std::vector<std::string> numbers = open == std::string_view::npos
                                                 ? std::vector<std::string>{""}
                                                 : numbers_of(rest.substr(open + 1, close - open - 1), part);
    if (names.size() * numbers.size() > kMostNames) refuse(part, "more than a million names");
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (const std::string& number : numbers) longer.push_back(name + std::string(rest.substr(0, open)) + number);
    }
    names = std::move(longer);
    rest = open == std::string_view::npos ? std::string_view() : rest.substr(close + 1);
  }
  return names;
}

// The list at its commas and white space, but for those between brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char letter = i < list.size() ? list[i] : ',';
    if (letter == '[') inside = true;
    if (letter == ']') inside = false;
    const bool parts_here = std::string_view(", \t\r\n").find(letter) != std::string_view::npos;
    if (i < list.size() && (inside || !parts_here)) continue;
    if (i > begin) parts.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

// Two files of one node, packed and not, keep their endings in their labels.
std::string node_of(std::string label) {
  for (const std::string_view ending : {".gz", ".json"}) {
    if (label.ends_with(ending)) label.resize(label.size() - ending.size());
  }
  return label;
}

std::string node_of(const figures::Suite& suite) {
  return suite.context.run.node.empty() ? node_of(suite.label) : suite.context.run.node;
}

// Rows that are there, whole, in one benchmark.
int rows_of(const figures::Benchmark& benchmark) { return benchmark.measured() + benchmark.failed + benchmark.skipped; }

// Rows of each of these benchmarks that the suite lacks.
struct Lack {
  int rows = 0, of = 0;
};

Lack lack_of(const figures::Suite& suite, const std::set<std::string>& benchmarks) {
  const bool by_process = suite.replication == figures::Replication::process;
  const int processes = by_process ? std::max(1, suite.context.run.processes) : 1;
  std::unordered_map<std::string_view, int> rows;
  for (const figures::Benchmark& benchmark : suite.benchmarks) rows[benchmark.name] = rows_of(benchmark);
  Lack lack;
  for (const std::string& name : benchmarks) {
    const auto there = rows.find(name);
    lack.of += processes;
    lack.rows += std::max(0, processes - (there == rows.end() ? 0 : there->second));
  }
  return lack;
}

// The benchmarks that at least half of the results have: a machine may have more than the others.
std::set<std::string> usual_benchmarks(std::span<const figures::Suite> suites) {
  std::map<std::string, std::size_t> counts;
  for (const figures::Suite& suite : suites) {
    for (const figures::Benchmark& benchmark : suite.benchmarks) ++counts[benchmark.name];
  }
  std::set<std::string> names;
  for (const auto& [name, count] : counts) {
    if (2 * count >= suites.size()) names.insert(name);
  }
  return names;
}

// Why the run has not come to its end, as far as its record says it.
std::vector<std::string> why_unfinished(const record::RunInfo& run) {
  std::vector<std::string> why;
  if (run.whole_processes) why.push_back(record::processes_text(run));
  if (run.interrupted) why.push_back("interrupted");
  return why;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

// Empty where the result is whole.
std::string why_incomplete(const figures::Suite& suite, const std::set<std::string>& benchmarks) {
  std::vector<std::string> why = why_unfinished(suite.context.run);
  if (const Lack lack = lack_of(suite, benchmarks); lack.rows > 0)
    why.push_back(std::to_string(lack.rows) + " of " + std::to_string(lack.of) + " rows missing");
  return joined(why);
}

}  // namespace

std::vector<std::string> node_names(std::string_view list) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const std::string_view part : parts_of(list)) {
    for (std::string& name : names_of(part)) {
      if (known.insert(name).second) names.push_back(std::move(name));
    }
    if (names.size() > kMostNames) refuse(part, "more than a million names");
  }
  return names;
}

Attendance attendance(const std::vector<std::string>& expected, std::span<const figures::Suite> suites,
                      const std::map<std::string, std::string>& unreadable) {
  const std::set<std::string> usual = usual_benchmarks(suites);
  std::map<std::string, std::string> there;  // node and why it is not whole
  for (const figures::Suite& suite : suites) there[node_of(suite)] += why_incomplete(suite, usual);
  std::map<std::string, std::string> broken;
  for (const auto& [label, why] : unreadable) broken[node_of(label)] = why;
  Attendance found{true, expected.size(), {}, {}};
  std::set<std::string> broken_alone;  // nodes of which a file that cannot be read is all there is
  for (const std::string& node : expected) {
    const auto result = there.find(node);
    if (result != there.end() && !result->second.empty()) {
      found.absent.push_back({node, Absence::incomplete, result->second});
    } else if (result == there.end() && broken.contains(node)) {
      broken_alone.insert(node);
      found.absent.push_back({node, Absence::incomplete, broken[node]});
    } else if (result == there.end()) {
      found.absent.push_back({node, Absence::missing, "no result"});
    }
  }
  const std::set<std::string> named(expected.begin(), expected.end());
  for (const auto& [node, why] : there) {
    if (!named.contains(node)) found.unexpected.push_back(node);
  }
  for (const auto& [label, why] : unreadable) {
    if (!broken_alone.contains(node_of(label))) found.unreadable.push_back({label, Absence::incomplete, why});
  }
  return found;
}

Attendance attendance(std::span<const figures::Suite> suites, const std::map<std::string, std::string>& unreadable) {
  std::map<std::string, std::string> why(unreadable);
  for (const figures::Suite& suite : suites) why[suite.label] = joined(why_unfinished(suite.context.run));
  Attendance found{false, why.size(), {}, {}};
  for (const auto& [label, text] : why) {
    if (!text.empty()) found.absent.push_back({label, Absence::incomplete, text});
  }
  return found;
}

}  // namespace cupel::fleet
