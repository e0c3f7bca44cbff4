// A page that lists the results of a folder.
#pragma once

#include <string>
#include <vector>

namespace cupel::report {

/// A result as the list has it.
struct IndexEntry {
  std::string file = {};     ///< its name in the folder
  std::string page = {};     ///< the name of its report there; empty: it has none
  std::string copy_of = {};  ///< a file of the same run, which counts in its place; empty: this one counts
  std::string when = {}, machine = {}, run = {}, measured = {}, answer = {};
};

/// A file of the folder that is not in the list, and why.
struct Unlisted {
  std::string file, why;
};

/// The list as a page, newest first, that links each result to its report. unlisted: named below it.
std::string index_page(std::vector<IndexEntry> entries, const std::vector<Unlisted>& unlisted);

}  // namespace cupel::report
