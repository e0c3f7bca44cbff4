#include "cupel/doctor/report.hpp"

#include <algorithm>
#include <sstream>

#include "cupel/record/encode.hpp"
#include "cupel/units/colour.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::doctor {

using record::detail::Is;
using record::detail::kAlways;

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

struct DoctorDocument {
  const Facts& facts;
  const std::vector<Finding>& findings;
};

void visit(auto& v, Is<DoctorDocument> auto& of) {
  const auto& device = of.facts.context.device;
  v("usable_gpu", usable_gpu(of.facts));
  v("device", device ? std::optional(device->name) : std::nullopt, kAlways);
  v("findings", of.findings, kAlways);
}

}  // namespace

void visit(auto& v, Is<Finding> auto& finding) {
  v("severity", finding.severity);
  v("id", finding.id, kAlways);
  v("title", finding.title, kAlways);
  v("meaning", finding.meaning, kAlways);
  v("action", finding.action, kAlways);
}

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
  return record::detail::lines(record::detail::encode(DoctorDocument{facts, findings}), 2) + "\n";
}

}  // namespace cupel::doctor
