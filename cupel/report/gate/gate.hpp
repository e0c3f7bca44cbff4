// The findings of `cupel gate`, for people, for pull requests, for test reports and for other programs.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "cupel/gate/gate.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

enum class GateFormat {
  text,      ///< for a terminal, worst first
  markdown,  ///< for a comment of a pull request: never longer than kLongestComment
  junit,     ///< XML: a regression is a failure, INCONCLUSIVE and SKIPPED are skipped, others without figures an error
  json,      ///< everything; docs/schema/gate-result.schema.json
  csv,       ///< a row a line, as json has them
  annotations,               ///< GitHub's workflow commands: what is wrong alone, the other rows by verdict
  custom_smaller_is_better,  ///< github-action-benchmark's format: the new side's times
  bencher                    ///< Bencher's metric format: the new side's times
};
constexpr auto names_of(GateFormat) {
  return std::array{"text", "markdown", "junit", "json", "csv", "annotations", "customSmallerIsBetter", "bencher"};
}

/// GitHub takes comments of 65,536 characters.
inline constexpr std::size_t kLongestComment = 60'000;

/// How the text is laid out, and what is in it.
struct GateText {
  bool all = false;    ///< rows that are SAME one by one too
  bool quiet = false;  ///< the last line alone
  Terminal terminal = {};
};

/// The same bytes for the same report in any locale.
std::string gate(const gate::GateReport& report, GateFormat format, const GateText& how = {});

}  // namespace cupel::report
