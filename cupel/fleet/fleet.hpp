// Machines of one model side by side: which of them is not like the others, in what, and what its record says of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/benchmark.hpp"
#include "cupel/fleet/boards.hpp"
#include "cupel/fleet/expect.hpp"
#include "cupel/fleet/judged.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::fleet {

/// A machine stands out where the test for outliers says so *and* it is further away than the effect. The test has its
/// standard deviation from the machines at hand, so that neither a noisy benchmark nor a small fleet cries wolf.
struct FleetRule {
  double alpha = 0.002;    ///< of anything being said of machines alike, were their noise normal
  double effect = 0.01;    ///< ratio less one, in either direction
  std::size_t fewest = 3;  ///< machines with a figure; of fewer none can be told apart
};

/// One machine's figure for a family, or for one benchmark.
struct FleetFigure {
  std::string name;         ///< of the family or the benchmark; kEverything of all families
  std::size_t machine = 0;  ///< index into the suites
  double ratio = 1;         ///< its time against the fleet's median; above 1 is slower
  double z = 0;  ///< in sd of the machines that do not stand out; infinite where those agree to the last digit
  int benchmarks = 1;
  bool outlier = false;
  std::optional<record::Mode> mode;  ///< of the times of a benchmark, the same on every machine; none of a family
  std::string family = {};           ///< of a benchmark
};

inline constexpr const char* kEverything = "everything";

/// Two kinds of board where one was expected: the machines of a family fall into two groups.
struct Kinds {
  std::string family;
  double ratio = 1;                  ///< time of the slower kind against the quicker's
  std::vector<std::size_t> slower;   ///< indices into the suites
  std::vector<std::string> differs;  ///< "driver: 580.159.04 -> 590.10", quicker to slower
};

/// The facts in which the record of a machine that stands out differs from the records of most: "power limit: 700 W ->
/// 600 W".
struct Differs {
  std::size_t machine = 0;
  std::vector<std::string> what;  ///< empty where the record explains nothing
};

/// True where the family, or everything, stands out with the benchmark: on the same machine, to the same side.
bool is_within(const FleetFigure& benchmark, const FleetFigure& whole);

/// Machines of one model: the same GPU, SMs and memory; of hosts, the same CPU.
struct Fleet {
  std::string model;
  std::vector<std::size_t> machines;    ///< indices into the suites
  std::vector<FleetFigure> everything;  ///< outliers only: slower or quicker in most families
  std::vector<FleetFigure> families;    ///< every family on every machine that has it
  std::vector<FleetFigure> benchmarks;  ///< outliers only, the largest effect first
  std::vector<Kinds> kinds;             ///< of a family that has them, no machine is flagged for itself
  std::vector<Differs> differs;         ///< each machine that stands out, once
  std::vector<int> failed;              ///< benchmarks that failed, for each machine
  Judged judged = {};                   ///< benchmarks that could be judged, and what kept the others from it

  /// True where a machine stands out, or there are two kinds.
  bool finds_any() const { return !differs.empty() || !kinds.empty(); }
};

/// The files of fleets, ahead of their machines.
struct FleetFiles {
  std::optional<Attendance> attendance;  ///< where nodes were expected, or a file is not whole
  std::vector<Again> again;              ///< what of them does not count, since its board counts once
};

/// A machine's figure for a family is the mean, over the family's benchmarks, of the logarithm of its time against the
/// machines' median time, those that vary least between machines weighing most, and Huber's, so that no one of three or
/// more benchmarks is the family; for everything it is the median of
/// those of its families, tested in the sd that each family has. A benchmark stands out where, besides, all of the
/// machine's processes lie where few of the others' do. Benchmarks that failed, were throttled away or are on fewer
/// machines than the rule asks do not enter.
std::vector<Fleet> fleets(std::span<const figures::Suite> suites, const FleetRule& rule = {});

}  // namespace cupel::fleet
