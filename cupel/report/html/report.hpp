// The HTML report: one page about one or more result files. It asks for nothing, and is complete without scripts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/bands/judge.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/html/index.hpp"

namespace cupel::report {

struct ReportedFile {
  std::string name;  ///< as the reader knows it; shown beside its device
  record::ResultSet results;
  bool foreign = false;         ///< of a Google Benchmark program: samples are repetitions of one process
  bands::Judgement board = {};  ///< what is unusual of it
};

/// The page. With several files, the first is what the others are compared with. The same bytes for the same files in
/// any locale. Throws std::invalid_argument without a file.
std::string html_report(const std::vector<ReportedFile>& files);

/// A result as the list of a folder has it, but for its file and its page: its advice is what `cupel advise` says
/// first. board: what is unusual of it.
IndexEntry index_entry(const record::ResultSet& results, const bands::Judgement& board);

/// Writes a page of `cupel report`, as the next.
void write_page(const std::string& html, const std::filesystem::path& path, bool force);

/// Writes the page. A file that is there and is not a report is only replaced with `force`. Throws files::WriteError
/// on account of that, and as files::write_file() does.
void write_html(const std::vector<ReportedFile>& files, const std::filesystem::path& path, bool force = false);

}  // namespace cupel::report
