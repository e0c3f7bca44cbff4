#include "cupel/doctor/report.hpp"

#include <algorithm>
#include <sstream>

#include "cupel/record/json_text.hpp"
#include "cupel/units/format.hpp"

namespace cupel::doctor {
namespace {

/// Breaks at blanks so that no line is longer than `width`, with the first line led by `head` and the others indented
/// as far.
void wrapped(std::ostream& out, std::size_t width, const std::string& head, const std::string& text) {
  std::istringstream words(text);
  std::string line = head;
  bool empty = true;
  for (std::string word; words >> word;) {
    if (!empty && line.size() + 1 + word.size() > width) {
      out << line << '\n';
      line.assign(head.size(), ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  out << line << '\n';
}

std::ptrdiff_t count_of(const std::vector<Finding>& findings, Severity severity) {
  return std::ranges::count(findings, severity, &Finding::severity);
}

}  // namespace

std::string as_text(const std::vector<Finding>& findings, std::size_t columns) {
  constexpr std::size_t kMark = 7;
  const std::string indent(kMark, ' ');
  std::ostringstream out;
  for (const Finding& finding : findings) {
    std::string mark = to_string(finding.severity);
    mark.resize(kMark, ' ');
    wrapped(out, columns, mark, finding.title);
    if (!finding.meaning.empty()) wrapped(out, columns, indent, finding.meaning);
    if (!finding.action.empty()) wrapped(out, columns, indent + "-> ", finding.action);
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
