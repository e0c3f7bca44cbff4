// A comparison as lines of text that all its renderers share, in a namespace of its own: the gate has cells of the same
// names. Nothing here is escaped. And the comparison for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/report/compare/compare.hpp"

namespace cupel::report::compared {

/// One line of the N-way table: a benchmark's time, or one of its counters. Null where a contender has no such row.
struct CompareRow {
  std::vector<const compare::Comparison*> in;  ///< as many as contenders, at least one of them there

  const compare::Comparison& any() const;
};

/// For each contender how many benchmarks, and counters, got which verdict: "new against old: 2 slower, 80 the same".
std::vector<std::string> conclusions(const CompareReport& report);

/// Says how much two runs of the same work differ; empty where all files are of one run.
std::string two_runs_text(const CompareReport& report);

struct ComparedRows {
  std::vector<CompareRow> shown;   ///< in the order to show them
  std::vector<CompareRow> folded;  ///< that have not changed, or cannot be told to have
};

ComparedRows compare_rows(const CompareReport& report, const CompareOptions& options);

/// The words in place of rows where all are folded: that nothing changed, or that no change was found.
std::string no_rows_text(std::span<const CompareRow> folded);

/// "80 benchmarks have not changed, 2 are undecided, 3 counters are not judged". folded: not empty.
std::string folded_text(std::vector<CompareRow> folded);

/// A key of the environment that is not the same everywhere.
struct EnvironmentLine {
  std::string key;
  bool hard = false;
  std::vector<std::string> values;  ///< the reference's first
};

std::vector<EnvironmentLine> environment_lines(const CompareReport& report);

/// One line that says what a file was measured on.
std::string file_line(const ComparedFile& file);

/// Which time is compared: "cold", "host"; "" of a counter.
std::string mode_text(const compare::Comparison& row);

/// "12.3 us", "128", of a side's value.
std::string value_text(const compare::Comparison& row, const compare::Side& side);
std::string share_text(const compare::Side& side);
std::string ratio_digits(double ratio);  ///< "1.051"
std::string ratio_text(const compare::Comparison& row);
std::string interval_text(const compare::Comparison& row);
std::string p_text(const compare::Comparison& row);  ///< "0.0004", "<0.0001": adjusted, where it is
std::string mde_text(const compare::Comparison& row);
std::string count_text(const compare::Comparison& row);    ///< "5+5": processes of both sides
std::string verdict_text(const compare::Comparison& row);  ///< "" of a row that is shown only
std::string notes_text(const compare::Comparison& row);    ///< with how many processes would decide it

/// "benchmark" or "benchmark [counter]".
std::string label_text(const compare::Comparison& row);
/// The same with another name for the benchmark.
std::string label_text(const compare::Comparison& row, const std::string& name);

/// How verdicts are marked.
Badges verdict_badges();

/// Says what a reader must know of these figures, a sentence each.
std::vector<std::string> legend(const CompareReport& report, const std::vector<CompareRow>& rows);

}  // namespace cupel::report::compared

namespace cupel::report {

std::string compare_csv(const CompareReport& report, const CompareOptions& options);

/// One object: "reference", "contenders" with their "rows" and "families", "environment" and "policy".
std::string compare_json(const CompareReport& report, const CompareOptions& options);

}  // namespace cupel::report
