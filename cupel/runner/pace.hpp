// How long the processes of a gate take, by those that were measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/record/row.hpp"
#include "cupel/runner/gate_program.hpp"

namespace cupel::runner {

/// The seconds that one program's starts and its benchmarks take. A benchmark has what its row says, a start all else:
/// a suspect that is measured by itself waits for the whole set-up of its program, and for none of the other
/// benchmarks.
class Pace {
 public:
  /// Takes a process that ended. rows: the benchmarks that it measured.
  void add(const GateProgram& program, const std::vector<record::Row>& rows, double wall_s);

  /// Seconds of a start without its benchmarks, and of one of these in a process: before a process of the program
  /// ended, as start_seconds() and expected_seconds() foretell them.
  double start_s(const GateProgram& program) const;
  double benchmark_s(const GateProgram& program, const GateName& name) const;

 private:
  struct Mean {
    double sum = 0;
    int count = 0;
    void add(double value) {
      sum += value;
      ++count;
    }
    double value() const { return sum / count; }
  };

  Mean start_;
  std::map<std::string, Mean> benchmarks_;  ///< by shown name
};

}  // namespace cupel::runner
