// A page that lists the results of a folder.
#pragma once

#include <string>
#include <vector>

namespace cupel::report {

/// A result as the list has it; of a file that cannot be read only its name and why.
struct IndexEntry {
  std::string file = {};  ///< its name in the folder
  std::string page = {};  ///< the name of its report there; empty: it has none
  std::string when = {}, machine = {}, run = {}, measured = {}, answer = {};
};

/// The list as a page, newest first, that links each result to its report.
std::string index_page(std::vector<IndexEntry> entries);

}  // namespace cupel::report
