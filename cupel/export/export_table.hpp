// Results as one table for programs that compute with tables: a line a sample, a process or a benchmark, and a column a
// parameter. docs/export.md has the columns.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/names.hpp"
#include "cupel/record/record.hpp"

namespace cupel::exports {

/// The subject of a line.
enum class ExportLevel { samples, processes, benchmarks };
constexpr auto names_of(ExportLevel) { return std::array{"samples", "processes", "benchmarks"}; }

/// jsonl: a JSON object a line.
enum class ExportFormat { csv, jsonl };
constexpr auto names_of(ExportFormat) { return std::array{"csv", "jsonl"}; }

struct ExportedFile {
  std::string name;  ///< as the reader knows it
  record::ResultSet results;
};

/// The lines of all files in their order. csv: RFC 4180, with a header, and a column for each parameter that some name
/// has, empty where a name does not have it. jsonl: without what is not known. Times are seconds, corrected as they are
/// everywhere; numbers are the shortest text that reads back as the same double.
std::string export_table(const std::vector<ExportedFile>& files, ExportLevel level, ExportFormat format);

}  // namespace cupel::exports
