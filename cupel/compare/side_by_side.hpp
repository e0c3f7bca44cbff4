// Files beside each other: the N-way comparison as rows and lines of text, the same in every format. Nothing here is
// escaped.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cupel/compare/comparison.hpp"
#include "cupel/record/context.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::compare {

struct ComparedFile {
  std::string label;
  record::Context context;
  figures::Replication replication = figures::Replication::process;
};

/// One contender against the reference.
struct ComparedContender {
  ComparedFile file;
  std::vector<Comparison> rows;
  std::vector<FamilySummary> families;
};

struct CompareReport {
  ComparedFile reference;
  std::vector<ComparedContender> contenders;
  Policy policy;
};

/// Compares the suites with one of them. looked_at: rows that are kept, once all are judged, and that families are
/// made of; empty: all.
CompareReport side_by_side(std::vector<figures::Suite> suites, std::size_t reference = 0, const Policy& policy = {},
                           const std::function<bool(const Comparison&)>& looked_at = {});

/// One line of the N-way table: a benchmark's time, or one of its counters. Null where a contender has no such row.
struct CompareRow {
  std::vector<const Comparison*> in;  ///< as many as contenders, at least one of them there

  const Comparison& any() const;
};

/// How many rows have which verdict: "2 slower, 1 faster, 80 the same; of counters 1 worse". Verdicts that none has are
/// left out, and so are counters without one.
std::string counts_text(std::span<const Comparison* const> rows);

/// For each contender how many benchmarks, and counters, got which verdict: "new against old: 2 slower, 80 the same".
std::vector<std::string> conclusions(const CompareReport& report);

/// For each contender of another GPU model than the reference how many times as fast it is, in the mean and at most and
/// least in a family.
std::vector<std::string> speeds_of_models(const CompareReport& report);

/// Says how much two runs of the same work differ; empty where all files are of one run.
std::string two_runs_text(const CompareReport& report);

/// Says which libraries have other versions on the same machine, and whether anything else is known to differ: two
/// environments compare releases of libraries. Empty where none has, and where machines are compared.
std::string libraries_text(const CompareReport& report);

/// Says which files are repetitions of one process, and how little that is; empty where all are cupel's.
std::string replication_text(const CompareReport& report);

struct ComparedRows {
  std::vector<CompareRow> shown;
  std::vector<CompareRow> folded = {};    ///< that have not changed, or cannot be told to have
  std::vector<CompareRow> unjudged = {};  ///< counters that explain a benchmark, and are many
};

/// only: rows with one of these verdicts for some contender; empty: all. folds: what has not changed goes to `folded`
/// or `unjudged`.
ComparedRows compared_rows(const CompareReport& report, const std::set<Verdict>& only, bool folds);

/// Whether it is there on both sides for some contender.
bool is_on_both_sides(const CompareRow& row);

/// The words in place of rows where all are folded: that nothing changed, was found to have, or was decided.
std::string no_rows_text(std::span<const CompareRow> folded);

/// "80 benchmarks have not changed, 2 are undecided, 1 is not judged". folded: not empty.
std::string folded_text(std::vector<CompareRow> folded);
/// "3 counters are not judged". unjudged: not empty.
std::string unjudged_text(std::span<const CompareRow> unjudged);

/// A key of the environment that is not the same everywhere.
struct EnvironmentLine {
  std::string key;
  bool hard = false;
  std::vector<std::string> values;  ///< the reference's first
};

/// Returns boards as a sentence names them: "GPU-7d04d923", "GPU-7d04d923, GPU-c48a3e62", "5 boards", "no board".
std::string few_boards(const std::string& boards);

std::vector<EnvironmentLine> environment_lines(const CompareReport& report);

/// One line that says what a file was measured on.
std::string file_line(const ComparedFile& file);

/// Which time is compared: "cold", "host"; "" of a counter.
std::string mode_text(const Comparison& row);

/// "12.3 us", "128", of a side's value.
std::string value_text(const Comparison& row, const Side& side);
std::string share_text(const Side& side);

/// How many times as fast the contender is, of a counter as good: "0.951x" of a ratio of 1.051. Above 1 is better.
std::string as_fast_text(double ratio);
std::string as_fast_text(const Comparison& row);
/// "[0.942, 0.959]", "0.942 to 0.959 (range)".
std::string as_fast_interval_text(const Comparison& row);
std::string as_fast_interval_text(double lower_ratio, double upper_ratio);
std::string p_text(const Comparison& row);  ///< "0.0004", "<0.0001": adjusted, where it is
std::string mde_text(const Comparison& row);
std::string count_text(const Comparison& row);  ///< "5+5": processes of both sides

/// SLOWER and FASTER of a counter.
inline constexpr const char *kWorse = "WORSE", *kBetter = "BETTER";
std::string verdict_text(const Comparison& row);  ///< "" of a row that is shown only
std::string notes_text(const Comparison& row);    ///< with how many processes would decide it

/// "benchmark" or "benchmark [counter]".
std::string label_text(const Comparison& row);
/// The same with another name for the benchmark.
std::string label_text(const Comparison& row, const std::string& name);

/// Says what a reader must know of these figures, a sentence each. whole: of any figures.
std::vector<std::string> legend(const CompareReport& report, const std::vector<CompareRow>& rows, bool whole = false);

}  // namespace cupel::compare
