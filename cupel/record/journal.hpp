// The journal by which a benchmark executable tells `cupel run` how far it is: one JSON object a line, appended and
// flushed at once, so that a killed child loses only the benchmark it was in.
//
//   {"context": {...}}  first, and again when all is done, with the libraries that were loaded: the last one counts
//   {"begin": "name"}   before each benchmark of each round
//   {"row": {...}}      when a benchmark is finished
//   {"end": true}       last, when every benchmark was handled
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/files/descriptor.hpp"
#include "cupel/record/child.hpp"
#include "cupel/record/context.hpp"
#include "cupel/record/row.hpp"

namespace cupel::record {

/// Writes the journal of one process, each line at once.
class JournalWriter {
 public:
  /// Creates or empties the file. Throws WriteError.
  explicit JournalWriter(const std::filesystem::path&);

  /// Writes the context, the first line. This and the others throw WriteError when the line could not be written whole
  /// (disk full).
  void context(const Context&);
  /// Writes that the benchmark begins.
  void begin(const std::string& name);
  /// Writes a row: its benchmark has ended.
  void row(const Row&);
  /// Writes the last line: the child is done.
  void end();

 private:
  void line(const std::string& json) const;

  std::filesystem::path path_;
  files::Descriptor descriptor_;
};

/// Returns the benchmark that a whole line of a journal begins; nothing for any other line.
std::optional<std::string> begun_in(std::string_view line);

/// A journal as it was read.
struct Journal {
  std::optional<Context> context;
  std::vector<Row> rows;
  std::string running;  ///< begun and not finished: where a child died; empty otherwise
  bool ended = false;   ///< the child said that it was done
  std::string problem;  ///< "line 7: ...": why nothing is read from there on; empty where all was
};

/// Reads a journal of at most 1 GiB. Skips a last line cut short; stops at any other broken line. A missing or empty
/// file is an empty Journal. Throws ReadError where it is no file.
Journal read_journal(const std::filesystem::path&);

}  // namespace cupel::record
