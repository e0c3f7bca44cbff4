// Files of a fleet that are of one board: it counts once.
#pragma once

#include <string>
#include <vector>

namespace cupel::figures {
struct Suite;
}

namespace cupel::fleet {

/// A file of a board that a newer file has, too.
struct Again {
  std::string label, counted_as;  ///< of the two files
  std::string board;              ///< "GPU-c48a3e62"; of a host its node; empty: it is a copy of the other file
  int added = 0;                  ///< benchmarks of it that the newer file lacks, and that were added to that
};

/// Leaves one suite of each board, the newest, with those benchmarks of the others that it lacks. Else a board would be
/// two of the machines that it is held against. A board is told by its UUID, a host without a GPU by the node that its
/// record names. What has neither is a machine of its own, unless it is a copy: a file of the same run.
std::vector<Again> count_boards_once(std::vector<figures::Suite>& suites);

}  // namespace cupel::fleet
