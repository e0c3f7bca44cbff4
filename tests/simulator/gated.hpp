// The gate's own stages on benchmarks whose processes are drawn.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cupel/gate/gate.hpp"
#include "tests/simulator/suite.hpp"

namespace cupel::simulator {

inline constexpr int kScreened = 5;  ///< processes a side in the screen

/// Locations of the wanted benchmarks, in their order, for a stage.
using Draw = std::function<std::vector<Locations>(std::span<const Wish> wishes, const std::string& stage)>;

std::string name_of(std::size_t benchmark);

/// A session of `cupel calibrate`: both sides are the same.
void add_session(gate::MachineNoise& calibration, const std::vector<Locations>& seen);

/// A gate of so many benchmarks, by default settings. Rows are in the order of the benchmarks. calibration: may be
/// null.
gate::GateResult run_gate(std::size_t benchmarks, const gate::MachineNoise* calibration, const Draw& draw);

/// Whether the gate calls each benchmark slower.
std::vector<bool> slower_of(const gate::GateResult& result);

}  // namespace cupel::simulator
