// Faults of a machine that both `cupel doctor` finds, on the machine itself, and a result file shows afterwards: what
// is one, and what is said of it, stands here alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cupel/record/forward.hpp"

namespace cupel::record {

/// A fault of a machine, and what is said of it.
struct Fault {
  const char* id;          ///< stable, for scripts: "pcie-width"
  std::string what;        ///< what was found, without a capital or a full stop
  std::string meaning;     ///< what it means for measurements: a sentence
  std::string remedy;      ///< what to do: a sentence
  bool is_harmful = true;  ///< false: worth knowing, and no more
};

/// Judges the governor: nothing where it is performance or not known; harmful where it is powersave.
std::optional<Fault> governor_fault(const HostInfo& host);

/// Judges whether the link has fewer lanes than it could have. Nothing where one of both is not known.
std::optional<Fault> pcie_width_fault(std::optional<int> width, std::optional<int> possible);

/// Judges whether the link runs as an older generation than it could. generation: under load, since an idle link
/// reports a lower one. seen: what showed it, as "the fastest copy reached 3.5 GB/s"; may be empty.
std::optional<Fault> pcie_generation_fault(std::optional<int> generation, std::optional<int> possible,
                                           const std::string& seen = "");

/// Judges whether the power limit in force is below the board's own. Nothing where one of both is not known.
std::optional<Fault> power_limit_fault(const DeviceInfo& device);

/// Judges whether persistence mode is off. Nothing where that is not known.
std::optional<Fault> persistence_fault(const DeviceInfo& device);

/// Judges whether cupel was built without optimisation. type: of the build, "Release"; empty where it is not known.
std::optional<Fault> build_fault(const std::string& type);

/// Makes the fault of a GPU on which others compute; what: where that was seen.
Fault foreign_process_fault(const std::string& what);

/// Tells whether a GPU is slowed for that reason, as NVML names it, because of heat or a brake. The power limit is how
/// a GPU is meant to be run, and boards that boost together only keep pace.
bool is_throttling(std::string_view reason);

/// Makes the fault of a GPU that is slowed so; what: where that was seen.
Fault throttling_fault(const std::string& what);

}  // namespace cupel::record
