// Is this normal? A board's result against what other boards of its model were measured to do.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/bands/bands.hpp"

namespace cupel::bands {

/// With fewer other boards nothing is unusual.
inline constexpr std::size_t kFewestBoards = 3;

/// With fewer the words say how few they are.
inline constexpr std::size_t kEnoughBoards = 5;

/// A benchmark, or the benchmarks of a family that are timed on one clock, that takes this board longer or shorter than
/// other boards make likely.
struct Unusual {
  std::string name;
  double ratio = 1;          ///< its time against the other boards' median; above 1 is slower
  std::size_t boards = 0;    ///< other ones
  int benchmarks = 1;        ///< of a family: how many
  bool on_the_host = false;  ///< by the host's clock, not the device's
};

struct Judgement {
  std::string model;                         ///< "NVIDIA H200, ..."; empty where there is no band for it
  std::string gpu;                           ///< "NVIDIA H200"
  std::size_t boards = 0;                    ///< other ones, the median over what was judged, else over all
  std::set<std::string> judged;              ///< benchmarks with boards enough
  std::vector<Unusual> families;             ///< furthest from the others first
  std::vector<Unusual> benchmarks;           ///< likewise
  std::vector<std::string> differs;          ///< "power limit: 700 W -> 600 W": most other boards' records, this one's
  std::vector<std::string> differs_in_host;  ///< those of them that are of the host: "CPUs: 16 -> 64"

  bool any() const { return !families.empty() || !benchmarks.empty(); }
};

/// Leaves in it the benchmarks that were chosen, and no family, which is unusual as a whole.
void keep_benchmarks(Judgement& board, const std::function<bool(const std::string&)>& is_chosen);

/// The name of each, in their order.
std::vector<std::string> names_of(const std::vector<Unusual>& all);

/// One benchmark on a model: its time on the boards that are known.
struct Typical {
  double time_s = 0;  ///< median over boards
  std::optional<double> low_s,
      high_s;         ///< where one more board's time lies in 95 of 100 cases; of kFewestBoards or more
  double sd = 0;      ///< of the logarithms of their times
  double within = 0;  ///< median over boards of the same between the processes of one
  std::size_t boards = 0;
};

/// band: of one board or more. The interval is Student's, of the logarithms.
Typical typical(const Band& band);

/// A board does not judge itself: its own times in the bands are left out, and all of theirs where results of several
/// boards were joined.
///
/// A benchmark is unusual where its time, as a logarithm, is further from the other boards' median than a Student
/// interval of 96 % for one more board, and by more than 2 %. The sd between boards is the benchmark's own, but no less
/// than the median one of its family: a sd of five values is too small by chance too often. What processes of this
/// board differ by is added to it. For a family the median of its benchmarks takes the benchmark's place, the other
/// boards' medians the boards', and the level is 98 %, the least difference 1 %.
Judgement judge(const Bands& bands, const figures::Suite& suite);

}  // namespace cupel::bands
