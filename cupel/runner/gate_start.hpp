// One start of an executable of a gate, and what came of it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/record/context.hpp"
#include "cupel/record/row.hpp"
#include "cupel/runner/gate_program.hpp"

namespace cupel::runner {

/// The result of one start of a program.
struct GateStart {
  std::vector<record::Row> rows;  ///< with shown names
  std::optional<record::Context> context;
  bool complete = false;     ///< every benchmark asked for was handled
  bool ended_well = false;   ///< whatever it handled: it said that it was done, or ended as a program does that is
  bool interrupted = false;  ///< by us
  bool no_device = false;
  /// It ends at once with GateProgram::sampling_flag; what is here is of a start without.
  bool refused_sampling = false;
  std::string
      running;         ///< shown name of the benchmark in which it ended early; of foreign ones the first without a row
  std::string reason;  ///< why it ended early, one line
  std::string bad_ending;  ///< of a start that is complete; see bad_ending() of child.hpp
  double wall_s = 0;
};

/// Runs the chosen benchmarks (shown names) once, in a fresh process. extra: arguments to pass on. watch: false ends
/// it.
GateStart start(const GateProgram& program, const std::vector<std::string>& chosen, int process,
                const Settings& settings, const std::vector<std::string>& extra, const std::filesystem::path& scratch,
                const std::function<bool()>& watch = {});

}  // namespace cupel::runner
