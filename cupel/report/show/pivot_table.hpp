// A pivot as people read it: a figure a cell, its relative error beside it where there is one, and footnotes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cupel/figures/pivot.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// What the cells hold. automatic: the counter that all of them are judged by; where there is none the rate, if the
/// work is counted in bytes or operations and its advice does not ask for times; else the time.
enum class Metric { automatic, rate, time, limit };
constexpr auto names_of(Metric) { return std::array{"automatic", "rate", "time", "limit"}; }

/// Counter of a figure whose result was held against a reference: the Frobenius norm of the error over that of the
/// result.
inline constexpr const char* kRelativeError = "relative_error";

/// "2.1e-4": its size is what tells one precision from another.
std::string error_text(double error);

/// A figure whose interval is wider to one side than this share of it is marked.
inline constexpr double kWide = 0.05;

class PivotTable {
 public:
  /// Rows and columns of which nothing could be measured here are left out. Nothing if that leaves fewer than two
  /// columns, or none of them has such a figure. The figures of the pivot must outlive it.
  static std::optional<PivotTable> of(const figures::Pivot& pivot, Metric metric);

  /// "gemm/square: TFLOP/s by precision, relative error in parentheses".
  const std::string& heading() const { return heading_; }

  /// Without the heading. Columns that do not fit beside each other follow below, the names of the rows that have any
  /// of them repeated.
  std::string text(std::size_t width) const;
  std::string markdown() const;

  /// How many lines the text has; 0 if not even one column fits beside the rows' names.
  std::size_t lines(std::size_t width) const;

  /// "[1] skipped: no memory", in order; last, in a table of shares of several limits, that of cells without a mark of
  /// theirs: "limit where none is named: device memory".
  const std::vector<std::string>& footnotes() const { return footnotes_; }

  /// Whether it has figures of several modes (cold, hot, host); then those that are not of the usual one are marked.
  bool mixes_modes() const { return mixes_modes_; }

  /// The benchmarks that it tells of.
  const std::vector<const figures::Figure*>& members() const { return members_; }

 private:
  struct Shown {
    std::string title;
    std::vector<std::string> aligned;  ///< of each row value, error and mark, each below those of the row before
    std::vector<bool> filled;          ///< whether there is a value or a mark
  };

  PivotTable() = default;
  std::string mark(const std::string& footnote);
  /// Columns from begin to end; in text without the rows that have nothing in them.
  Table block(std::size_t begin, std::size_t end, bool markdown) const;
  /// None if not even one column fits beside the labels.
  std::vector<Table> blocks(std::size_t width) const;

  std::string heading_;
  std::vector<Column> labels_;
  std::vector<std::vector<std::string>> rows_;  ///< their labels
  std::vector<Shown> columns_;
  std::vector<std::string> footnotes_;
  std::vector<const figures::Figure*> members_;
  bool mixes_modes_ = false;
};

}  // namespace cupel::report
