// Reads and writes result files; only bench/pytorch writes its own, in Python. The format is docs/schema.md; it is a
// Google Benchmark JSON file with all of ours under the reserved key "cupel".
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/files/errors.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record {

/// The first minor version with Row::unusual. For older results it is set from the parameters of the name.
inline constexpr int kFirstMinorThatSaysUnusual = 3;

/// Writes strict JSON: no NaN, no Infinity; a value that is not finite is left out. Ends with a newline. Byte-stable:
/// the same ResultSet gives the same text in any locale.
std::string to_json(const ResultSet&);

/// Reads a result. text: a cupel file, of this major and any minor. `origin` names it in errors.
/// Throws ReadError; never crashes, whatever the text.
ResultSet from_json(std::string_view text, const std::string& origin);

/// Reads a file of ours. Throws ReadError.
ResultSet read(const std::filesystem::path&);

/// Receives each row. foreign: of a Google Benchmark file, see google_benchmark.hpp; its samples are repetitions of one
/// process.
using TakeRow = std::function<void(Row&&, bool foreign)>;

/// A file whose rows were handed on one at a time: all but its rows.
struct Streamed {
  Context context;
  bool foreign = false;
};

/// Reads a file of ours or of any Google Benchmark program, and hands its rows on one at a time, in their order: a file
/// of any length takes the memory of one row. Throws ReadError; what was handed on is then void.
Streamed read_rows(const std::filesystem::path&, const TakeRow& take);

/// A file of ours or of any Google Benchmark program, all at once.
struct AnyResults {
  ResultSet results;
  bool foreign = false;
};

/// Reads such a file. Throws ReadError.
AnyResults read_any(const std::filesystem::path&);

/// Writes a file: beside the target, syncs, renames: whatever happens, the file is the old one or the new one, whole.
/// Throws WriteError.
void write(const ResultSet&, const std::filesystem::path&);

/// Returns every violation of the schema in the text, one line each (JSON pointer: what is wrong); empty when valid.
std::vector<std::string> validate(std::string_view text);

}  // namespace cupel::record
