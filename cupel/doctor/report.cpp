#include "cupel/doctor/report.hpp"

#include <algorithm>
#include <sstream>

#include "cupel/record/json_text.hpp"
#include "cupel/units/colour.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::doctor {
namespace {

std::ptrdiff_t count_of(const std::vector<Finding>& findings, Severity severity) {
  return std::ranges::count(findings, severity, &Finding::severity);
}

std::string in_colour(Severity severity) {
  using enum units::Colour;
  const std::string word = to_string(severity);
  if (severity == Severity::info) return word;
  return units::in_colour(word, severity == Severity::ok ? green : severity == Severity::warn ? yellow : red);
}

}  // namespace

std::string as_text(const std::vector<Finding>& findings, std::size_t columns, bool colour) {
  constexpr std::size_t kMark = 7;
  const std::string indent(kMark, ' ');
  std::ostringstream out;
  for (const Finding& finding : findings) {
    const std::string word = to_string(finding.severity);
    std::string mark = word;
    mark.resize(kMark, ' ');
    const std::string lines = units::wrap(mark + finding.title, columns, kMark);
    out << (colour ? in_colour(finding.severity) : word) << lines.substr(word.size()) << '\n';
    if (!finding.meaning.empty()) out << units::wrap(indent + finding.meaning, columns, kMark) << '\n';
    if (!finding.action.empty()) out << units::wrap(indent + "-> " + finding.action, columns, kMark + 3) << '\n';
  }
  out << '\n'
      << units::counted(count_of(findings, Severity::error), "error") << ", "
      << units::counted(count_of(findings, Severity::warn), "warning") << '\n';
  return out.str();
}

std::string as_json(const Facts& facts, const std::vector<Finding>& findings) {
  using record::detail::Json;
  Json file;
  file["usable_gpu"] = usable_gpu(facts);
  file["device"] = nullptr;
  if (facts.context.device) file["device"] = facts.context.device->name;
  file["findings"] = Json::array();
  for (const Finding& finding : findings) {
    file["findings"].push_back({{"severity", to_string(finding.severity)},
                                {"id", finding.id},
                                {"title", finding.title},
                                {"meaning", finding.meaning},
                                {"action", finding.action}});
  }
  return record::detail::lines(file, 2) + "\n";
}

}  // namespace cupel::doctor
