// Which of the nodes that were to be measured have no result, or one that is not whole.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/benchmark.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::fleet {

/// Names parted by commas or white space, and Slurm's short form of several: "r[1-2]n[08-10]" is r1n08, r1n09, r1n10,
/// r2n08 and so on. In their order, each once, else as `scontrol show hostnames` prints them. Throws
/// std::invalid_argument, whose text names the part: a bracket that is not closed, a range that runs backwards, more
/// than a million names.
std::vector<std::string> node_names(std::string_view list);

enum class Absence {
  missing,    ///< no result
  incomplete  ///< half a file; interrupted, killed, still going on; or without rows that at least half of the results
              ///< have
};

constexpr auto names_of(Absence) { return std::array{"MISSING", "INCOMPLETE"}; }
using record::to_string;

struct Absent {
  std::string node;
  Absence what = Absence::missing;
  std::string why;  ///< "interrupted; 12 of 90 rows missing"
};

struct Attendance {
  bool all_were_named = true;           ///< it was said which nodes are expected: else those that have a file
  std::size_t expected = 0;             ///< nodes
  std::vector<Absent> absent;           ///< in the order in which they were expected
  std::vector<std::string> unexpected;  ///< nodes with a result that were not expected
  std::vector<Absent> unreadable = {};  ///< files, by their labels, of which no absent node is: not expected, or beside
                                        ///< a whole result of the node
};

/// A result is of the node that its record names, else of the one that its label names, with or without the ending of a
/// file's name. unreadable: label of a file and what is wrong with it.
Attendance attendance(const std::vector<std::string>& expected, std::span<const figures::Suite> suites,
                      const std::map<std::string, std::string>& unreadable);

/// The same where nobody said which nodes to expect: what cannot be read, and runs that have not come to their end.
Attendance attendance(std::span<const figures::Suite> suites, const std::map<std::string, std::string>& unreadable);

}  // namespace cupel::fleet
