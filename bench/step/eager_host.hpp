// A host that is as slow to enqueue an operation as PyTorch's is: what it gives to a step that its host has to keep
// ahead of. Host code only.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/step/program.hpp"
#include "bench/step/recipe.hpp"
#include "bench/step/watch.hpp"

namespace cupel::bench::step {

/// Seconds that PyTorch's eager host spends on an operation of each kind, gradients wanted.
struct OperationCosts {
  // An H100's host of 16 CPUs, PyTorch 2.11, a quick run of three processes (docs/pytorch.md).
  double add_s = 15.9e-6, linear_s = 35.6e-6, conv_s = 32.3e-6, norm_s = 26.7e-6;
  std::string origin = "assumed, as PyTorch 2.11 on an H100's host of 16 CPUs";
};

/// The costs that `pytorch/host` left in this folder when it was measured on this machine: a file a kind, whose first
/// word is the seconds and the rest their origin. The assumed ones where a file is lacking or is none.
OperationCosts operation_costs(const std::filesystem::path& folder);

/// Lets no operation follow the one before it sooner than that host would: it waits where it is told of one. A captured
/// step tells of its batch alone.
class EagerHost : public Watcher {
 public:
  /// program: outlives it.
  EagerHost(const Recipe& recipe, const Program& program, const OperationCosts& costs);

  void begins(Part part, std::size_t operation) override;

  /// Seconds of an eager step, and of one of its operations on average.
  double step_s() const { return step_s_; }
  double operation_s() const { return step_s_ / operations_; }

 private:
  double cost_s(Part part, std::size_t operation) const;

  std::vector<double> operation_s_;  // of each operation of the program
  double call_s_, update_s_;         // of a copy or a fill, and of all of an update
  double step_s_ = 0, operations_ = 0;
  std::chrono::steady_clock::time_point free_at_ = {};
};

}  // namespace cupel::bench::step
