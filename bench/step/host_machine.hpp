// Runs a program on the host in double, the obvious loop for each operation: what the device is held against. Tensors
// lie where the plan has them, so that a plan in which live tensors overlap gives wrong numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/step/host_norm.hpp"
#include "bench/step/plan.hpp"
#include "bench/step/program.hpp"

namespace cupel::bench::step {

class HostMachine {
 public:
  /// Neither is copied.
  HostMachine(const Program& program, const Plan& plan);

  void set(int tensor, std::span<const double> values);
  void set(int tensor, std::span<const float> values);
  std::vector<double> get(int tensor) const;
  void set_labels(std::span<const std::int32_t> labels) { labels_.assign(labels.begin(), labels.end()); }

  /// first_part: gradients that are added to start anew.
  void run(bool first_part = true);
  void run_forward();

  /// The last run's: the mean over the labels.
  double loss() const { return get(program_.of(Home::loss).front())[0]; }

  /// For amp_fp16.
  double loss_scale = 65536;

 private:
  void run(const Operation& operation, bool first_part);
  void run_norm(const Operation& operation);
  NormIndex norm_index(const Layer& layer, std::size_t count) const;
  void put_parameter_gradients(const Operation& operation, std::size_t first, const std::vector<double>& d_out,
                               const std::vector<double>& standard, const NormIndex& norm);
  void run_product(const Operation& operation);
  void run_attention(const Operation& operation);
  void run_loss(const Operation& operation);
  void update_running();
  std::vector<double> in(const Operation& operation, std::size_t which) const { return get(operation.in[which]); }
  std::size_t channel_of(const Layer& layer, std::size_t i) const;
  double& at(int tensor, std::size_t i);

  const Program& program_;
  const Plan& plan_;
  std::array<std::vector<double>, kHomes> memory_;  // of each home; a number for each byte, of which an element has one
  std::vector<std::int32_t> labels_;
};

}  // namespace cupel::bench::step
